public import JSONValues
public import ReceiptModels

/// The groups of a customer.
///
/// Membership grants nothing; transactions do. Nothing in it is signed. Source: Apple,
/// `CurrentGroupsResponse`.
public struct CurrentGroupsResponse: FieldModel {
  /// The groups; empty if the customer is in none.
  public var groups: [CustomerGroup]?
  public var additionalMembers: [String: JSONValue] = [:]
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
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("productId", &productID)
    try coder("role", &role)
  }
}

/// A page of the members of a group.
///
/// Nothing in it is signed. Source: Apple, `GroupMembersResponse`.
public struct GroupMembersResponse: FieldModel {
  public var members: [GroupMember]?
  public var hasMore: Bool?
  /// The place to continue at in the next call, only if there is more.
  public var paginationToken: String?
  public var additionalMembers: [String: JSONValue] = [:]
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
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("appTransactionId", &appTransactionID)
  }
}

/// The type of a group of customers.
///
/// Source: App Store Server API rules, section 2.4.
public struct CustomerGroupType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let organization = Self(rawValue: "ORGANIZATION")
  public static let consumer = Self(rawValue: "CONSUMER")

  public static let allCases: [Self] = [organization, consumer]
}

/// The role of a customer in an organization.
///
/// Source: App Store Server API rules, section 2.4.
public struct CustomerRole: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let none = Self(rawValue: "NONE")
  public static let admin = Self(rawValue: "ADMIN")

  public static let allCases: [Self] = [none, admin]
}
