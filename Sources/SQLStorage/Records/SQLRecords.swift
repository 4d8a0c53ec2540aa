public import PurchaseStorage
public import ReceiptModels

/// The records of one unit of work, on a connection inside the transaction of that unit.
///
/// Drivers create one for each unit of work and pass its ``unit`` to the closure of `PurchaseStore`. Failures of
/// the database are thrown as `StorageFailure`. Every text is checked by the `UnitOfWork`, before these records see
/// it.
public final class SQLRecords: PurchaseRecords, SubscriptionRecords, CreditRecords,
  EntitlementRecords, OrderRecords
{
  /// The access of a unit of work.
  public enum Access: Hashable, Sendable {
    /// Reads only.
    case reading
    /// Reads and writes: rows that are looked up are locked.
    case writing
  }

  /// The connection, for the driver's own statements.
  package let connection: any SQLConnection

  let session: SQLSession
  private let capabilities: Set<SQLCapability>

  /// Creates the records on a connection whose transaction the driver began.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - access: Whether the unit of work writes.
  ///   - capabilities: The capabilities that the database has (``SQLMigrator``).
  public init(
    _ connection: any SQLConnection, access: Access,
    capabilities: Set<SQLCapability> = SQLCapability.all
  ) {
    self.connection = connection
    self.capabilities = capabilities
    session = SQLSession(
      connection: connection, access: access, hasStamps: capabilities.contains(.subscriptions))
  }

  /// The unit of work that shows the records of the database's capabilities.
  public var unit: UnitOfWork {
    UnitOfWork(
      common: self, subscriptions: capabilities.contains(.subscriptions) ? self : nil,
      credits: capabilities.contains(.credits) ? self : nil,
      entitlements: capabilities.contains(.entitlements) ? self : nil,
      orders: capabilities.contains(.orders) ? self : nil)
  }

  /// Transactions, renewals, verifications and receipts.
  public var purchases: any PurchaseRepository { SQLPurchases(session: session) }
  public var notifications: any NotificationRepository { SQLNotifications(session: session) }
  /// Messages to deliver.
  public var outbox: any OutboxRepository { SQLOutbox(session: session) }
  /// The places of jobs that can be resumed.
  public var jobs: any JobRepository { SQLJobs(session: session) }
  /// The App Store's requests for consumption information.
  public var consumption: any ConsumptionRepository { SQLConsumption(session: session) }
  /// The removal of old evidence.
  public var retention: any RetentionRepository { SQLRetention(session: session) }
  /// Subscriptions and their owners.
  public var storedSubscriptions: any SubscriptionRepository {
    SQLSubscriptions(session: session)
  }
  /// Memberships and the history of their changes.
  public var memberships: any MembershipRepository { SQLMemberships(session: session) }
  /// The refresh job's leases and runs.
  public var refreshes: any RefreshRepository { SQLRefreshes(session: session) }
  /// The transactions of credit products.
  public var creditTransactions: any CreditTransactionRepository {
    SQLCreditTransactions(session: session)
  }
  /// The users' balances and ledgers.
  public var creditLedger: any CreditLedgerRepository { SQLCreditLedger(session: session) }
  /// The identities that bought a starter pack.
  public var starterClaims: any StarterClaimRepository { SQLStarterClaims(session: session) }
  /// The notifications that were considered for credits.
  public var creditNotifications: any CreditNotificationRepository {
    SQLCreditNotifications(session: session)
  }
  /// The rows of an audit.
  public var ledgerAudit: any LedgerAuditRepository { SQLLedgerAudit(session: session) }
  /// The users that own purchases.
  public var associations: any AssociationRepository {
    SQLAssociations(session: session)
  }
  /// The products that users acquired.
  public var acquisitions: any AcquisitionRepository {
    SQLAcquisitions(session: session)
  }
  /// The state of validations.
  public var validations: any ValidationRepository { SQLValidations(session: session) }
  /// The levels that are sold.
  public var levels: any LevelRepository { SQLLevels(session: session) }
  /// The subscription of each user.
  public var orderedSubscriptions: any OrderedSubscriptionRepository {
    SQLOrderedSubscriptions(session: session)
  }
  /// The users that purchases belong to.
  public var subscriptionClaims: any SubscriptionClaimRepository {
    SQLSubscriptionClaims(session: session)
  }
  /// The messages that Google pushed.
  public var pushedMessages: any PushedMessageRepository {
    SQLPushedMessages(session: session)
  }
}

// In one exchange with the server, where the driver can.
extension SQLRecords {
  /// Returns the subscriptions, then the memberships.
  public func find(
    _ originalTransactionIDs: [String], account: Account?
  ) async throws -> LinkRows {
    let memberships = SQLMemberships(session: session)
    let subscriptions = session.call(.findSubscriptions, ids: originalTransactionIDs)
    let calls = memberships.calls(account: account, appleSubscriptionIDs: originalTransactionIDs)
    let answers = try await session.query((subscriptions.map { [$0] } ?? []) + calls)
    return LinkRows(
      subscriptions: answers.dropLast(calls.count).joined().map(StoredSubscription.init(row:)),
      memberships: try await memberships.memberships(
        asked: calls, answers.suffix(calls.count)))
  }

  /// Returns the evidence, then the memberships.
  public func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String], purchases: any PurchaseRepository
  ) async throws -> EvidenceRows {
    let memberships = SQLMemberships(session: session)
    let calls = memberships.calls(account: nil, appleSubscriptionIDs: appleSubscriptionIDs)
    let evidence = [ListStatement.findTransactions.stamped, .findRenewals].compactMap {
      session.call($0, ids: originalTransactionIDs, before: [.environment(environment)])
    }
    let answers = try await session.query(evidence + calls)
    let found = answers.dropLast(calls.count)
    return EvidenceRows(
      transactions: found.first?.map(PurchaseRecord.init(row:)) ?? [],
      renewals: found.last?.map(RenewalRecord.init(row:)) ?? [],
      memberships: try await memberships.memberships(
        asked: calls, answers.suffix(calls.count)))
  }
}
