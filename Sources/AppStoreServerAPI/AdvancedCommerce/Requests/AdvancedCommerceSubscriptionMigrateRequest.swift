public import JSONValues
public import ReceiptModels

/// A request to migrate a subscription to the Advanced Commerce API.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `SubscriptionMigrateRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionMigrateRequest: CheckedRequest {
  public var requestInfo = AdvancedCommerceRequestInfo()
  public var descriptors = AdvancedCommerceDescriptors()
  /// The items of the current period; not empty.
  public var items: [AdvancedCommerceSubscriptionMigrateItem] = []
  /// The items after the next renewal; not empty.
  public var renewalItems: [AdvancedCommerceSubscriptionMigrateRenewalItem]?
  public var targetProductID: String = ""
  public var taxCode: String = ""
  /// The three-letter code of the storefront's country.
  public var storefront: String?
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

  /// Checks the documented limits.
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

/// An item of a migrated subscription.
///
/// Source: Apple, `SubscriptionMigrateItem`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionMigrateItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an item.
  public init(sku: String, displayName: String, description: String) {
    self.sku = sku
    self.displayName = displayName
    self.description = description
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
  }
}

/// An item of a migrated subscription after the next renewal.
///
/// Source: Apple, `SubscriptionMigrateRenewalItem`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionMigrateRenewalItem: FieldModel {
  /// The server's identifier of the item, at most 128 characters.
  public var sku: String = ""
  /// The name that customers see, at most 30 characters.
  public var displayName: String = ""
  /// The description that customers see, at most 45 characters.
  public var description: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an item.
  public init(sku: String, displayName: String, description: String) {
    self.sku = sku
    self.displayName = displayName
    self.description = description
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("SKU", &sku)
    try coder.required("displayName", &displayName)
    try coder.required("description", &description)
  }
}

extension AdvancedCommerceSubscriptionMigrateItem {
  func check(_ path: String) throws(InvalidRequest) {
    try AdvancedCommerceCheck.sku(sku, path + "SKU")
    try AdvancedCommerceCheck.displayName(displayName, path)
    try AdvancedCommerceCheck.description(description, path)
  }
}

extension AdvancedCommerceSubscriptionMigrateRenewalItem {
  func check(_ path: String) throws(InvalidRequest) {
    try AdvancedCommerceCheck.sku(sku, path + "SKU")
    try AdvancedCommerceCheck.displayName(displayName, path)
    try AdvancedCommerceCheck.description(description, path)
  }
}
