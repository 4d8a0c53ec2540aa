public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The verification of a receipt, with the values of the receipt itself.
///
/// Source: `Documentation/rules/linking-rules.md`.
public struct VerificationSession: Hashable, Sendable {
  /// The environment of the server that answered.
  public var environment: AppStoreEnvironment
  /// The original id of the latest transaction.
  public var originalTransactionID: String
  /// The latest transaction.
  public var transactionID: String
  /// The App Store's number of the app.
  public var appItemID: String?
  /// The version of the app.
  public var applicationVersion: String?
  /// The bundle identifier of the app.
  public var bundleID: String?
  /// The App Store's number of the download.
  public var downloadID: String?
  /// The expiry of the receipt, for apps bought in volume.
  public var expirationDate: Date?
  /// The date of the app's purchase.
  public var originalPurchaseDate: Date?
  /// The version of the app that was bought.
  public var originalApplicationVersion: String?
  /// The date of the app's pre-order.
  public var preorderDate: Date?
  /// The date of the receipt's creation.
  public var receiptCreationDate: Date?
  /// The App Store's kind of receipt.
  public var receiptType: String?
  /// The date of the answer.
  public var requestDate: Date
  /// The status of the answer.
  public var responseStatus: Int
  /// The App Store's number of the version.
  public var versionExternalIdentifier: String?

  /// Creates a session with the fields of its key.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, transactionID: String,
    requestDate: Date, responseStatus: Int
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.transactionID = transactionID
    self.requestDate = requestDate
    self.responseStatus = responseStatus
  }
}
