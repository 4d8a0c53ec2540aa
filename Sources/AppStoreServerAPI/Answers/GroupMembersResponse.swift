public import JSONValues
public import ReceiptModels

/// A page of the members of a group.
///
/// Nothing in it is signed.
///
/// Source: Apple, `GroupMembersResponse`.
public struct GroupMembersResponse: FieldModel {
  public var members: [GroupMember]?
  public var hasMore: Bool?
  /// The place to continue at in the next call, only if there is more.
  public var paginationToken: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("members", &members)
    try coder("hasMore", &hasMore)
    try coder("paginationToken", &paginationToken)
  }
}

/// A member of a group.
///
/// Source: App Store Server API rules, section 2.4.
public struct GroupMember: FieldModel {
  public var appTransactionID: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("appTransactionId", &appTransactionID)
  }
}
