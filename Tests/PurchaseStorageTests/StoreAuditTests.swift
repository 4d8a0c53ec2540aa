import Foundation
import InMemoryStorage
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import StorekeeperTesting
import Testing

private let now = Date(timeIntervalSince1970: 1_605_340_800)
private let id = "1000000000000001"
private let products = ProductMap(["month": Plan(tier: .standard, cycle: .month)])

/// The records of one linked subscription in a sound store, to be spoilt.
private struct Kept {
  var transaction: PurchaseRecord
  var subscription: Subscription
  var asOf = now
  var owner: AccountID? = "member"
  var memberships: [Membership]
  var hasReceipt = true
  var isSubscriptionStored = true

  init() throws {
    transaction = PurchaseRecord(transactionID: id, originalTransactionID: id, productID: "month")
    transaction.purchaseDate = now
    transaction.expiresDate = now.addingTimeInterval(30 * 86_400)
    transaction.signedDate = now
    subscription = Subscription(
      environment: .production, originalTransactionID: id, lastTransactionID: id,
      productID: "month", purchaseDate: now, expiresDate: now.addingTimeInterval(30 * 86_400),
      tier: .standard, cycle: .month, autoRenewal: true)
    var row = Membership(account: Account(id: "member"))
    row.tier = .standard
    row.cycle = .month
    row.expireDate = CalendarDay("2020-12-14")
    row.autoRenew = true
    row.payMethod = .apple
    row.originalTransactionID = id
    memberships = [row]
  }

  /// Returns the problems that the audit finds.
  func problems() async throws -> [StoreAudit.Problem] {
    let store = InMemoryPurchaseStore()
    let kept = self
    try await store.write { try await kept.write(to: $0) }
    let findings = try await StoreAudit(products: products).findings(in: store, about: [id])
    #expect(findings.allSatisfy { $0.originalTransactionID == id })
    return findings.map(\.problem)
  }

  private func write(to records: UnitOfWork) async throws {
    var renewal = RenewalRecord(originalTransactionID: id)
    renewal.productID = "month"
    renewal.willRenew = true
    let evidence = records.purchases
    try await evidence.record(transactions: [transaction], environment: .production, now: now)
    try await evidence.replace(
      renewals: [renewal], of: id, environment: .production, asOf: now, now: now)
    if hasReceipt {
      try await evidence.put(
        StoredReceipt(
          originalTransactionID: id, environment: .production, receipt: "QUJD", asOf: now),
        now: now)
    }
    if isSubscriptionStored {
      try await records.storedSubscriptions.save(subscription, asOf: asOf, now: now)
      try await records.storedSubscriptions.setOwner(owner, of: id, now: now)
    }
    for row in memberships { _ = try await records.memberships.insert(row) }
  }
}

/// Something that a store may have got wrong.
struct Spoilt: Sendable, CustomStringConvertible {
  let description: String
  let problems: [StoreAudit.Problem]
  fileprivate let spoil: @Sendable (inout Kept) -> Void

  fileprivate init(
    _ description: String, _ problems: [StoreAudit.Problem],
    _ spoil: @escaping @Sendable (inout Kept) -> Void
  ) {
    self.description = description
    self.problems = problems
    self.spoil = spoil
  }
}

@Suite("The audit of a store")
struct StoreAuditTests {
  @Test("finds exactly what does not agree", arguments: cases)
  func finds(_ spoilt: Spoilt) async throws {
    var kept = try Kept()
    spoilt.spoil(&kept)
    #expect(try await kept.problems() == spoilt.problems)
  }

  @Test("finds nothing about a subscription of which nothing is stored")
  func nothing() async throws {
    let audit = StoreAudit(products: products)
    #expect(try await audit.findings(in: InMemoryPurchaseStore(), about: ["404"]) == [])
  }

  @Test("finds a subscription that two memberships carry")
  func twice() async throws {
    let kept = try Kept()
    let base = InMemoryPurchaseStore()
    let store = WrappedStore(base) { unit in
      try BrokenRecords(unit) { $0.memberships = EveryoneCarries(base: $0.memberships) }.unit
    }
    var other = kept.memberships[0]
    other.primaryID = "other"
    other.originalTransactionID = nil
    let rows = [kept.memberships[0], other]
    try await base.write { records in
      for row in rows { _ = try await records.memberships.insert(row) }
    }
    let findings = try await StoreAudit(products: products).findings(in: store, about: [id])
    #expect(findings.map(\.problem) == [.severalMemberships, .membershipWithoutSubscription])
  }

  static let cases = [
    Spoilt("a sound store", []) { _ in },
    Spoilt("nobody owns it, and no membership carries it", []) {
      $0.owner = nil
      $0.memberships = []
    },
    Spoilt("an owner without membership", []) { $0.memberships = [] },
    Spoilt("an old row that has a membership but no owner", []) { $0.owner = nil },
    Spoilt("another pay method with a stale id", []) { $0.memberships[0].payMethod = .alipay },
    Spoilt("another owner", [.ownerDiffers]) { $0.owner = "other" },
    Spoilt("another day", [.membershipDiffers]) {
      $0.memberships[0].expireDate = CalendarDay("2020-12-15")
    },
    Spoilt("another tier", [.membershipDiffers]) { $0.memberships[0].tier = .premium },
    Spoilt("another cycle", [.membershipDiffers]) { $0.memberships[0].cycle = .year },
    Spoilt("another renewal", [.membershipDiffers]) { $0.memberships[0].autoRenew = false },
    Spoilt("no receipt", [.receiptMissing]) { $0.hasReceipt = false },
    Spoilt("no subscription", [.subscriptionMissing]) {
      $0.isSubscriptionStored = false
      $0.memberships = []
    },
    Spoilt(
      "a membership of no subscription", [.membershipWithoutSubscription, .subscriptionMissing]
    ) { $0.isSubscriptionStored = false },
    Spoilt("a subscription behind its transactions", [.stampIsOld]) {
      $0.asOf = now.addingTimeInterval(-1)
    },
    Spoilt("another expiry than the transactions say", [.derivationDiffers]) {
      $0.transaction.expiresDate = now.addingTimeInterval(30 * 86_400 + 60)
    },
    Spoilt("a cancellation that the subscription does not know", [.derivationDiffers]) {
      $0.transaction.cancellationDate = now
    },
  ]
}

/// Memberships that all seem to carry the subscription.
private struct EveryoneCarries: MembershipRepository {
  var base: any MembershipRepository

  func find(account: Account?, appleSubscriptionIDs: [String]) async throws -> [Membership] {
    var rows: [Membership] = []
    for name in ["member", "other"] {
      rows += try await base.find(
        account: Account(id: AccountID(stored: name)), appleSubscriptionIDs: [])
    }
    return rows.map { row in
      var row = row
      row.originalTransactionID = appleSubscriptionIDs.first
      return row
    }
  }

  func insert(_ membership: Membership) async throws -> Membership {
    try await base.insert(membership)
  }

  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    try await base.update(membership, previous: previous)
  }

  func delete(_ membership: Membership) async throws { try await base.delete(membership) }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    try await base.snapshot(membership, reason: reason, now: now)
  }

  func recordDispute(originalTransactionID: String, account: Account, now: Date) async throws {
    try await base.recordDispute(
      originalTransactionID: originalTransactionID, account: account, now: now)
  }

  func recordUnlink(originalTransactionID: String, accountID: AccountID, now: Date) async throws {
    try await base.recordUnlink(
      originalTransactionID: originalTransactionID, accountID: accountID, now: now)
  }

  func history(of query: MembershipHistoryQuery, limit: Int) async throws -> [MembershipEvent] {
    try await base.history(of: query, limit: limit)
  }

  func disputes(_ query: DisputeQuery, limit: Int) async throws -> [Dispute] {
    try await base.disputes(query, limit: limit)
  }

  func removeSnapshots(before: Date, limit: Int) async throws -> Int {
    try await base.removeSnapshots(before: before, limit: limit)
  }
}
