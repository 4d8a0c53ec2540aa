public import JSONValues
public import ReceiptModels

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

  /// Members that this version does not know.
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

  /// Members that this version does not know.
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
