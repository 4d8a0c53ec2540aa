public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Evidence of purchases, each record stamped with the moment as of which it is true.
///
/// The monotonic guard: a row is overwritten only by data with the same or a later stamp. Source:
/// `Documentation/rules/linking-rules.md`.
public protocol PurchaseRepository {
  /// Records transactions, each under environment and transaction id.
  ///
  /// The stamp of each is its `signedDate`; one without a stamp loses to any other.
  func record(
    transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date
  ) async throws

  /// Returns the stored transactions of these original ids, in no particular order.
  func transactions(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseRecord]

  /// Returns the original ids under which these transactions are stored, each once, in no particular
  /// order; transactions that are not stored are left out.
  func originalTransactionIDs(
    ofTransactions transactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [String]

  /// Returns the keys under which transactions are stored, each once, that come after the given one, in ascending
  /// order of original transaction id, then of environment, both compared as the bytes of a text.
  ///
  /// A walk over all purchases begins without a key, and continues with the last one until none comes; fewer than the
  /// limit may come before the end.
  func purchases(after cursor: ReceiptCursor?, limit: Int) async throws -> [ReceiptCursor]

  /// Replaces the renewal entries of an original id by all entries of an answer; of several entries of one
  /// product the last one counts.
  ///
  /// The guard applies to each entry: one that is stored with a later stamp stays, even if the answer
  /// does not contain it. The set has a stamp of its own, also when it is empty: an older set changes nothing, so
  /// that no entry comes back that a newer one left out.
  func replace(
    renewals: [RenewalRecord], of originalTransactionID: String,
    environment: AppStoreEnvironment, asOf: Date, now: Date
  ) async throws

  /// Records single renewal entries, each under original id, environment and product.
  ///
  /// The stamp of each is its `signedDate`; one without a stamp loses to any other, and one that is older
  /// than the newest set to that set. Entries of other products stay as they are.
  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) async throws

  /// Returns the stored renewal entries of these original ids, in no particular order.
  func renewals(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [RenewalRecord]

  /// Records the verification of a receipt; a row with the same key stays as it is.
  func record(session: VerificationSession, now: Date) async throws

  /// Keeps a receipt, unless a later one is stored.
  func put(_ receipt: StoredReceipt, now: Date) async throws

  /// Returns the stored receipt, or nil if there is none.
  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt?

  /// Returns the stamp of the stored receipt, or nil if there is none.
  ///
  /// It is asked before each read of a cache, and is read by the key alone, without the receipt.
  func receiptStamp(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> Date?

  /// Returns stored receipts whose keys come after the given one, in ascending order of original
  /// transaction id, then of environment, both compared as the bytes of a text.
  ///
  /// A walk over all receipts begins without a key, and continues with that of the last receipt until
  /// none comes.
  func receipts(after cursor: ReceiptCursor?, limit: Int) async throws -> [StoredReceipt]

  /// Returns the stored revision of a customer's history, or nil if there is none.
  func revision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws -> HistoryRevision?

  /// Keeps a revision, unless a later one is stored.
  func put(_ revision: HistoryRevision) async throws

  /// Removes the revision of a customer's history, if there is one, so that the history is asked from its
  /// beginning.
  func removeRevision(
    of originalTransactionID: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws

  /// Records that a purchase moved to another account.
  func record(_ transfer: PurchaseTransfer) async throws

  /// Returns the moves of a purchase in the order in which they were recorded.
  func transfers(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> [PurchaseTransfer]
}

/// The record that a customer's history was read, with the revision of its last page.
///
/// Asked with the revision, the App Store tells the next time only what is new or changed. Source: App Store Server API rules, section 2.1.
public struct HistoryRevision: Hashable, Sendable {
  /// A kind of history, each with revisions of its own.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The transactions of a customer, in ascending order.
    case history
    case refunds
  }

  /// The original transaction id under which the history is asked: 1 to 64 digits.
  public var originalTransactionID: String
  /// The environment of the purchase: Production or Sandbox.
  public var environment: AppStoreEnvironment
  public var kind: Kind
  /// The App Store's text, which has no meaning to others: 1 to 2,048 bytes; nil if it gave none, so that the next
  /// history is read from its start.
  public var revision: String?
  /// The date of the answer that contained it.
  public var asOf: Date

  /// Creates a revision to keep.
  public init(
    originalTransactionID: String, environment: AppStoreEnvironment, kind: Kind, revision: String?,
    asOf: Date
  ) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
    self.kind = kind
    self.revision = revision
    self.asOf = asOf
  }
}
