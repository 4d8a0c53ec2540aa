public import JSONValues
public import ReceiptModels

/// A request to migrate a subscription to the Advanced Commerce API.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: Apple, `SubscriptionMigrateRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionMigrateRequest: CheckedRequest {
  /// The identification of the request.
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The texts of the subscription.
  public var descriptors = AdvancedCommerceDescriptors()
  /// The items of the current period; not empty.
  public var items: [AdvancedCommerceSubscriptionMigrateItem] = []
  /// The items after the next renewal; not empty.
  public var renewalItems: [AdvancedCommerceSubscriptionMigrateRenewalItem]?
  /// The generic product to migrate to.
  public var targetProductID: String = ""
  /// The tax category.
  public var taxCode: String = ""
  /// The three-letter code of the storefront's country.
  public var storefront: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request whose items stay the same after the next renewal.
  public init(
    requestInfo: AdvancedCommerceRequestInfo, descriptors: AdvancedCommerceDescriptors,
    items: [AdvancedCommerceSubscriptionMigrateItem], targetProductID: String, taxCode: String
  ) {
    self.requestInfo = requestInfo
    self.descriptors = descriptors
    self.items = items
    self.targetProductID = targetProductID
    self.taxCode = taxCode
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestInfo", &requestInfo)
    try coder.required("descriptors", &descriptors)
    try coder.required("items", &items)
    try coder("renewalItems", &renewalItems)
    try coder.required("targetProductId", &targetProductID)
    try coder.required("taxCode", &taxCode)
    try coder("storefront", &storefront)
  }
}

extension AdvancedCommerceSubscriptionMigrateRequest {
  /// Checks the documented limits.
  ///
  /// - Throws: ``InvalidRequest`` for the first limit that is exceeded.
  public func validate() throws(InvalidRequest) {
    try AdvancedCommerceCheck.displayName(descriptors.displayName, "descriptors.")
    try AdvancedCommerceCheck.description(descriptors.description, "descriptors.")
    try AdvancedCommerceCheck.list(items, "items") { item, path throws(InvalidRequest) in
      try item.check(path)
    }
    if let renewalItems {
      try AdvancedCommerceCheck.list(renewalItems, "renewalItems") {
        item, path throws(InvalidRequest) in try item.check(path)
      }
    }
    try RequestCheck.notEmpty(targetProductID, "targetProductId")
    try RequestCheck.notEmpty(taxCode, "taxCode")
    try RequestCheck.country(storefront, "storefront")
  }
}
