public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The signed information about a customer's acquisition of the app.
///
/// The form for servers lacks ``applicationVersion``, ``versionExternalIdentifier``,
/// ``deviceVerification`` and ``deviceVerificationNonce``. A decoded value alone proves nothing:
/// services take the verified form. Source: Apple, `AppTransaction`.
public struct AppTransaction: FieldModel {
  public var receiptType: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  public var bundleID: String?
  /// The version of the app on the device.
  public var applicationVersion: String?
  public var versionExternalIdentifier: Int?
  public var originalApplicationVersion: String?
  /// The date on which the customer first got the app.
  public var originalPurchaseDate: Date?
  public var originalPlatform: PurchasePlatform?
  public var preorderDate: Date?
  public var receiptCreationDate: Date?
  public var appTransactionID: String?
  /// The hash that binds this to one device; not checked here.
  ///
  /// It is SHA-384 in standard base64, over the nonce in lower case followed by the identifier of
  /// the device.
  public var deviceVerification: String?
  /// The nonce of ``deviceVerification``.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var deviceVerificationNonce: UUID?
  public var additionalMembers: [String: JSONValue] = [:]
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
