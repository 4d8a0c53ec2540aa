internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum HistoryLaws {
  static let all: [StoreLaw] = [
    Law("A snapshot is a copy of the row as it was, and says what changed it") { store in
      let row = try await store.insert(
        changed(try Sample.appleMembership("member", of: "1001")) {
          $0.secondID = "union"
          $0.autoRenew = true
        })
      try await store.write { records in
        try await records.memberships.snapshot(row, reason: .unlink, now: Sample.later(1))
        try await records.memberships.delete(row)
      }
      for query in [MembershipHistoryQuery.account("member"), .subscription("1001")] {
        let events = try await store.history(of: query)
        try expect("the number of events", events.count, is: 1)
        guard case .snapshot(var copy, let reason)? = events.first?.kind else {
          throw ContractMismatch(expected: "a snapshot", found: "\(events)")
        }
        // The copy is found by its account; whether it knows the row's id is left to the store.
        copy.id = row.id
        try expect("the copy", copy, is: row)
        try expect("the reason", reason, is: .unlink)
        try expect("the account", events.first?.accountID, is: "member")
        try expect("the subscription", events.first?.originalTransactionID, is: "1001")
        try expect("the date", events.first?.date, is: Sample.later(1))
      }
    },
    Law("Disputes and unlinks are recorded, each as often as it happens") { store in
      for seconds in [1.0, 3] {
        try await store.write { records in
          try await records.memberships.recordDispute(
            originalTransactionID: "1001", account: try Sample.account("second"),
            now: Sample.later(seconds))
          try await records.memberships.recordUnlink(
            originalTransactionID: "1001", accountID: "first", now: Sample.later(seconds + 1))
        }
      }
      let dispute = { (seconds: Double) in
        MembershipEvent(
          kind: .dispute, originalTransactionID: "1001", accountID: "second",
          date: Sample.later(seconds))
      }
      let unlink = { (seconds: Double) in
        MembershipEvent(
          kind: .unlink, originalTransactionID: "1001", accountID: "first",
          date: Sample.later(seconds))
      }
      try expect(
        "the subscription's history", try await store.history(of: .subscription("1001")),
        is: [dispute(1), unlink(2), dispute(3), unlink(4)])
      try expect(
        "the second account's history", try await store.history(of: .account("second")),
        is: [dispute(1), dispute(3)])
      try expect(
        "the first account's history", try await store.history(of: .account("first")),
        is: [unlink(2), unlink(4)])
    },
    Law("Disputes are read page by page, of all or of one, from a date on") { store in
      let claims = [("1001", "first"), ("1002", "second"), ("1001", "second"), ("1003", "first")]
      for (index, claim) in claims.enumerated() {
        try await store.write { records in
          // A copy and an unlink between them are no disputes.
          try await records.memberships.recordUnlink(
            originalTransactionID: claim.0, accountID: "other", now: Sample.later(Double(index)))
          try await records.memberships.recordDispute(
            originalTransactionID: claim.0, account: try Sample.account(AccountID(stored: claim.1)),
            now: Sample.later(Double(index) + 0.5))
        }
      }
      func disputes(_ query: DisputeQuery, limit: Int = 10) async throws -> [Dispute] {
        try await store.read { try await $0.memberships.disputes(query, limit: limit) }
      }
      let all = try await disputes(DisputeQuery())
      try expect("the subscriptions", all.map(\.originalTransactionID), is: claims.map(\.0))
      try expect("the accounts", all.map(\.accountID.rawValue), is: claims.map(\.1))
      try expect(
        "the seconds", all.map { $0.date.timeIntervalSince(Sample.now) }, is: [0, 1, 2, 3])
      try expect("ascending numbers", all.map(\.number), is: all.map(\.number).sorted())
      try expect("different numbers", Set(all.map(\.number)).count, is: 4)
      let first = try await disputes(DisputeQuery(), limit: 2)
      try expect("the first page", first, is: Array(all.prefix(2)))
      try expect(
        "the second page", try await disputes(DisputeQuery(after: all[1].number), limit: 2),
        is: Array(all.suffix(2)))
      try expect(
        "nothing after the last", try await disputes(DisputeQuery(after: all[3].number)), is: [])
      try expect("no page", try await disputes(DisputeQuery(), limit: 0), is: [])
      try expect(
        "from a date", try await disputes(DisputeQuery(since: Sample.later(2.9))),
        is: Array(all.suffix(2)))
      try expect(
        "of a subscription", try await disputes(DisputeQuery(of: .subscription("1001"))),
        is: [all[0], all[2]])
      try expect(
        "of an account, after a number",
        try await disputes(DisputeQuery(of: .account("second"), after: all[1].number)),
        is: [all[2]])
      for subject in [MembershipHistoryQuery.account("nobody"), .subscription("not digits")] {
        try expect("of nobody", try await disputes(DisputeQuery(of: subject)), is: [])
      }
    },
    Law("A dispute of an account with a second identifier only is recorded under that") { store in
      try await store.write {
        try await $0.memberships.recordDispute(
          originalTransactionID: "1001", account: try Sample.account(nil, secondID: "union"),
          now: Sample.now)
      }
      try expect(
        "the account", try await store.history(of: .account("union")).map(\.accountID),
        is: ["union"])
    },
    Law("A history is the oldest first, over all kinds, and no longer than asked") { store in
      try await store.write { records in
        try await records.memberships.recordUnlink(
          originalTransactionID: "1001", accountID: "member", now: Sample.later(30))
        try await records.memberships.recordDispute(
          originalTransactionID: "1001", account: try Sample.account("member"),
          now: Sample.later(10))
        try await records.memberships.snapshot(
          try Sample.appleMembership("member", of: "1001"), reason: .link,
          now: Sample.later(20))
      }
      let seconds = try await store.history(of: .subscription("1001")).map {
        $0.date.timeIntervalSince(Sample.now)
      }
      try expect("the seconds", seconds, is: [10, 20, 30])
      let short = try await store.history(of: .account("member"), limit: 2).map {
        $0.date.timeIntervalSince(Sample.now)
      }
      try expect("the first two", short, is: [10, 20])
    },
    Law("The history of somebody else is empty") { store in
      try await store.write {
        try await $0.memberships.recordUnlink(
          originalTransactionID: "1001", accountID: "member", now: Sample.now)
      }
      try expect("no event", try await store.history(of: .account("other")), is: [])
      try expect("no event", try await store.history(of: .subscription("1002")), is: [])
    },
  ]
}
