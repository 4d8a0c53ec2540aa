package import JSONValues

/// The status of a receipt in an answer of verifyReceipt.
///
/// Valid does not mean entitled: the receipt of an expired subscription is valid. Source: Apple,
/// `status` of verifyReceipt; App Store rules, section 5.2.
public struct VerifyReceiptStatus: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let valid = Self(rawValue: 0)
  /// The request was not a POST; no longer sent.
  public static let notPost = Self(rawValue: 21000)
  /// A status without meaning; no longer sent.
  public static let noLongerSent = Self(rawValue: 21001)
  /// The receipt is malformed, or Apple had a transient failure; this is no proof of fraud.
  public static let malformedReceipt = Self(rawValue: 21002)
  /// The receipt is forged or damaged.
  public static let notAuthenticated = Self(rawValue: 21003)
  public static let sharedSecretMismatch = Self(rawValue: 21004)
  public static let serverUnavailable = Self(rawValue: 21005)
  /// The receipt is valid, but the subscription has expired; only for iOS 6 receipts, with a
  /// complete answer.
  public static let subscriptionExpired = Self(rawValue: 21006)
  public static let sandboxReceipt = Self(rawValue: 21007)
  public static let productionReceipt = Self(rawValue: 21008)
  public static let internalError = Self(rawValue: 21009)
  /// The customer's account was not found, or was deleted.
  public static let accountNotFound = Self(rawValue: 21010)

  public static let allCases: [Self] = [
    valid, notPost, noLongerSent, malformedReceipt, notAuthenticated, sharedSecretMismatch,
    serverUnavailable, subscriptionExpired, sandboxReceipt, productionReceipt, internalError,
    accountNotFound,
  ]

  /// Whether this is one of 21100 to 21199, which Apple documents as internal data access errors.
  ///
  /// `is-retryable` says whether to try again.
  public var isInternalDataAccess: Bool { (21100...21199).contains(rawValue) }
}

extension VerifyReceiptStatus: LenientScalar {
  /// Creates a status from a number or its text.
  ///
  /// Returns nil for a Boolean and its word, because `false` would be valid.
  package init?(lenient json: JSONValue) {
    guard let value = Int(numeric: json) else { return nil }
    self.init(rawValue: value)
  }
}
