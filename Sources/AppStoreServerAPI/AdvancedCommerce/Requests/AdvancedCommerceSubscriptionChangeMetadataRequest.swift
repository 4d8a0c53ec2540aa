public import JSONValues
public import ReceiptModels

/// A request to change the texts, item identifiers or tax category of a subscription.
///
/// At least one of descriptors, items and tax category is required. Reading and writing check no
/// limits; ``validate()`` does.
///
/// Source: Apple, `SubscriptionChangeMetadataRequest`, Advanced Commerce API.
public struct AdvancedCommerceSubscriptionChangeMetadataRequest: CheckedRequest {
  /// The identification of the request.
  public var requestInfo = AdvancedCommerceRequestInfo()
  /// The new texts of the subscription.
  public var descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors?
  /// The changed items; not empty.
  public var items: [AdvancedCommerceSubscriptionChangeMetadataItem]?
  /// The new tax category.
  public var taxCode: String?
  /// The three-letter code of the storefront's country.
  public var storefront: String?

  /// Members that this version does not know.
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
}

extension AdvancedCommerceSubscriptionChangeMetadataRequest {
  /// Checks the documented limits, and that something changes.
  ///
  /// - Throws: ``InvalidRequest`` for the first limit that is exceeded.
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
