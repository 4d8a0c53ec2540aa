public import JSONValues

/// How the customer came to own a purchase.
///
/// Source: Apple, `inAppOwnershipType`.
public struct InAppOwnershipType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Bought by this customer.
  public static let purchased = InAppOwnershipType(rawValue: "PURCHASED")
  /// Shared by a family member who bought it.
  public static let familyShared = InAppOwnershipType(rawValue: "FAMILY_SHARED")

  /// The values that Apple documents.
  public static let allCases: [InAppOwnershipType] = [
    purchased, familyShared,
  ]
}
