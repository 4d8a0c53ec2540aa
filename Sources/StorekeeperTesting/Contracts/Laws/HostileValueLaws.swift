internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

/// Identifiers of transactions that no row has.
private let badTransactionIDs = [
  "", " ", "abc", "12a", "-1", "1.0", "1\u{0}", "\u{0}1", "１２", "../1", "1/2", "1'--",
  String(repeating: "1", count: 65), String(repeating: "1", count: 10_000),
]

/// Identifiers of accounts that no account has.
private let badAccountIDs = [
  "a b", "a\u{0}", "\u{0}", "é", "a\nb", "\u{7F}", String(repeating: "a", count: 129),
  String(repeating: "a", count: 10_000),
]

/// Texts that are stored nowhere.
private let badTexts = ["\u{0}", "a\u{0}b", String(repeating: "x", count: 10_000)]

extension StoreLaw {
  /// What is refused before anything is written.
  static let hostileValues: [StoreLaw] = [
    StoreLaw("A subscription with an id that is not 1 to 64 digits is refused") { store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.save(Sample.subscription(id))
        }
        let saved = changed(Sample.subscription()) { $0.lastTransactionID = id }
        try await expectRefused("the last id \(named(id))") { try await store.save(saved) }
      }
      try expect("no subscription", try await store.subscription() == nil)
    },
    StoreLaw("A subscription of an environment without a store is refused") { store in
      try await expectRefused("Xcode") {
        try await store.save(Sample.subscription(environment: .xcode))
      }
    },
    StoreLaw("An owner that no account can be is refused") { store in
      try await store.save(Sample.subscription())
      for id in badAccountIDs {
        try await expectRefused("the owner \(named(id))") {
          try await store.setOwner(AccountID(stored: id))
        }
      }
      try expect("the owner", try await store.subscription()?.subscription.owner, is: nil)
    },
    StoreLaw("A membership with a text that cannot be stored is refused") { store in
      let fields: [(set: (inout Membership, String) -> Void, texts: [String])] = [
        ({ $0.primaryID = AccountID(stored: $1) }, badAccountIDs),
        ({ $0.secondID = AccountID(stored: $1) }, badAccountIDs),
        ({ $0.originalTransactionID = $1 }, badTransactionIDs.filter { !$0.isEmpty }),
        ({ $0.details.subscriptionID = $1 }, badTexts), ({ $0.details.planID = $1 }, badTexts),
        ({ $0.details.hostPlanID = $1 }, badTexts), ({ $0.details.licenceID = $1 }, badTexts),
      ]
      for field in fields {
        for text in field.texts {
          let row = changed(try Sample.membership("member")) { field.set(&$0, text) }
          try await expectRefused("the text \(named(text))") { try await store.insert(row) }
        }
      }
      try expect("no membership", try await store.membership("member") == nil)
    },
    StoreLaw("A membership without account is refused") { store in
      for text in [nil, ""] {
        let row = changed(try Sample.membership("member")) {
          $0.primaryID = text.map(AccountID.init(stored:))
        }
        try await expectRefused("no account") { try await store.insert(row) }
      }
    },
    StoreLaw("A transaction with a text that cannot be stored is refused, with all beside it") {
      store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.purchases.record(
              transactions: [
                Sample.transaction(signed: Sample.now), Sample.transaction(id, signed: Sample.now),
              ], environment: .production, now: Sample.now)
          }
        }
      }
      let found = try await store.read {
        try await $0.purchases.transactions(of: ["1000000000000001"], environment: .production)
      }
      try expect("no transaction", found.isEmpty)
    },
    StoreLaw("A product without name, with a zero byte or of more than 255 bytes is refused") {
      store in
      for product in ["", "a\u{0}", String(repeating: "p", count: 256)] {
        let saved = changed(Sample.subscription()) { $0.productID = product }
        try await expectRefused("the product \(named(product))") { try await store.save(saved) }
      }
    },
    StoreLaw("A receipt under a bad id, empty or of more than 8 MiB is refused") { store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.purchases.put(Sample.receipt("QUJD", of: id), now: Sample.now)
          }
        }
      }
      for text in ["", "a\u{0}", String(repeating: "A", count: (8 << 20) + 1)] {
        try await expectRefused("a receipt of \(text.utf8.count) bytes") {
          try await store.write {
            try await $0.purchases.put(Sample.receipt(text), now: Sample.now)
          }
        }
      }
    },
    StoreLaw("A notification with a bad key or text is refused") { store in
      for key in ["", "a\u{0}", String(repeating: "k", count: 256)] {
        try await expectRefused("the key \(named(key))") {
          try await store.write {
            _ = try await $0.notifications.record(
              notification: Sample.notification(key), now: Sample.now)
          }
        }
      }
      for text in badTexts {
        let record = changed(Sample.notification("key")) { $0.subtype = text }
        try await expectRefused("the subtype \(named(text))") {
          try await store.write {
            _ = try await $0.notifications.record(notification: record, now: Sample.now)
          }
        }
      }
    },
    StoreLaw("A message about a bad id is refused") { store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.outbox.add(try Sample.message(id), now: Sample.now)
          }
        }
      }
      try expect("unsent messages", try await store.unsentCount(), is: 0)
    },
    StoreLaw("A dispute and an unlink about a bad id are refused") { store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.memberships.recordDispute(
              originalTransactionID: id, account: try Sample.account("member"), now: Sample.now)
          }
        }
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.memberships.recordUnlink(
              originalTransactionID: id, accountID: "member", now: Sample.now)
          }
        }
      }
    },
    StoreLaw(
      "A worker's token of more than 64 bytes or with others than visible letters is refused"
    ) {
      store in
      for token in ["", "a b", "a\u{0}", "é", String(repeating: "t", count: 65)] {
        try await expectRefused("the token \(named(token))") {
          try await store.write {
            _ = try await $0.refreshes.lease(Sample.leaseRequest(token))
          }
        }
        try await expectRefused("the token \(named(token))") {
          try await store.write {
            _ = try await $0.outbox.lease(
              limit: 1, now: Sample.now, until: Sample.later(1), token: token)
          }
        }
      }
    },
    StoreLaw("Looking for what no row can have finds nothing or is refused") { store in
      try await store.save(Sample.subscription())
      for id in badTransactionIDs + badAccountIDs {
        try await expectNothing("subscriptions") {
          try await store.read { try await $0.subscriptions.find([id]).count }
        }
        try await expectNothing("memberships") {
          try await store.memberships(nil, apple: [id]).count
        }
        try await expectNothing("the owner's list") {
          try await store.read {
            try await $0.subscriptions.list(owner: AccountID(stored: id), offset: 0, limit: 10)
              .total
          }
        }
        try await expectNothing("the receipt") {
          try await store.read {
            try await $0.purchases.receipt(of: id, environment: .production) == nil ? 0 : 1
          }
        }
        try await expectNothing("the notification") {
          try await store.read { try await $0.notifications.isSeen(notificationKey: id) ? 1 : 0 }
        }
      }
    },
  ]

  /// Throws unless the look-up finds nothing, or refuses what it is asked for.
  private static func expectNothing(
    _ what: String, _ count: nonisolated(nonsending) () async throws -> Int
  ) async throws {
    do {
      try expect("number of \(what)", try await count(), is: 0)
    } catch StorageFailure.invalidValue {
      return
    }
  }

  /// A short name for a long text.
  private static func named(_ text: String) -> String {
    text.utf8.count > 40 ? "of \(text.utf8.count) bytes" : text.debugDescription
  }
}
