public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What Apple said, kept under the moment at which it said so.
///
/// The monotonic guard: a row is overwritten only by data with the same or a later stamp.
///
/// Source: contract on linking, section 4.6.
public protocol EvidenceRepository {
  /// Records transactions (table `apple_transaction`), each under environment and transaction id; the
  /// stamp of each is its `signedDate`, and one without loses to any.
  func record(
    transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date
  ) async throws

  /// The stored transactions of these original ids, in no order.
  func transactions(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseRecord]

  /// Replaces all renewal entries of an original id (table `apple_pending_renewal`); of several of one
  /// product the last one counts.
  ///
  /// There is no guard here: the caller compares the stamp with that of the locked subscription.
  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) async throws

  /// The stored renewal entries of these original ids, in no order.
  func renewals(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [RenewalRecord]

  /// Records that a receipt was verified (table `apple_verification_session`); a row with the same key
  /// stays as it is.
  func record(session: VerificationSession, now: Date) async throws

  /// Keeps a receipt unless a later one is stored (table `apple_receipt`).
  func put(_ receipt: StoredReceipt, now: Date) async throws

  /// The stored receipt.
  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt?

  /// Records a notification (table `apple_webhook`).
  ///
  /// - Returns: False if one with the same key is stored; it stays as it is.
  func record(notification: NotificationRecord, now: Date) async throws -> Bool

  /// Whether a notification with this key is stored.
  func isSeen(notificationKey: String) async throws -> Bool
}
