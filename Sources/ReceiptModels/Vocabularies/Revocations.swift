/// The reason for a revocation.
///
/// Source: Apple, `revocationReason`.
public struct RevocationReason: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A refund for a reason outside the app.
  public static let other = RevocationReason(rawValue: 0)
  /// A refund because of an issue in the app.
  public static let issueInApp = RevocationReason(rawValue: 1)

  /// The values that Apple documents.
  public static let allCases: [RevocationReason] = [
    other, issueInApp,
  ]
}

/// The extent of a revocation.
///
/// Source: Apple, `revocationType`.
public struct RevocationType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let refundFull = RevocationType(rawValue: "REFUND_FULL")
  /// A partial refund.
  public static let refundProrated = RevocationType(rawValue: "REFUND_PRORATED")
  /// The end of family sharing.
  public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")
  /// The end of an assignment by an organization or a group.
  public static let assignmentRevoke = RevocationType(rawValue: "ASSIGNMENT_REVOKE")

  /// The values that Apple documents.
  public static let allCases: [RevocationType] = [
    refundFull, refundProrated, familyRevoke, assignmentRevoke,
  ]
}
