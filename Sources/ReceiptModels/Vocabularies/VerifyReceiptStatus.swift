public import JSONValues

/// What Apple's verifyReceipt says of a receipt as a whole.
///
/// Valid does not mean entitled: the receipt of an expired subscription is valid.
///
/// Source: Apple, `status` of verifyReceipt; contract on signed data, section 5.2.
public struct VerifyReceiptStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The receipt is valid.
  public static let valid = VerifyReceiptStatus(rawValue: 0)
  /// The request was no POST; no longer sent.
  public static let notPost = VerifyReceiptStatus(rawValue: 21000)
  /// Without meaning; no longer sent.
  public static let noLongerSent = VerifyReceiptStatus(rawValue: 21001)
  /// The receipt is malformed, or Apple had temporary trouble; no proof of fraud.
  public static let malformedReceipt = VerifyReceiptStatus(rawValue: 21002)
  /// The receipt is forged or damaged.
  public static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
  /// The shared secret is wrong.
  public static let sharedSecretMismatch = VerifyReceiptStatus(rawValue: 21004)
  /// Apple's server cannot answer now.
  public static let serverUnavailable = VerifyReceiptStatus(rawValue: 21005)
  /// Valid, but the subscription has expired; only of iOS 6 receipts, and the answer is complete.
  public static let subscriptionExpired = VerifyReceiptStatus(rawValue: 21006)
  /// A receipt of the Sandbox was sent to Production.
  public static let sandboxReceipt = VerifyReceiptStatus(rawValue: 21007)
  /// A receipt of Production was sent to the Sandbox.
  public static let productionReceipt = VerifyReceiptStatus(rawValue: 21008)
  /// An error inside of Apple's server.
  public static let internalError = VerifyReceiptStatus(rawValue: 21009)
  /// The customer's account was not found, or deleted.
  public static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)

  /// The values that Apple documents one by one.
  public static let allCases: [VerifyReceiptStatus] = [
    valid, notPost, noLongerSent, malformedReceipt, notAuthenticated, sharedSecretMismatch,
    serverUnavailable, subscriptionExpired, sandboxReceipt, productionReceipt, internalError,
    accountNotFound,
  ]

  /// Whether this is one of 21100 to 21199, which Apple documents as errors of data access inside of
  /// its server; `is-retryable` tells whether to try again.
  public var isInternalDataAccess: Bool { (21100...21199).contains(rawValue) }
}

extension VerifyReceiptStatus: LenientScalar {
  /// A number, also as text; a Boolean and its word are none, or `false` would be valid.
  package init?(lenient json: JSONValue) {
    guard let value = Int(numeric: json) else { return nil }
    self.init(rawValue: value)
  }
}
