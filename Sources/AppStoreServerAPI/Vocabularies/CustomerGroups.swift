internal import JSONValues
public import ReceiptModels

/// The type of a group of customers.
///
/// Source: App Store Server API rules, section 2.4.
public struct CustomerGroupType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let organization = CustomerGroupType(rawValue: "ORGANIZATION")
  public static let consumer = CustomerGroupType(rawValue: "CONSUMER")

  /// The values that Apple documents.
  public static let allCases: [CustomerGroupType] = [
    organization, consumer,
  ]
}

/// The role of a customer in an organization.
///
/// Source: App Store Server API rules, section 2.4.
public struct CustomerRole: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No role.
  public static let none = CustomerRole(rawValue: "NONE")
  /// An administrator.
  public static let admin = CustomerRole(rawValue: "ADMIN")

  /// The values that Apple documents.
  public static let allCases: [CustomerRole] = [
    none, admin,
  ]
}
