#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The front of every store: the records of one capability, with the texts of each call checked before the store's
/// own records see them.
///
/// A ``UnitOfWork`` puts it in front of what a store hands over. So a store, a host's too, repeats none of the checks,
/// and none is used without them:
///
/// - A value with a text that no row can have is refused, `StorageFailure.invalidValue`, before any of the call is
///   written.
/// - Who asks for a text that no row can have finds nothing, and the store isn't asked for it. A few calls refuse it.
/// - Values arrive in the form in which they are stored: memberships without empty texts, bookings with metadata as
///   they will be read.
///
/// What needs no check passes. The fields and their shapes are the table of ``StoredText/Field``.
final class CheckedStore<Records> {
  let base: Records

  init(_ base: Records) { self.base = base }
}

extension CheckedStore: PurchaseRecords where Records == any PurchaseRecords {
  var purchases: any PurchaseRepository { self }
  var notifications: any NotificationRepository { self }
  var outbox: any OutboxRepository { self }
  var jobs: any JobRepository { self }
  var consumption: any ConsumptionRepository { self }
  var retention: any RetentionRepository { self }
  var events: (any EventRepository)? { base.events.map(CheckedEvents.init) }
  var acts: (any ActRepository)? { base.acts.map(CheckedActs.init) }
  var money: (any MoneyRepository)? { base.money.map(CheckedMoney.init) }
  var erasure: (any ErasureRepository)? { base.erasure.map(CheckedErasure.init) }

  func prepare(for questions: [UnitQuestion]) async throws {
    try await base.prepare(for: questions.compactMap(\.storable))
  }

  func newestEvents() async throws -> [HostEvent: Date] { try await base.newestEvents() }
}

extension CheckedStore: CreditRecords where Records == any CreditRecords {
  var creditTransactions: any CreditTransactionRepository { self }
  var creditLedger: any CreditLedgerRepository { self }
  var starterClaims: any StarterClaimRepository { self }
  var creditNotifications: any CreditNotificationRepository { self }
  var ledgerAudit: any LedgerAuditRepository { base.ledgerAudit }
}

extension CheckedStore: OrderRecords where Records == any OrderRecords {
  var levels: any LevelRepository { base.levels }
  var orderedSubscriptions: any OrderedSubscriptionRepository { self }
  var subscriptionClaims: any SubscriptionClaimRepository { self }
  var pushedMessages: any PushedMessageRepository { self }
}
