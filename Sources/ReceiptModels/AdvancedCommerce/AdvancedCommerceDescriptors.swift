public import JSONValues

/// The name and the description of a subscription as customers see them.
///
/// In requests Apple allows 45 characters for the description and 30 for the name; reading and
/// writing check neither.
///
/// Source: Apple, `advancedCommerceDescriptors`.
public struct AdvancedCommerceDescriptors: FieldModel {
  /// The description.
  public var description: String = ""
  /// The name.
  public var displayName: String = ""

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Descriptors with both texts.
  public init(description: String, displayName: String) {
    self.description = description
    self.displayName = displayName
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("description", &description)
    try coder.required("displayName", &displayName)
  }
}
