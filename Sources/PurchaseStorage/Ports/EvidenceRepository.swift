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

  /// The original ids under which these transactions are stored, each once, in no order; of those that
  /// are not stored there is none.
  func originalTransactionIDs(
    ofTransactions transactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [String]

  /// Replaces the renewal entries of an original id (table `apple_pending_renewal`) by all of an
  /// answer; of several of one product the last one counts.
  ///
  /// The guard is that of each entry: one that is stored with a later stamp stays, also where the
  /// answer does not have it.
  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) async throws

  /// Records single renewal entries, each under original id, environment and product; the stamp of each
  /// is its `signedDate`, and one without loses to any. Entries of other products stay as they are.
  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
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

  /// Keeps a notification that was not decoded (table `apple_undecoded`); one with the same key stays as
  /// it is.
  func keep(_ notification: KeptNotification) async throws

  /// The kept notifications whose keys come after one, in ascending order of the bytes of the key.
  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification]

  /// Removes a kept notification, if it is there.
  func removeKeptNotification(key: String) async throws

  /// Whether a notification with this key is stored.
  func isSeen(notificationKey: String) async throws -> Bool
}
