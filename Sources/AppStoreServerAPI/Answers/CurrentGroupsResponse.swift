public import JSONValues
public import ReceiptModels

/// The groups of a customer.
///
/// Membership grants nothing; transactions do. Nothing in it is signed.
///
/// Source: Apple, `CurrentGroupsResponse`.
public struct CurrentGroupsResponse: FieldModel {
  /// The groups; empty if the customer is in none.
  public var groups: [CustomerGroup]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("groups", &groups)
  }
}

/// A group of customers that purchases are assigned in.
///
/// Source: App Store Server API rules, section 2.4.
public struct CustomerGroup: FieldModel {
  public var groupID: String?
  public var groupType: CustomerGroupType?
  /// The roles of the customer, only in an organization.
  public var roles: [GroupRole]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("groupId", &groupID)
    try coder("groupType", &groupType)
    try coder("roles", &roles)
  }
}

/// The role of a customer for one product.
///
/// Source: App Store Server API rules, section 2.4.
public struct GroupRole: FieldModel {
  public var productID: String?
  public var role: CustomerRole?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("productId", &productID)
    try coder("role", &role)
  }
}
