package import JSONValues

/// The status of a receipt in an answer of verifyReceipt.
///
/// Valid does not mean entitled: the receipt of an expired subscription is valid.
///
/// Source: Apple, `status` of verifyReceipt; App Store rules, section 5.2.
public struct VerifyReceiptStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let valid = VerifyReceiptStatus(rawValue: 0)
  /// The request was not a POST; no longer sent.
  public static let notPost = VerifyReceiptStatus(rawValue: 21000)
  /// A status without meaning; no longer sent.
  public static let noLongerSent = VerifyReceiptStatus(rawValue: 21001)
  /// The receipt is malformed, or Apple had a transient failure; this is no proof of fraud.
  public static let malformedReceipt = VerifyReceiptStatus(rawValue: 21002)
  /// The receipt is forged or damaged.
  public static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
  /// The shared secret is wrong.
  public static let sharedSecretMismatch = VerifyReceiptStatus(rawValue: 21004)
  /// Apple's server cannot answer now.
  public static let serverUnavailable = VerifyReceiptStatus(rawValue: 21005)
  /// The receipt is valid, but the subscription has expired; only for iOS 6 receipts, with a
  /// complete answer.
  public static let subscriptionExpired = VerifyReceiptStatus(rawValue: 21006)
  /// A sandbox receipt was sent to Production.
  public static let sandboxReceipt = VerifyReceiptStatus(rawValue: 21007)
  /// A Production receipt was sent to the sandbox.
  public static let productionReceipt = VerifyReceiptStatus(rawValue: 21008)
  /// An internal error of Apple's server.
  public static let internalError = VerifyReceiptStatus(rawValue: 21009)
  /// The customer's account was not found, or was deleted.
  public static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)

  /// The values that Apple documents individually.
  public static let allCases: [VerifyReceiptStatus] = [
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
