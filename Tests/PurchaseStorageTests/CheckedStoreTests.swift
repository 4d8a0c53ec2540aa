import EntitlementPolicy
import InMemoryStorage
import LinkPolicy
import OrderPolicy
import PurchaseStorage
import ReceiptModels
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The laws on texts that no row can have: no store sees one.
@Suite("In front of every store (CheckedStore)")
struct CheckedStoreTests {
  @Test(
    "a text that no row can have is refused with its field, before anything is written",
    arguments: Refusal.all)
  func refused(_ refusal: Refusal) async throws {
    try await InMemoryPurchaseStore().write { unit in
      let records = try WatchedRecords(unit)
      for text in refusal.texts {
        do {
          try await refusal.call(records.unit, text)
          Issue.record("\(text.debugDescription.prefix(60)) was taken")
        } catch {
          #expect(error as? StorageFailure == .invalidValue(field: refusal.field))
        }
      }
      #expect(!records.wereAsked)
    }
  }

  @Test("who asks for a text that no row can have finds nothing", arguments: Lookup.all)
  func nothing(_ lookup: Lookup) async throws {
    try await InMemoryPurchaseStore().write { unit in
      let records = try WatchedRecords(unit)
      for text in lookup.texts {
        let count = try await lookup.call(records.unit, text)
        #expect(count == 0, "\(text.debugDescription.prefix(60))")
      }
      #expect(!records.wereAsked)
    }
  }

  @Test("of several identifiers those that rows can have are looked up", arguments: Bad.ids)
  func several(id: String) async throws {
    let row = PurchaseAssociation(
      environment: .production, originalTransactionID: "1", userID: "ann", bundleID: "app",
      associatedDate: Self.date, evidence: .receipt)
    try await InMemoryPurchaseStore().write { unit in
      _ = try await unit.associations.add([row])
      #expect(try await unit.associations.find([id, "1", id], environment: .production) == [row])
      #expect(try await unit.associations.associations(of: "ann", in: ["\u{0}", "app"]) == [row])
      #expect(try await unit.storedSubscriptions.find([id]).isEmpty)
      #expect(try await unit.memberships.find(account: nil, appleSubscriptionIDs: [id]).isEmpty)
      #expect(
        try await unit.purchases.transactions(of: [id], environment: .production).isEmpty)
      #expect(try await unit.purchases.renewals(of: [id], environment: .production).isEmpty)
      #expect(try await unit.validations.unanswered([id], environment: .production).isEmpty)
      #expect(try await unit.find([id], account: nil).subscriptions.isEmpty)
    }
  }

  @Test("the acquired products of a user are those of the first app, also if no row can have it")
  func firstApp() async throws {
    try await InMemoryPurchaseStore().write { unit in
      let product = AcquiredProduct(
        productID: "font", acquiredDate: Self.date, viaProductID: "monthly")
      _ = try await unit.acquisitions.add([product], to: "ann", in: "app")
      #expect(try await unit.holdings(of: "ann", in: ["app", ""]).acquired == [product])
      #expect(try await unit.holdings(of: "ann", in: ["", "app"]).acquired.isEmpty)
    }
  }

  @Test("the owners of purchases come in the order of their keys, whatever is in these")
  func owners() async throws {
    try await InMemoryPurchaseStore().write { unit in
      let claims = try unit.subscriptionClaims
      _ = try await claims.claim(key("1"), for: "ann")
      _ = try await claims.claim(key("2"), for: "ben")
      #expect(
        try await claims.owners(of: ["", "2", "3", "1\u{0}", "1"].map { key($0) })
          == [nil, "ben", nil, nil, "ann"])
      #expect(try await claims.owners(of: ["1", "2"].map { key($0, at: "") }) == [nil, nil])
    }
  }

  @Test("empty texts of a membership are none, and texts that the row has already may stay")
  func oldTexts() async throws {
    try await InMemoryPurchaseStore().write { unit in
      var row = Membership(account: Account(id: "member"))
      row.originalTransactionID = ""
      row.details.planID = ""
      row.tier = Tier(rawValue: "")
      let stored = try await unit.memberships.insert(row)
      #expect(stored.originalTransactionID == nil)
      #expect(stored.details.planID == nil)
      #expect(stored.tier == nil)
      var old = stored
      old.tier = Tier(rawValue: Bad.text(2000))
      do {
        _ = try await unit.memberships.update(old, previous: stored)
        Issue.record("a word of 2,000 bytes was taken")
      } catch {
        #expect(error as? StorageFailure == .invalidValue(field: "tier"))
      }
      old.originalTransactionID = "an id of an earlier program"
      #expect(try await unit.memberships.update(old, previous: old).tier == old.tier)
    }
  }

  private static let date = Date(timeIntervalSince1970: 1_605_340_800)
}

/// A query for a text, and texts that no row can have.
struct Lookup: Sendable, CustomStringConvertible {
  let description: String
  let texts: [String]
  let call: @Sendable (UnitOfWork, String) async throws -> Int

  init(
    _ what: String, _ texts: [String],
    _ call: @escaping @Sendable (UnitOfWork, String) async throws -> Int
  ) {
    description = what
    self.texts = texts
    self.call = call
  }

  static let all = common + subscriptions + credits + entitlements + orders

  private static let date = Date(timeIntervalSince1970: 1_605_340_800)

  private static let common = [
    Lookup("receipts", Bad.ids + Bad.accounts) {
      try await $0.purchases.receipt(of: $1, environment: .production) == nil ? 0 : 1
    },
    Lookup("stamps of receipts", Bad.ids) {
      try await $0.purchases.receiptStamp(of: $1, environment: .production) == nil ? 0 : 1
    },
    Lookup("revisions", Bad.ids) {
      try await $0.purchases.removeRevision(of: $1, environment: .production, kind: .history)
      return try await $0.purchases.revision(of: $1, environment: .production, kind: .history)
        == nil ? 0 : 1
    },
    Lookup("transfers", Bad.ids) {
      try await $0.purchases.transfers(of: $1, environment: .production).count
    },
    Lookup("requests of a transaction", Bad.ids) {
      try await $0.consumption.cases(ofTransaction: $1, environment: .production).count
    },
    Lookup("requests that an outcome belongs to", Bad.ids) {
      try await $0.consumption.note(
        outcome: "REFUND", ofTransaction: $1, environment: .production, date: date) ? 1 : 0
    },
  ]

  private static let subscriptions = [
    Lookup("subscriptions to give an owner", Bad.ids) {
      try await $0.storedSubscriptions.setOwner("member", of: $1, now: date)
      return 0
    },
    Lookup("subscriptions of an owner", [""] + Bad.accounts) {
      try await $0.storedSubscriptions.list(owner: AccountID(stored: $1), offset: 0, limit: 9).total
    },
    Lookup("events of a subscription", Bad.ids) {
      try await $0.memberships.history(of: .subscription($1), limit: 9).count
    },
    Lookup("events of an account", Bad.accounts) {
      try await $0.memberships.history(of: .account(AccountID(stored: $1)), limit: 9).count
    },
    Lookup("disputes about a subscription", Bad.ids) {
      try await $0.memberships.disputes(DisputeQuery(of: .subscription($1)), limit: 9).count
    },
    Lookup("disputes of an account", Bad.accounts) {
      let subject = MembershipHistoryQuery.account(AccountID(stored: $1))
      return try await $0.memberships.disputes(DisputeQuery(of: subject), limit: 9).count
    },
  ]

  private static let credits = [
    Lookup("credit transactions", Bad.creditIDs) {
      try await $0.creditTransactions.find(transactionID: $1, environment: .production) == nil
        ? 0 : 1
    },
    Lookup("credit transactions of an environment", Bad.kinds) {
      try await $0.creditTransactions.find(
        transactionID: "1", environment: AppStoreEnvironment(rawValue: $1)) == nil ? 0 : 1
    },
    Lookup("credit transactions of a user", [""] + Bad.accounts) {
      try await $0.creditTransactions.transactions(
        of: AccountID(stored: $1), after: nil, limit: 9
      ).count
    },
    Lookup("entries", Bad.words) {
      try await $0.creditLedger.entry(eventID: $1, environment: nil) == nil ? 0 : 1
    },
    Lookup("entries of a user", [""] + Bad.accounts) {
      let user = AccountID(stored: $1)
      let entries = try await $0.creditLedger.entries(of: user, skipping: 0, limit: 9).count
      let count = try await $0.creditLedger.count(of: user)
      return try await entries + count + $0.creditLedger.balance(of: user)
    },
    Lookup("claims", Bad.upTo(1024)) {
      try await $0.starterClaims.find(identity: $1) == nil ? 0 : 1
    },
    Lookup("notifications about credits", Bad.words) {
      try await $0.creditNotifications.find(uuid: $1) == nil ? 0 : 1
    },
  ]

  private static let entitlements = [
    Lookup("associations of a user", Bad.users) {
      try await $0.associations.associations(of: AccountID(stored: $1), in: ["app"]).count
    },
    Lookup("associations to remove", Bad.ids) {
      try await $0.associations.remove(originalTransactionID: $1, of: "ann", bundleID: "app").count
    },
    Lookup("associations of a user to remove", Bad.users) {
      try await $0.associations.remove(
        originalTransactionID: "1", of: AccountID(stored: $1), bundleID: "app"
      ).count
    },
    Lookup("associations in an app to remove", Bad.words) {
      try await $0.associations.remove(originalTransactionID: "1", of: "ann", bundleID: $1).count
    },
    Lookup("claims to a purchase", Bad.ids) {
      try await $0.associations.conflicts(about: $1).count
    },
    Lookup("products of a user", Bad.users) {
      try await $0.acquisitions.products(of: AccountID(stored: $1), in: "app").count
    },
    Lookup("products in an app", Bad.words) {
      try await $0.acquisitions.products(of: "ann", in: $1).count
    },
    Lookup("states of a user", Bad.users) {
      try await $0.validations.find(AccountID(stored: $1), bundleID: "app") == nil ? 0 : 1
    },
    Lookup("states in an app", Bad.words) {
      try await $0.validations.find("ann", bundleID: $1) == nil ? 0 : 1
    },
    Lookup("leases of a token", Bad.tokens) {
      try await $0.validations.giveBack("ann", bundleID: "app", token: $1)
      try await $0.validations.postpone("ann", bundleID: "app", to: date, token: $1)
      return 0
    },
    Lookup("holdings of a user", Bad.users) {
      try await $0.holdings(of: AccountID(stored: $1), in: ["app"]).associations.count
    },
  ]

  private static let orders = [
    Lookup("orders of a user", Bad.users) {
      let user = AccountID(stored: $1)
      let isFound = try await $0.orderedSubscriptions.find(user) != nil
      return try await $0.orderedSubscriptions.remove(user) || isFound ? 1 : 0
    },
    Lookup("claims to remove", Bad.words) {
      try await $0.subscriptionClaims.remove(key($1))
      try await $0.subscriptionClaims.remove(key("1", at: $1))
      return 0
    },
    Lookup("pushed messages", Bad.words) { try await $0.pushedMessages.isRecorded($1) ? 1 : 0 },
  ]
}

/// Records behind a front of their own, which note whether anybody asked them.
private final class WatchedRecords: PurchaseRecords, SubscriptionRecords, CreditRecords,
  EntitlementRecords, OrderRecords
{
  private(set) var wereAsked = false
  private let common: any PurchaseRecords
  private let ofSubscriptions: any SubscriptionRecords
  private let ofCredits: any CreditRecords
  private let ofEntitlements: any EntitlementRecords
  private let ofOrders: any OrderRecords

  init(_ unit: UnitOfWork) throws {
    common = unit.common
    ofSubscriptions = try #require(unit.subscriptions)
    ofCredits = try #require(unit.credits)
    ofEntitlements = try #require(unit.entitlements)
    ofOrders = try #require(unit.orders)
  }

  var unit: UnitOfWork {
    UnitOfWork(
      common: self, subscriptions: self, credits: self, entitlements: self, orders: self)
  }

  private func asked<Repository>(_ repository: Repository) -> Repository {
    wereAsked = true
    return repository
  }

  func newestEvents() async throws -> [HostEvent: Date] { try await asked(common).newestEvents() }

  var purchases: any PurchaseRepository { asked(common.purchases) }
  var notifications: any NotificationRepository { asked(common.notifications) }
  var outbox: any OutboxRepository { asked(common.outbox) }
  var jobs: any JobRepository { asked(common.jobs) }
  var consumption: any ConsumptionRepository { asked(common.consumption) }
  var retention: any RetentionRepository { asked(common.retention) }
  var events: (any EventRepository)? { asked(common.events) }
  var erasure: (any ErasureRepository)? { asked(common.erasure) }
  var storedSubscriptions: any SubscriptionRepository { asked(ofSubscriptions.storedSubscriptions) }
  var memberships: any MembershipRepository { asked(ofSubscriptions.memberships) }
  var refreshes: any RefreshRepository { asked(ofSubscriptions.refreshes) }
  var creditTransactions: any CreditTransactionRepository { asked(ofCredits.creditTransactions) }
  var creditLedger: any CreditLedgerRepository { asked(ofCredits.creditLedger) }
  var starterClaims: any StarterClaimRepository { asked(ofCredits.starterClaims) }
  var creditNotifications: any CreditNotificationRepository { asked(ofCredits.creditNotifications) }
  var ledgerAudit: any LedgerAuditRepository { asked(ofCredits.ledgerAudit) }
  var associations: any AssociationRepository { asked(ofEntitlements.associations) }
  var acquisitions: any AcquisitionRepository { asked(ofEntitlements.acquisitions) }
  var validations: any ValidationRepository { asked(ofEntitlements.validations) }
  var levels: any LevelRepository { asked(ofOrders.levels) }
  var orderedSubscriptions: any OrderedSubscriptionRepository {
    asked(ofOrders.orderedSubscriptions)
  }
  var subscriptionClaims: any SubscriptionClaimRepository { asked(ofOrders.subscriptionClaims) }
  var pushedMessages: any PushedMessageRepository { asked(ofOrders.pushedMessages) }
}

/// The key of a purchase of a vendor.
private func key(_ identifier: String, at vendor: String = "apple") -> PurchaseKey {
  PurchaseKey(
    vendor: Vendor(rawValue: vendor), environment: .production, identifier: identifier)
}
