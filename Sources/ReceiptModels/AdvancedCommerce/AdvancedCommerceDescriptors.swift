public import JSONValues

/// The name and the description of a subscription that customers see.
///
/// Apple allows 45 characters for the description and 30 for the name in requests. Reading and
/// writing do not check this.
///
/// Source: Apple, `advancedCommerceDescriptors`.
public struct AdvancedCommerceDescriptors: FieldModel {
  public var description: String = ""
  public var displayName: String = ""
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates descriptors.
  public init(description: String, displayName: String) {
    self.description = description
    self.displayName = displayName
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("description", &description)
    try coder.required("displayName", &displayName)
  }
}

/// New texts for a subscription.
///
/// A text that is nil stays unchanged.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyDescriptors`.
public struct AdvancedCommerceDescriptorsChange: FieldModel {
  /// The new description, at most 45 characters.
  public var description: String?
  /// The new name, at most 30 characters.
  public var displayName: String?
  public var effective = AdvancedCommerceEffective(rawValue: "")
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a change without texts.
  public init(effective: AdvancedCommerceEffective) {
    self.effective = effective
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("description", &description)
    try coder("displayName", &displayName)
    try coder.required("effective", &effective)
  }
}
