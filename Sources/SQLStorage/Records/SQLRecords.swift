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
    case reading
    /// Reads and writes: rows that are looked up are locked.
    case writing
  }

  package let connection: any SQLConnection

  let session: SQLSession
  let capabilities: Set<SQLCapability>

  /// Creates the records on a connection whose transaction the driver began; the capabilities are those that
  /// ``SQLMigrator`` returned.
  public init(
    _ connection: any SQLConnection, access: Access,
    capabilities: Set<SQLCapability> = SQLCapability.all
  ) {
    self.connection = connection
    self.capabilities = capabilities
    session = SQLSession(
      connection: connection, access: access, hasStamps: capabilities.contains(.subscriptions))
  }

  public var unit: UnitOfWork {
    UnitOfWork(
      common: self, subscriptions: capabilities.contains(.subscriptions) ? self : nil,
      credits: capabilities.contains(.credits) ? self : nil,
      entitlements: capabilities.contains(.entitlements) ? self : nil,
      orders: capabilities.contains(.orders) ? self : nil)
  }

  public var purchases: any PurchaseRepository { SQLPurchases(session: session) }
  public var notifications: any NotificationRepository { SQLNotifications(session: session) }
  public var outbox: any OutboxRepository { SQLOutbox(session: session) }
  public var jobs: any JobRepository { SQLJobs(session: session) }
  public var consumption: any ConsumptionRepository { SQLConsumption(session: session) }
  public var retention: any RetentionRepository { SQLRetention(session: session) }
  public var events: (any EventRepository)? { SQLEvents(session: session) }
  public var acts: (any ActRepository)? { SQLActs(session: session) }
  public var money: (any MoneyRepository)? { SQLMoney(session: session) }
  public var erasure: (any ErasureRepository)? {
    SQLErasure(session: session, capabilities: capabilities)
  }
  public var storedSubscriptions: any SubscriptionRepository {
    SQLSubscriptions(session: session)
  }
  public var memberships: any MembershipRepository { SQLMemberships(session: session) }
  public var refreshes: any RefreshRepository { SQLRefreshes(session: session) }
  public var creditTransactions: any CreditTransactionRepository {
    SQLCreditTransactions(session: session)
  }
  public var creditLedger: any CreditLedgerRepository { SQLCreditLedger(session: session) }
  public var starterClaims: any StarterClaimRepository { SQLStarterClaims(session: session) }
  public var creditNotifications: any CreditNotificationRepository {
    SQLCreditNotifications(session: session)
  }
  public var ledgerAudit: any LedgerAuditRepository { SQLLedgerAudit(session: session) }
  public var associations: any AssociationRepository {
    SQLAssociations(session: session)
  }
  public var acquisitions: any AcquisitionRepository {
    SQLAcquisitions(session: session)
  }
  public var validations: any ValidationRepository { SQLValidations(session: session) }
  public var levels: any LevelRepository { SQLLevels(session: session) }
  public var orderedSubscriptions: any OrderedSubscriptionRepository {
    SQLOrderedSubscriptions(session: session)
  }
  public var subscriptionClaims: any SubscriptionClaimRepository {
    SQLSubscriptionClaims(session: session)
  }
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
