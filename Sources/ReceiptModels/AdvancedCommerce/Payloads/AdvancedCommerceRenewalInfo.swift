public import JSONValues

/// What the Advanced Commerce API adds to a renewal info.
///
/// Source: Apple, `advancedCommerceRenewalInfo`.
public struct AdvancedCommerceRenewalInfo: FieldModel {
  /// The name and the description of the subscription.
  public var descriptors: AdvancedCommerceDescriptors?
  /// What will renew.
  public var items: [AdvancedCommerceRenewalItem]?
  /// The length of a subscription period.
  public var period: AdvancedCommercePeriod?
  /// The identifier that the server gave the request.
  public var requestReferenceID: String?
  /// Apple's token of this state, to be sent with the next request.
  public var consistencyToken: String?
  /// The tax category.
  public var taxCode: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("descriptors", &descriptors)
    try coder("items", &items)
    try coder("period", &period)
    try coder("requestReferenceId", &requestReferenceID)
    try coder("consistencyToken", &consistencyToken)
    try coder("taxCode", &taxCode)
  }
}
