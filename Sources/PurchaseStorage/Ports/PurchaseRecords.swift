/// The records that all capabilities have in common, as one unit of work sees them.
///
/// They belong to the task and the thread of their unit of work. A function of a host's own that takes
/// them has to stay there, and declares so unless its module is compiled with
/// `NonisolatedNonsendingByDefault`:
///
/// ```swift
/// nonisolated(nonsending) func recordGift(in records: any PurchaseRecords) async throws { … }
/// ```
public protocol PurchaseRecords {
  /// Transactions, renewals, verifications and receipts.
  var purchases: any PurchaseRepository { get }
  /// Notifications, recorded once each, and those that could not be decoded.
  var notifications: any NotificationRepository { get }
  /// Messages to deliver.
  var outbox: any OutboxRepository { get }
  /// The places of jobs that can be resumed.
  var jobs: any JobRepository { get }
  /// The App Store's requests for consumption information.
  var consumption: any ConsumptionRepository { get }
  /// The removal of old evidence.
  var retention: any RetentionRepository { get }
}

extension PurchaseStore where Records: PurchaseRecords {
  /// This store, showing only the records that all capabilities have in common.
  public var forPurchases: any PurchaseStore<any PurchaseRecords> { narrowed { $0 } }
}
