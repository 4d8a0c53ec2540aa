/// The reason for a revocation.
///
/// Source: Apple, `revocationReason`.
public struct RevocationReason: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A refund for a reason outside the app.
  public static let other = Self(rawValue: 0)
  public static let issueInApp = Self(rawValue: 1)

  public static let allCases: [Self] = [other, issueInApp]
}

/// The extent of a revocation.
///
/// Source: Apple, `revocationType`.
public struct RevocationType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let refundFull = Self(rawValue: "REFUND_FULL")
  /// A partial refund.
  public static let refundProrated = Self(rawValue: "REFUND_PRORATED")
  public static let familyRevoke = Self(rawValue: "FAMILY_REVOKE")
  /// The end of an assignment by an organization or a group.
  public static let assignmentRevoke = Self(rawValue: "ASSIGNMENT_REVOKE")

  public static let allCases: [Self] = [refundFull, refundProrated, familyRevoke, assignmentRevoke]
}
