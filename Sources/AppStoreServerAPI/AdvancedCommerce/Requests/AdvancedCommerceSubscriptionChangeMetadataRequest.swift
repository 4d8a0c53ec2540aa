public import JSONValues
public import ReceiptModels

/// A request to change the texts, item identifiers or tax category of a subscription.
///
/// At least one of descriptors, items and tax category is required. Reading and writing check no
/// limits; ``validate()`` does. Source: Apple, `SubscriptionChangeMetadataRequest`, Advanced
/// Commerce API.
public struct AdvancedCommerceSubscriptionChangeMetadataRequest: CheckedRequest {
  public var requestInfo = AdvancedCommerceRequestInfo()
  public var descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors?
  /// The changed items; not empty.
  public var items: [AdvancedCommerceSubscriptionChangeMetadataItem]?
  public var taxCode: String?
  /// The three-letter code of the storefront's country.
  public var storefront: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request without changes.
  public init(requestInfo: AdvancedCommerceRequestInfo) {
    self.requestInfo = requestInfo
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestInfo", &requestInfo)
    try coder("descriptors", &descriptors)
    try coder("items", &items)
    try coder("taxCode", &taxCode)
    try coder("storefront", &storefront)
  }

  /// Checks the documented limits, and that something changes.
  public func validate() throws(InvalidRequest) {
    guard descriptors != nil || items != nil || taxCode != nil else {
      throw InvalidRequest("descriptors", .missing)
    }
    try descriptors?.check("descriptors.")
    if let items {
      try AdvancedCommerceCheck.list(items, "items") { item, path throws(InvalidRequest) in
        try item.check(path)
      }
    }
    if let taxCode { try RequestCheck.notEmpty(taxCode, "taxCode") }
    try RequestCheck.country(storefront, "storefront")
  }
}

/// A change of an item of a subscription.
///
/// A text that is nil stays unchanged. Source: Apple, `SubscriptionChangeMetadataItem`, Advanced
/// Commerce API.
public struct AdvancedCommerceSubscriptionChangeMetadataItem: FieldModel {
  /// The server's identifier of the present item, at most 128 characters.
  public var currentSKU: String = ""
  /// The server's new identifier of the item, at most 128 characters.
  public var sku: String?
  /// The new name, at most 30 characters.
  public var displayName: String?
  /// The new description, at most 45 characters.
  public var description: String?
  public var effective = AdvancedCommerceEffective(rawValue: "")
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
/// A text that is nil stays unchanged. Source: Apple, `SubscriptionChangeMetadataDescriptors`,
/// Advanced Commerce API.
public struct AdvancedCommerceSubscriptionChangeMetadataDescriptors: FieldModel {
  /// The new name, at most 30 characters.
  public var displayName: String?
  /// The new description, at most 45 characters.
  public var description: String?
  public var effective = AdvancedCommerceEffective(rawValue: "")
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
