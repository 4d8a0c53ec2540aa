import Foundation
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import Testing

/// A database of an earlier version, with rows of all kinds, as `Tests/Databases` has it.
enum OldDatabase {
  static let first = "910000000000001"
  static let second = "910000000000002"
  static let third = "910000000000003"
  /// 2020-11-14T08:00:00Z, when the database was filled.
  static let date = Date(timeIntervalSince1970: 1_605_340_800)

  /// The statements of a dump, one after the other.
  static func statements(of name: String) throws -> [String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Databases/\(name)")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("--") }
    var statements: [String] = []
    var open = ""
    for line in lines {
      open += line + "\n"
      guard line.hasSuffix(";") else { continue }
      statements.append(String(open.dropLast(2)))
      open = ""
    }
    return statements
  }

  /// Checks that a store reads everything that the earlier version wrote.
  static func expectRows(in store: any PurchaseStore) async throws {
    try await store.read { records in
      try await expectEvidence(in: records)
      try await expectSubscriptions(in: records)
      try await expectMemberships(in: records)
    }
  }

  private static func expectEvidence(in records: UnitOfWork) async throws {
    let purchases = records.purchases
    let ofFirst = try await purchases.transactions(of: [first], environment: .production)
    #expect(Set(ofFirst.map(\.transactionID)) == ["920000000000001", "920000000000002"])
    // An answer a minute later repeated both.
    #expect(Set(ofFirst.map(\.signedDate)) == [date + 60])
    let trial = try #require(ofFirst.first { $0.isTrialPeriod == true })
    #expect(trial.purchaseDate == date - 86_399.5)
    #expect(trial.subscriptionGroupID == "20500001")
    #expect(trial.webOrderLineItemID == "930000000000001")
    var signed = PurchaseRecord(
      transactionID: "920000000000003", originalTransactionID: second,
      productID: "com.example.standard.month")
    signed.environment = .sandbox
    signed.quantity = 2
    signed.isUpgraded = true
    signed.purchaseDate = date - 86_399.5
    signed.originalPurchaseDate = date - 31 * 86_400
    signed.expiresDate = date - 3600
    signed.productType = ProductType(rawValue: "Auto-Renewable Subscription")
    signed.appAccountToken = UUID(uuidString: "6B1A0A3E-0000-4000-8000-000000000001")
    signed.ownership = InAppOwnershipType(rawValue: "PURCHASED")
    signed.offer = PurchaseOffer(type: .promotional, identifier: "winter")
    signed.signedDate = date
    #expect(try await purchases.transactions(of: [second], environment: .sandbox) == [signed])
    let refunded = try await purchases.transactions(of: [third], environment: .production).first
    #expect(refunded?.cancellationDate == date - 3600)
    #expect(refunded?.revocationReason?.rawValue == 1)
    #expect(refunded?.hasUnreadableOffer == true)
    #expect(refunded?.signedDate == nil)
    let renewals = try await purchases.renewals(of: [first, second], environment: .production)
    #expect(renewals.map(\.autoRenewProductID) == ["com.example.premium.month"])
    #expect(renewals.map(\.signedDate) == [date + 60])
    let retry = try await purchases.renewals(of: [second], environment: .sandbox).first
    #expect(retry?.isInBillingRetry == true)
    #expect(retry?.gracePeriodExpiresDate == date + 86_400)
    let receipt = try await purchases.receipt(of: first, environment: .production)
    #expect(receipt?.receipt == "aW52ZW50ZWQ=")
    #expect(receipt?.asOf == date + 60)
    let key = "v2:6b1a0a3e-0000-4000-8000-00000000000"
    #expect(try await records.notifications.isSeen(notificationKey: key + "2"))
    let kept = try await records.notifications.keptNotifications(after: nil, limit: 10)
    #expect(kept.map(\.key) == [key + "3", "v2:unknown"])
    #expect(kept.map(\.environment) == [.sandbox, nil])
    #expect(kept.map(\.signedPayload) == ["invented", "also invented"])
  }

  private static func expectSubscriptions(in records: UnitOfWork) async throws {
    let rows = try await records.storedSubscriptions.find([first, second, third])
    #expect(rows.map(\.subscription.originalTransactionID) == [first, second])
    #expect(rows.map(\.subscription.environment) == [.production, .sandbox])
    #expect(rows.map(\.subscription.expiresDate) == [date + 30 * 86_400, date - 3600])
    #expect(rows.map(\.subscription.createdDate) == [date, date])
    #expect(rows.map(\.subscription.isInUse) == [true, false])
    #expect(rows.map(\.asOf) == [date + 60, date])
    let list = try await records.storedSubscriptions.list(owner: "reader-1", offset: 0, limit: 10)
    #expect(list.subscriptions.map(\.originalTransactionID) == [first])
    let runs = try await records.refreshes.runs(limit: 10)
    #expect(
      runs == [
        RefreshRun(number: 1, succeeded: 0, failed: 1, startDate: date, endDate: date + 20)
      ])
    #expect(try await records.outbox.unsentCount() == 3)
  }

  private static func expectMemberships(in records: UnitOfWork) async throws {
    let account = Account(id: "reader-1", secondID: "union-9")
    let rows = try await records.memberships.find(account: account, appleSubscriptionIDs: [first])
    #expect(rows.map(\.accountID) == ["reader-1", "union-9"])
    #expect(rows.map(\.tier) == [.standard, .premium])
    #expect(rows.map(\.expireDate) == [CalendarDay("2020-12-14"), CalendarDay("2020-11-30")])
    #expect(rows.map(\.payMethod) == [.apple, .wechat])
    #expect(rows.first?.id == "mmb_910000000001")
    let other = try await records.memberships.find(
      account: Account(id: "reader-2"), appleSubscriptionIDs: []
    ).first
    #expect(other?.tier?.rawValue == "gold")
    #expect(other?.unreadableExpireDate == "31/12/2030")
    #expect(other?.details.subscriptionID == "sub_91")
    let history = try await records.memberships.history(of: .subscription(first), limit: 10)
    #expect(history.map(\.date) == [date, date + 1])
    let unlinks = try await records.memberships.history(of: .subscription(second), limit: 10)
    #expect(unlinks.map(\.kind) == [.unlink])
  }

  /// Checks that the store goes on from the stored state: guards, leases, unique keys and numbers.
  static func expectWork(in store: any PurchaseStore) async throws {
    try await store.write { records in
      var older = PurchaseRecord(
        transactionID: "920000000000002", originalTransactionID: first,
        productID: "com.example.premium.month")
      older.signedDate = date + 59
      try await records.purchases.record(
        transactions: [older], environment: .production, now: date + 100)
      try await records.purchases.put(
        StoredReceipt(
          originalTransactionID: first, environment: .production, receipt: "b2xkZXI=",
          asOf: date + 59), now: date + 100)
    }
    try await store.read { records in
      let found = try await records.purchases.transactions(of: [first], environment: .production)
      #expect(Set(found.map(\.productID)) == ["com.example.standard.month"])
      let receipt = try await records.purchases.receipt(of: first, environment: .production)
      #expect(receipt?.receipt == "aW52ZW50ZWQ=")
    }
    let messages = try await store.write { records in
      try await records.outbox.add(
        OutboxMessage(
          kind: .sync, account: Account(id: "reader-5"), originalTransactionID: first,
          tier: nil, expireDate: nil, isAlreadyExpired: false), now: date + 100)
      return try await records.outbox.lease(
        limit: 10, now: date + 100, until: date + 200, token: "worker-4")
    }
    // The first is sent, the second waits for its next try, the third is leased.
    #expect(messages.map(\.number) == [4, 5])
    #expect(messages.map(\.message.reference) == [nil, nil])
    #expect(messages.map(\.message.deadline) == [nil, nil])
    let due = try await store.write { records in
      try await records.refreshes.lease(
        RefreshLeaseRequest(
          now: date + 1800, horizon: date + 40 * 86_400, oldest: date - 60 * 86_400, limit: 10,
          token: "worker-4", until: date + 2400))
    }
    #expect(due.map(\.originalTransactionID) == [second, first])
    #expect(due.map(\.failures) == [2, 0])
    await #expect(throws: StorageFailure.duplicate(.originalTransactionID)) {
      try await store.write { records in
        var row = Membership(account: Account(id: "reader-6"))
        row.payMethod = .apple
        row.originalTransactionID = first
        _ = try await records.memberships.insert(row)
      }
    }
    let isLeased = try await store.write { records in
      try await records.retention.lease(
        .sessions, now: date + 299, until: date + 900, token: "worker-4")
    }
    #expect(!isLeased)
  }
}
