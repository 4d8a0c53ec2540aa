package import ReceiptModels

// Each value that is written is checked whole before anything of it is.

extension Membership {
  /// The membership with nil for every empty identifier.
  ///
  /// Source: contract on linking, section 1.1.
  ///
  /// - Returns: What is to be stored.
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored, or with
  ///   `compoundID` if both identifiers of the account are missing.
  package func storable() throws(StorageFailure) -> Membership {
    var row = self
    row.emptyIDsBecomeNil()
    guard !row.compoundID.utf8.isEmpty else { throw .invalidValue(field: "compoundID") }
    try StoredText.check("membershipID", row.id, .accountID)
    try StoredText.check("ftcID", row.ftcID, .accountID)
    try StoredText.check("unionID", row.unionID, .accountID)
    try StoredText.check("appleSubscriptionID", row.appleSubsID, .transactionID)
    try StoredText.check("stripeSubscriptionID", row.stripeSubsID, .other)
    try StoredText.check("stripePlanID", row.stripePlanID, .other)
    try StoredText.check("b2bLicenceID", row.b2bLicenceID, .other)
    try StoredText.check("ftcPlanID", row.ftcPlanID, .other)
    try StoredText.check("tier", row.tier?.rawValue, .other)
    try StoredText.check("cycle", row.cycle?.rawValue, .other)
    try StoredText.check("payMethod", row.payMethod?.rawValue, .other)
    try StoredText.check("status", row.status?.rawValue, .other)
    return row
  }

  private mutating func emptyIDsBecomeNil() {
    let paths: [WritableKeyPath<Membership, String?>] = [
      \.id, \.ftcID, \.unionID, \.appleSubsID, \.stripeSubsID, \.stripePlanID, \.b2bLicenceID,
      \.ftcPlanID,
    ]
    for path in paths where self[keyPath: path]?.utf8.isEmpty == true { self[keyPath: path] = nil }
  }
}

extension Subscription {
  /// Checks every text of it.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(environment)
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("lastTransactionID", lastTransactionID, .transactionID)
    try StoredText.check("productID", productID, .productID)
    try StoredText.check("tier", tier.rawValue, .other)
    try StoredText.check("cycle", cycle.rawValue, .other)
  }
}

extension PurchaseRecord {
  /// Checks every text of it.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("transactionID", transactionID, .transactionID)
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("productID", productID, .productID)
    try StoredText.check("subscriptionGroupID", subscriptionGroupID, .other)
    try StoredText.check("webOrderLineItemID", webOrderLineItemID, .other)
    try StoredText.check("offer", offer?.identifier, .other)
    try StoredText.check("productType", productType?.rawValue, .other)
    try StoredText.check("ownership", ownership?.rawValue, .other)
    try StoredText.check("revocationType", revocationType?.rawValue, .other)
  }
}

extension RenewalRecord {
  /// Checks every text of it.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("productID", productID, .productID)
    try StoredText.check("autoRenewProductID", autoRenewProductID, .productID)
    try StoredText.check("offer", offer?.identifier, .other)
  }
}

extension VerificationSession {
  /// Checks every text of it.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(environment)
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("transactionID", transactionID, .transactionID)
    try StoredText.check("appItemID", appItemID, .other)
    try StoredText.check("applicationVersion", applicationVersion, .other)
    try StoredText.check("bundleID", bundleID, .other)
    try StoredText.check("downloadID", downloadID, .other)
    try StoredText.check("originalApplicationVersion", originalApplicationVersion, .other)
    try StoredText.check("receiptType", receiptType, .other)
    try StoredText.check("versionExternalIdentifier", versionExternalIdentifier, .other)
  }
}

extension NotificationRecord {
  /// Checks every text of it.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("key", key, .notificationKey)
    try StoredText.check(environment)
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("notificationType", notificationType, .other)
    try StoredText.check("subtype", subtype, .other)
    try StoredText.check("notificationUUID", notificationUUID, .other)
    try StoredText.check("autoRenewProductID", autoRenewProductID, .productID)
  }
}

extension StoredReceipt {
  /// Checks every text of it.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check(environment)
    try StoredText.check("receipt", receipt, .receipt)
  }
}

extension OutboxMessage {
  /// Checks every text of it.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("kind", kind.rawValue, .other)
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check("tier", tier?.rawValue, .other)
  }
}
