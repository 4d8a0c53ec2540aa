public import PurchaseStorage

/// The repositories of one unit of work, on a connection inside the transaction of that unit.
///
/// Drivers make one for each unit of work and give it to the closure of `PurchaseStore`. Every failure
/// of the database comes out of it as a `StorageFailure`; every text is checked before the connection
/// sees it.
public struct SQLRecords: SubscriptionRecords {
  /// What a unit of work may do.
  public enum Access: Hashable, Sendable {
    /// Only read.
    case reading
    /// Read and write: rows that are looked up are locked.
    case writing
  }

  let session: SQLSession

  /// What the repositories use, for what a driver does beside them.
  package var connection: any SQLConnection { session.connection }

  /// The repositories on a connection whose transaction the driver began.
  public init(_ connection: any SQLConnection, access: Access) {
    session = SQLSession(connection: connection, access: access)
  }

  /// Transactions, renewals, verifications and receipts.
  public var purchases: any PurchaseRepository { SQLPurchases(session: session) }
  /// Notifications.
  public var notifications: any NotificationRepository { SQLNotifications(session: session) }
  /// Messages to deliver.
  public var outbox: any OutboxRepository { SQLOutbox(session: session) }
  /// The removal of old evidence.
  public var retention: any RetentionRepository { SQLRetention(session: session) }
  /// Subscriptions and their owners.
  public var subscriptions: any SubscriptionRepository { SQLSubscriptions(session: session) }
  /// Memberships and all that is recorded about their changes.
  public var memberships: any MembershipRepository { SQLMemberships(session: session) }
  /// The refresh job's leases and runs.
  public var refreshes: any RefreshRepository { SQLRefreshes(session: session) }
}
