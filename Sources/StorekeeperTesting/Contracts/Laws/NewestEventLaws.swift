internal import CreditPolicy
internal import EntitlementPolicy
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

/// The laws of how far the rows reach that only the host knows.
enum NewestEventLaws {
  static let subscriptions: [StoreLaw] = [
    Law("The newest link is the newest message or copy about one; unlinks are apart") { store in
      try expect("no link", try await newest(store, .link), is: nil)
      var message = try Sample.message()
      message.kind = .link
      try await store.add(message, now: Sample.later(20))
      message.kind = .unlink
      try await store.add(message, now: Sample.later(90))
      try expect("the message", try await newest(store, .link), is: Sample.later(20))
      let row = try await store.insert(try Sample.appleMembership("member", of: "1001"))
      for (seconds, reason) in [(40.0, SnapshotReason.link), (30, .link), (80, .webhook)] {
        try await store.write { records in
          try await records.memberships.snapshot(row, reason: reason, now: Sample.later(seconds))
        }
      }
      try expect("the copy", try await newest(store, .link), is: Sample.later(40))
      try expect("no unlink", try await newest(store, .unlink), is: nil)
      for seconds in [60.0, 50] {
        try await store.write { records in
          try await records.memberships.recordUnlink(
            originalTransactionID: "1001", accountID: "member", now: Sample.later(seconds))
        }
      }
      try expect("the unlink", try await newest(store, .unlink), is: Sample.later(60))
    }
  ]

  static let credits: [StoreLaw] = [
    Law("The newest booking of the host's own is found among those of purchases") { store in
      try expect("none", try await newest(store, .booking), is: nil)
      for (event, environment, seconds) in [
        ("one", AppStoreEnvironment?.none, 10.0), ("two", nil, 20), ("three", .production, 30),
      ] {
        _ = try await store.write { records in
          try await records.creditLedger.book(
            LedgerBooking(
              userID: "member", environment: environment, eventID: event,
              changeType: .init(rawValue: "bonus"), subjectType: "test", subjectID: event,
              amount: 5), now: Sample.later(seconds))
        }
      }
      try expect("the second", try await newest(store, .booking), is: Sample.later(20))
    }
  ]

  static let entitlements: [StoreLaw] = [
    Law("The newest association has the latest date") { store in
      try expect("none", try await newest(store, .association), is: nil)
      for (id, seconds) in [("1001", 10.0), ("1002", 30), ("1003", 20)] {
        _ = try await store.write { records in
          try await records.associations.add([
            PurchaseAssociation(
              environment: .production, originalTransactionID: id, userID: "member",
              bundleID: "com.example.draw", associatedDate: Sample.later(seconds),
              evidence: .receipt)
          ])
        }
      }
      try expect("the second", try await newest(store, .association), is: Sample.later(30))
    }
  ]

  private static func newest(
    _ store: any PurchaseStore, _ event: HostEvent
  ) async throws -> Date? {
    try await store.read { try await $0.common.newestEvents()[event] }
  }
}
