import Foundation
import LinkPolicy
import OrderPolicy
import PurchaseStorage
import ReceiptModels
import SQLStorage
import StorekeeperFixtures
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

/// 2020-11-14T08:00:00Z.
private let now = Date(timeIntervalSince1970: 1_605_340_800)

@Suite("Questions that a unit of work asks in advance", .enabled(if: TestDatabase.isThere))
struct QuestionTests {
  private static let key = PurchaseKey(originalTransactionID: "1001", environment: .production)
  private static let order = OrderedSubscription(
    userID: "ann", levelName: "Basic", purchaseKey: key, receiptData: "receipt",
    expiration: now, validatedDate: now)

  @Test("an answer shows what the unit of work itself has written since")
  func ownWrites() async throws {
    let store = try await migratedStore()
    try await store.write { unit in
      try await unit.prepare(for: [
        .orderedSubscription("ann"), .claims([Self.key]), .associations(["1001"], .production),
        .subscriptions(["1001"]), .recording([purchase(1)], .production),
        .originalTransactionIDs(ofTransactions: ["1"], .production),
      ])
      #expect(try await unit.subscriptionClaims.owners(of: [Self.key]) == [nil])
      #expect(try await unit.subscriptionClaims.claim(Self.key, for: "ann") == "ann")
      #expect(try await unit.subscriptionClaims.owners(of: [Self.key]) == ["ann"])
      #expect(try await unit.subscriptionClaims.claim(Self.key, for: "bob") == "ann")

      #expect(try await unit.orderedSubscriptions.find("ann") == nil)
      #expect(try await unit.orderedSubscriptions.add(Self.order))
      #expect(try await unit.orderedSubscriptions.find("ann") == Self.order)
      #expect(try await unit.orderedSubscriptions.add(Self.order) == false)

      try await unit.storedSubscriptions.save(subscription(), asOf: now, now: now)
      #expect(try await unit.storedSubscriptions.find(["1001"]).count == 1)
      try await unit.purchases.record(
        transactions: [purchase(1)], environment: .production, now: now)
      let ids = try await unit.purchases.originalTransactionIDs(
        ofTransactions: ["1"], environment: .production)
      #expect(ids == ["1001"])
      let stored = try await unit.purchases.transactions(of: ["1001"], environment: .production)
      #expect(stored.map(\.transactionID) == ["1"])
    }
    await store.close()
  }

  @Test(
    "after purchases and renewals were recorded, the unit of work reads what later ones read",
    arguments: [-1, 0, 1])
  func recorded(seconds: Int) async throws {
    let store = try await migratedStore()
    let (first, second) = (now, now + Double(seconds))
    try await record([1, 2], renewing: ["monthly", "weekly"], asOf: first, in: store)
    let seen = try await record([2, 3], renewing: ["monthly", "yearly"], asOf: second, in: store)
    let stored = try await store.read { try await Self.evidence(in: $0) }
    #expect(seen == stored)
    #expect(Set(stored.transactions.map(\.transactionID)) == ["1", "2", "3"])
    await store.close()
  }

  @Test(
    "a subscription tells that somebody told of its renewals, and whether these are in a billing retry",
    arguments: [[false], [true], [false, true], [true, false], [true, true]])
  func noted(retries: [Bool]) async throws {
    let store = try await migratedStore()
    for (seconds, isRetry) in retries.enumerated() {
      try await record(
        [1], renewing: ["monthly"], isRetry: isRetry, asOf: now + Double(seconds), in: store)
    }
    let rows = try await store.perform(.reading) {
      try await $0.run("SELECT in_billing_retry, renewal_told FROM apple_subscription")
    }
    #expect(rows == [[.integer(retries.last == true ? 1 : 0), .integer(1)]])
    await store.close()
  }

  @Test("a unit of work that inserts a subscription sees all that another one wrote with it before")
  func insertedMeanwhile() async throws {
    let store = try await migratedStore()
    let member = try membership()
    try await store.write { unit in
      try await unit.prepare(for: [
        .subscriptions(["1001"]), .memberships(account: nil, appleSubscriptionIDs: ["1001"]),
        .renewals(of: ["1001"], .production), .transactions(of: ["1001"], .production),
      ])
      // Nothing is there yet that could be locked, and another one is faster.
      try await record([1], renewing: ["monthly"], asOf: now, in: store)
      _ = try await store.write { try await $0.memberships.insert(member) }
      try await unit.prepare(for: [
        .subscriptionsInserting(["1001"], [subscription()], asOf: now, now: now),
        .memberships(account: nil, appleSubscriptionIDs: ["1001"]),
      ])
      let seen = try await Self.evidence(in: unit)
      #expect(seen.memberships.map(\.originalTransactionID) == ["1001"])
      #expect(seen.transactions.map(\.transactionID) == ["1"])
      #expect(seen.renewals.map(\.productID) == ["monthly"])
    }
    await store.close()
  }

  @Test("of two units of work that saw a purchase free one claims it, and the other is a duplicate")
  func claimedTwice() async throws {
    let store = try await migratedStore()
    let (one, other) = (Gate(), Gate())
    let claim = { @Sendable (user: AccountID, mine: Gate, its: Gate) in
      try await store.write { unit in
        try await unit.prepare(for: [.claims([Self.key])])
        mine.open()
        await its.wait()
        _ = try await unit.subscriptionClaims.claim(Self.key, for: user)
      }
    }
    async let first: Void = claim("ann", one, other)
    async let second: Void = claim("bob", other, one)
    var failures: [StorageFailure] = []
    do { try await first } catch let failure as StorageFailure { failures.append(failure) }
    do { try await second } catch let failure as StorageFailure { failures.append(failure) }
    #expect(failures == [.duplicate(.other)])
    await store.close()
  }

  private func migratedStore() async throws -> TestStore {
    let store = try await TestDatabase().store()
    try await store.migrate()
    return store
  }

  /// Records as a follower of memberships does, and returns what the unit of work reads then.
  @discardableResult
  private func record(
    _ numbers: [Int], renewing products: [String], isRetry: Bool = false, asOf: Date,
    in store: TestStore
  ) async throws -> EvidenceRows {
    let purchases = numbers.map { purchase($0, asOf: asOf) }
    let renewals = products.map { product in
      var renewal = RenewalRecord(originalTransactionID: "1001")
      (renewal.productID, renewal.signedDate) = (product, asOf)
      renewal.isInBillingRetry = isRetry
      return renewal
    }
    return try await store.write { unit in
      try await unit.prepare(for: [
        .originalTransactionIDs(ofTransactions: purchases.map(\.transactionID), .production),
        .subscriptionsInserting(["1001"], [subscription()], asOf: asOf, now: now),
        .recording(purchases, .production),
        .replacingRenewals(of: ["1001"], .production, asOf: asOf),
        .memberships(account: nil, appleSubscriptionIDs: ["1001"]),
      ])
      try await unit.purchases.record(transactions: purchases, environment: .production, now: now)
      try await unit.purchases.replace(
        renewals: renewals, of: "1001", environment: .production, asOf: asOf, now: now)
      return try await Self.evidence(in: unit)
    }
  }

  private static func evidence(in unit: UnitOfWork) async throws -> EvidenceRows {
    var rows = try await unit.findEvidence(
      of: ["1001"], environment: .production, membershipsOf: ["1001"])
    rows.transactions.sort { $0.transactionID < $1.transactionID }
    rows.renewals.sort { ($0.productID ?? "") < ($1.productID ?? "") }
    return rows
  }
}

private func purchase(_ number: Int, asOf: Date = now) -> PurchaseRecord {
  var record = PurchaseRecord(
    transactionID: "\(number)", originalTransactionID: "1001", productID: "monthly")
  record.environment = .production
  record.expiresDate = now + Double(number) * 86_400
  record.signedDate = asOf
  return record
}

private func subscription() -> Subscription {
  Subscription(
    environment: .production, originalTransactionID: "1001", lastTransactionID: "1",
    productID: "monthly", purchaseDate: now, expiresDate: now, tier: .standard, cycle: .month,
    autoRenewal: true)
}

private func membership() throws -> Membership {
  var row = Membership(account: try #require(Account(primaryID: "ann", secondID: nil)))
  (row.tier, row.cycle, row.payMethod) = (.standard, .month, .apple)
  (row.expireDate, row.originalTransactionID) = (CalendarDay("2020-12-14"), "1001")
  return row
}
