public import ReceiptModels

/// Where everything is kept: units of work that happen whole or not at all.
///
/// Laws for implementations; `PurchaseStoreContract` of StorekeeperTesting checks them:
/// - A unit of work sees nothing of others that have not ended, and sees all of those that have.
/// - When the closure of ``write(_:)`` returns, all that it wrote is kept, durably as far as the store
///   is durable, before `write` returns. When it throws, nothing of it is kept, and `write` throws the
///   same error.
/// - Two units of work that conflict run one after the other, or one of them is run again from the
///   start by the store (at most three times, then ``StorageFailure/conflict``). So a closure may run
///   more than once, and has no effect but through the records.
/// - ``StorageFailure/duplicate(_:)`` is thrown at once: whether to run again with fresh reads is the
///   caller's decision.
/// - The records are used only inside the closure, by one task at a time.
/// - A closure begins no other unit of work on the same store, neither to read nor to write: it may wait
///   for itself, and would see another state.
public protocol PurchaseStore: Sendable {
  /// Reads a consistent state.
  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result

  /// Reads and writes, all or nothing.
  func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result

  /// Tries whether something that is written would be kept, as on a disk that has room; nothing is left
  /// of it.
  ///
  /// For a server that is asked whether it is ready. By itself this begins and ends a unit of work that
  /// writes nothing.
  func tryWriting() async throws
}

extension PurchaseStore {
  /// Begins and ends a unit of work that writes nothing.
  public func tryWriting() async throws { try await write { _ in } }
}

/// The repositories, as one unit of work sees them.
///
/// They belong to the task and the thread of their unit of work. A function of a host's own that takes
/// them has to stay there, which its declaration says, unless the module is compiled with
/// `NonisolatedNonsendingByDefault`:
///
/// ```swift
/// nonisolated(nonsending) func recordGift(in records: any PurchaseRecords) async throws { … }
/// ```
public protocol PurchaseRecords {
  /// Subscriptions and their owners.
  var subscriptions: any SubscriptionRepository { get }
  /// What Apple says of transactions, renewals, receipts and notifications.
  var evidence: any EvidenceRepository { get }
  /// Memberships and all that is recorded about their changes.
  var memberships: any MembershipRepository { get }
  /// The refresh job's leases and runs.
  var refreshes: any RefreshRepository { get }
  /// What is to be told.
  var outbox: any OutboxRepository { get }
  /// What is removed when it is old.
  var retention: any RetentionRepository { get }

  /// The rows of these subscriptions, then the memberships of an account or of one of them: found, and
  /// locked, as ``subscriptions`` and ``memberships`` do it.
  ///
  /// A store may ask for both in one exchange with its server; by itself this asks one after the other.
  func find(_ originalTransactionIDs: [String], account: Account?) async throws -> LinkRows

  /// What is stored of these subscriptions, then the memberships that carry one of
  /// `appleSubscriptionIDs`: found, and locked, as ``evidence`` and ``memberships`` do it.
  ///
  /// As with ``find(_:account:)``.
  func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String]
  ) async throws -> EvidenceRows
}
