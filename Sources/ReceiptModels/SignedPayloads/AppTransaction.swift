public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What Apple signs about how a customer got the app itself.
///
/// The form that a server gets from Apple lacks ``applicationVersion``,
/// ``versionExternalIdentifier``, ``deviceVerification`` and ``deviceVerificationNonce``. A decoded
/// value alone proves nothing: services take the verified form.
///
/// Source: Apple, `AppTransaction`.
public struct AppTransaction: FieldModel {
  /// The environment that this is about.
  public var receiptType: AppStoreEnvironment?
  /// Apple's number of the app; Sandbox may lack it.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?
  /// The version of the app on the device.
  public var applicationVersion: String?
  /// Apple's number of that version.
  public var versionExternalIdentifier: Int?
  /// The version of the app that the customer got first.
  public var originalApplicationVersion: String?
  /// When the customer got the app first.
  public var originalPurchaseDate: Date?
  /// The platform on which the customer got the app first.
  public var originalPlatform: PurchasePlatform?
  /// When the customer ordered the app in advance.
  public var preorderDate: Date?
  /// When Apple signed this payload.
  ///
  /// It serves as the signed date, which this payload has no other member for.
  public var receiptCreationDate: Date?
  /// The identifier of the customer's acquisition of the app.
  public var appTransactionID: String?
  /// The binding to one device; not checked here.
  ///
  /// The standard base64 form of SHA-384 over the nonce in lower case, followed by the identifier
  /// of the device.
  public var deviceVerification: String?
  /// The nonce of ``deviceVerification``.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var deviceVerificationNonce: UUID?

  /// Members that this version does not know, and a nonce that is no UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty app transaction, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("receiptType", &receiptType)
    try coder("appAppleId", &appAppleID)
    try coder("bundleId", &bundleID)
    try coder("applicationVersion", &applicationVersion)
    try coder("versionExternalIdentifier", &versionExternalIdentifier)
    try coder("originalApplicationVersion", &originalApplicationVersion)
    try coder("originalPurchaseDate", &originalPurchaseDate)
    try coder("originalPlatform", &originalPlatform)
    try coder("preorderDate", &preorderDate)
    try coder("receiptCreationDate", &receiptCreationDate)
    try coder("appTransactionId", &appTransactionID)
    try coder("deviceVerification", &deviceVerification)
    try coder.lenient("deviceVerificationNonce", &deviceVerificationNonce)
  }
}
