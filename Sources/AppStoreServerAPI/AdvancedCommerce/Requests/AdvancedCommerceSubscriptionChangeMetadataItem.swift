public import JSONValues
public import ReceiptModels

/// A change of an item of a subscription.
///
/// A text that is nil stays unchanged.
///
/// Source: Apple, `SubscriptionChangeMetadataItem`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionChangeMetadataItem: FieldModel {
  /// The server's identifier of the present item, at most 128 characters.
  public var currentSKU: String = ""
  /// The server's new identifier of the item, at most 128 characters.
  public var sku: String?
  /// The new name, at most 30 characters.
  public var displayName: String?
  /// The new description, at most 45 characters.
  public var description: String?
  /// The time at which the change takes effect.
  public var effective = AdvancedCommerceEffective(rawValue: "")

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a change without texts.
  public init(currentSKU: String, effective: AdvancedCommerceEffective) {
    self.currentSKU = currentSKU
    self.effective = effective
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("currentSKU", &currentSKU)
    try coder("SKU", &sku)
    try coder("displayName", &displayName)
    try coder("description", &description)
    try coder.required("effective", &effective)
  }
}

/// New texts of a subscription.
///
/// A text that is nil stays unchanged.
///
/// Source: Apple, `SubscriptionChangeMetadataDescriptors`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionChangeMetadataDescriptors: FieldModel {
  /// The new name, at most 30 characters.
  public var displayName: String?
  /// The new description, at most 45 characters.
  public var description: String?
  /// The time at which the change takes effect.
  public var effective = AdvancedCommerceEffective(rawValue: "")

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a change without texts.
  public init(effective: AdvancedCommerceEffective) {
    self.effective = effective
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("displayName", &displayName)
    try coder("description", &description)
    try coder.required("effective", &effective)
  }
}

extension AdvancedCommerceSubscriptionChangeMetadataItem {
  func check(_ path: String) throws(InvalidRequest) {
    try AdvancedCommerceCheck.sku(currentSKU, path + "currentSKU")
    if let sku { try AdvancedCommerceCheck.sku(sku, path + "SKU") }
    try AdvancedCommerceCheck.displayName(displayName, path)
    try AdvancedCommerceCheck.description(description, path)
    try RequestCheck.known(effective, path + "effective")
  }
}

extension AdvancedCommerceSubscriptionChangeMetadataDescriptors {
  func check(_ path: String) throws(InvalidRequest) {
    guard displayName != nil || description != nil else {
      throw InvalidRequest(path + "displayName", .missing)
    }
    try AdvancedCommerceCheck.displayName(displayName, path)
    try AdvancedCommerceCheck.description(description, path)
    try RequestCheck.known(effective, path + "effective")
  }
}
