import PurchaseStorage
import ReceiptModels
import SQLiteStorage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Repositories in SQLite")
struct RepositoryTests {
  @Test("every statement runs")
  func all() async throws {
    try await withStore { store, _ in
      try await store.save("1", "2")
      #expect(try await store.stored(["1", "2", "3"]) == ["1", "2"])
      let account = try Account(ftcID: "ann")
      try await store.write { records in
        var purchase = PurchaseRecord(
          transactionID: "1", originalTransactionID: "1", productID: "p")
        purchase.signedDate = now
        purchase.environment = .production
        try await records.evidence.record(
          transactions: [purchase], environment: .production, now: now)
        #expect(
          try await records.evidence.transactions(of: ["1"], environment: .production)
            == [purchase])
        #expect(
          try await records.evidence.transactions(of: ["1", "2"], environment: .production)
            == [purchase])
        var renewal = RenewalRecord(originalTransactionID: "1")
        renewal.productID = "p"
        renewal.isInBillingRetry = true
        for _ in 0..<2 {
          try await records.evidence.replace(
            renewals: [renewal], of: "1", environment: .production, asOf: now, now: now)
        }
        #expect(
          try await records.evidence.renewals(of: ["1"], environment: .production).count == 1)
        try await records.evidence.record(
          session: VerificationSession(
            environment: .production, originalTransactionID: "1", transactionID: "1",
            requestDate: now, responseStatus: 0), now: now)
        let receipt = StoredReceipt(
          originalTransactionID: "1", environment: .production, receipt: "AAAA", asOf: now)
        try await records.evidence.put(receipt, now: now)
        #expect(
          try await records.evidence.receipt(of: "1", environment: .production) == receipt)
        let notification = NotificationRecord(
          key: "k", environment: .production, notificationType: "DID_RENEW")
        #expect(try await records.evidence.record(notification: notification, now: now))
        #expect(try await !records.evidence.record(notification: notification, now: now))
        #expect(try await records.evidence.isSeen(notificationKey: "k"))

        let row = try await records.memberships.insert(
          membership("ann", unionID: "u", apple: "1"))
        #expect(
          try await records.memberships.find(account: account, appleSubscriptionIDs: []) == [row])
        #expect(
          try await records.memberships.find(account: nil, appleSubscriptionIDs: ["1", "2"]) == [
            row
          ])
        var changed = row
        changed.tier = .premium
        #expect(try await records.memberships.update(changed, previous: row) == changed)
        try await records.memberships.snapshot(row, reason: .link, now: now)
        try await records.memberships.recordDispute(
          originalTransactionID: "1", account: account, now: now)
        try await records.memberships.recordUnlink(
          originalTransactionID: "1", ftcID: "ann", now: now)
        #expect(try await records.memberships.history(of: .subscription("1"), limit: 9).count == 3)
        #expect(try await records.memberships.history(of: .account("ann"), limit: 9).count == 3)
        try await records.subscriptions.setOwner("ann", of: "1", now: now)
        let page = try await records.subscriptions.list(owner: "ann", offset: 0, limit: 9)
        #expect(page.total == 1)
        #expect(page.subscriptions.map(\.isInUse) == [true])
        try await records.memberships.delete(compoundID: "ann")

        let request = RefreshLeaseRequest(
          now: now, horizon: now + 60 * day, oldest: now - day, limit: 9, token: "t",
          until: now + 60)
        let leases = try await records.refreshes.lease(request)
        #expect(leases.map(\.originalTransactionID) == ["1", "2"])
        #expect(try await records.refreshes.lease(request).isEmpty)
        #expect(
          try await records.refreshes.finish(leases[0], failures: 1, nextTry: now + 60, error: "x"))
        #expect(
          try await !records.refreshes.finish(leases[0], failures: 1, nextTry: now + 60, error: "x")
        )
        try await records.refreshes.giveBack(leases[1])
        #expect(try await records.refreshes.lease(request).map(\.originalTransactionID) == ["2"])
        let run = try await records.refreshes.beginRun(now: now)
        try await records.refreshes.endRun(run, succeeded: 1, failed: 2, now: now)
        #expect(try await records.refreshes.runs(limit: 2).map(\.failed) == [2])

        let message = OutboxMessage(
          kind: .link, account: account, originalTransactionID: "1", tier: .standard,
          expireDate: nil, isAlreadyExpired: false)
        let one = try await records.outbox.add(message, now: now)
        let two = try await records.outbox.add(message, now: now)
        #expect(two > one)
        let mails = try await records.outbox.lease(limit: 5, now: now, until: now + 60, token: "t")
        #expect(mails.map(\.number) == [one, two])
        #expect(mails[0].message == message)
        #expect(try await records.outbox.markSent(mails[0], now: now))
        #expect(try await records.outbox.markFailed(mails[1], nextTry: now + 60))
        #expect(try await records.outbox.unsentCount() == 1)
      }
    }
  }
}
