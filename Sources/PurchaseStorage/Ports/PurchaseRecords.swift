/// The records that all capabilities have in common, as one unit of work sees them.
///
/// A host's own store implements them, and those of the capabilities that it has; a ``UnitOfWork`` shows them.
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
