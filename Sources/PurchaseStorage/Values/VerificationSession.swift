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
  public var appItemID: String?
  public var applicationVersion: String?
  public var bundleID: String?
  public var downloadID: String?
  /// The expiry of the receipt, for apps bought in volume.
  public var expirationDate: Date?
  /// The date of the app's purchase.
  public var originalPurchaseDate: Date?
  /// The version of the app that was bought.
  public var originalApplicationVersion: String?
  public var preorderDate: Date?
  public var receiptCreationDate: Date?
  public var receiptType: String?
  /// The date of the answer.
  public var requestDate: Date
  public var responseStatus: Int
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
