internal import CreditPolicy
internal import EntitlementPolicy
internal import OrderPolicy
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// All tables as one value, so that a copy is a snapshot.
struct MemoryTables: Sendable {
  // Common to all capabilities.
  var transactions = Table<RowKey, PurchaseRecord> {
    [IndexKey(.purchase, RowKey($0.environment, $0.originalTransactionID))]
  }
  var renewals = Table<RowKey, RenewalSet>()
  var sessions = Table<RowKey, Recorded<VerificationSession>>()
  var receipts = Table<RowKey, StoredReceipt>()
  var revisions = Table<RowKey, HistoryRevision>()
  var transfers = Table<Int, PurchaseTransfer> {
    [IndexKey(.purchase, RowKey($0.originalTransactionID))]
  }
  var notifications = Table<RowKey, Recorded<NotificationRecord>>()
  var keptNotifications = Table<RowKey, KeptNotification>()
  var consumption = Table<RowKey, ConsumptionCase> {
    [IndexKey(.purchase, RowKey($0.environment, $0.transactionID))]
  }
  var mails = Table<Int, Leased<Mail>> {
    let message = $0.value.message
    guard message.kind == .starterRefused else { return [] }
    let (reference, account) = (message.reference, message.account?.primaryID)
    return [IndexKey(.unique(.other), RowKey(reference ?? "", account?.rawValue ?? ""))]
  }
  /// Events without a position, in the order in which they were written.
  var newEvents = Table<Int, EventRecord> { [IndexKey(.event, RowKey($0.id))] }
  /// Events by position.
  var orderedEvents = Table<Int, OrderedEvent> { [IndexKey(.event, RowKey($0.event.id))] }
  var eventReaders = Table<RowKey, EventReader>()
  /// What support did by hand, by number.
  var acts = Table<Int, SupportAct> {
    [IndexKey(.event, RowKey($0.form)), IndexKey(.account, $0.account?.rawValue)]
      .compactMap(\.self)
  }
  /// What is counted of purchases and ledgers, by the keys of their sources.
  var moneySources: [String: String?] = [:]
  /// Differences that are not folded, the oldest first.
  var moneyChanges: [(MoneyFigure, Int)] = []
  var moneySums = MoneyCounts()
  /// The places of jobs, by name.
  var jobs = Table<RowKey, Leased<JobRow>>()
  /// The removals of old evidence, by kind.
  var removals = Table<RowKey, Leased<JobRow>>()

  // Of subscriptions.
  var subscriptions = Table<RowKey, StoredSubscription> {
    [IndexKey(.account, $0.subscription.owner?.rawValue)].compactMap(\.self)
  }
  var memberships = Table<RowKey, Membership>(by: \.indexKeys)
  var events = Table<Int, MembershipEvent>(by: \.indexKeys)
  /// The last errors of the refresh job, by original transaction id.
  var polls = Table<RowKey, Leased<String?>>()
  var runs = Table<Int, RefreshRun>()

  // Of credits.
  var creditTransactions = Table<Int, CreditTransaction> {
    [$0.purchase.indexKey, IndexKey(.account, $0.userID?.rawValue)].compactMap(\.self)
  }
  var entries = Table<Int, LedgerEntry> {
    [$0.booking.indexKey, IndexKey(.account, RowKey($0.booking.userID))]
  }
  /// By user.
  var balances = Table<RowKey, CreditAccount>()
  var starterClaims = Table<RowKey, StarterClaim>()
  var creditNotifications = Table<RowKey, CreditNotification>()

  // Of entitlements.
  var associations = Table<RowKey, PurchaseAssociation> { [IndexKey(.account, RowKey($0.userID))] }
  var conflicts = Table<Int, AssociationConflict> {
    [
      IndexKey(.purchase, RowKey($0.originalTransactionID)),
      IndexKey(.account, RowKey($0.claimant)),
    ]
  }
  /// By user and app.
  var acquired = Table<RowKey, Table<RowKey, AcquiredProduct>>()
  /// By user and app.
  var validations = Table<RowKey, Leased<StoredValidation>>()
  var unanswered = Table<RowKey, UnansweredPurchase>()

  // Of orders.
  var levels: [SubscriptionLevel] = []
  var orderedSubscriptions = Table<RowKey, OrderedSubscription>()
  /// The users of purchases.
  var subscriptionClaims: [PurchaseKey: AccountID] = [:]
  /// The dates of messages, by their identifiers.
  var pushedMessages = Table<RowKey, Date>()
}

extension MemoryTables {
  /// A message and its delivery.
  struct Mail: Sendable {
    var number: Int
    var message: OutboxMessage
    var createdDate: Date
    var sentDate: Date?
    var parking: (reason: ParkingReason, date: Date)?
  }
}
