public import JSONValues

/// New texts for a subscription.
///
/// A text that is nil stays as it is.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyDescriptors`.
public struct AdvancedCommerceDescriptorsChange: FieldModel {
  /// The new description, at most 45 characters.
  public var description: String?
  /// The new name, at most 30 characters.
  public var displayName: String?
  /// When the change takes effect.
  public var effective = AdvancedCommerceEffective(rawValue: "")

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A change that has no text yet.
  public init(effective: AdvancedCommerceEffective) {
    self.effective = effective
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("description", &description)
    try coder("displayName", &displayName)
    try coder.required("effective", &effective)
  }
}
