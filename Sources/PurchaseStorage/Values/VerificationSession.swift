public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// That a receipt was verified, and what it said of itself.
///
/// Source: contract on linking, section 4.6, `apple_verification_session`.
public struct VerificationSession: Hashable, Sendable {
  /// The environment of the server that answered.
  public var environment: AppStoreEnvironment
  /// The original id of the latest transaction.
  public var originalTransactionID: String
  /// The latest transaction.
  public var transactionID: String
  /// Apple's number of the app.
  public var appItemID: String?
  /// The version of the app.
  public var applicationVersion: String?
  /// The app.
  public var bundleID: String?
  /// Apple's number of the download.
  public var downloadID: String?
  /// When the receipt ends, for apps bought in volume.
  public var expirationDate: Date?
  /// When the app was bought.
  public var originalPurchaseDate: Date?
  /// The version of the app that was bought first.
  public var originalApplicationVersion: String?
  /// When the app was pre-ordered.
  public var preorderDate: Date?
  /// When the receipt was made.
  public var receiptCreationDate: Date?
  /// Apple's kind of receipt.
  public var receiptType: String?
  /// When Apple answered.
  public var requestDate: Date
  /// Apple's status.
  public var responseStatus: Int
  /// Apple's number of the version.
  public var versionExternalIdentifier: String?

  /// A session with what its key needs.
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
