extension AdvancedCommerceOneTimeChargeCreateRequest {
  /// Checks the limits that Apple documents.
  ///
  /// - Throws: ``AdvancedCommerceRequestFailure`` for the first limit that is broken.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try item.checkLimits("item.")
  }
}

extension AdvancedCommerceSubscriptionCreateRequest {
  /// Checks the limits that Apple documents.
  ///
  /// - Throws: ``AdvancedCommerceRequestFailure`` for the first limit that is broken.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try descriptors.checkLimits("descriptors.")
    try items.checkLimits(list: "items")
  }
}

extension AdvancedCommerceSubscriptionModifyInAppRequest {
  /// Checks the limits that Apple documents.
  ///
  /// - Throws: ``AdvancedCommerceRequestFailure`` for the first limit that is broken.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try descriptors?.checkLimits("descriptors.")
    try addItems?.checkLimits(list: "addItems")
    try changeItems?.checkLimits(list: "changeItems")
    try removeItems?.checkLimits(list: "removeItems")
  }
}

extension AdvancedCommerceSubscriptionReactivateInAppRequest {
  /// Checks the limits that Apple documents.
  ///
  /// - Throws: ``AdvancedCommerceRequestFailure`` for the first limit that is broken.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try items?.checkLimits(list: "items")
  }
}
