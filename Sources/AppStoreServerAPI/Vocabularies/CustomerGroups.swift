internal import JSONValues
public import ReceiptModels

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
