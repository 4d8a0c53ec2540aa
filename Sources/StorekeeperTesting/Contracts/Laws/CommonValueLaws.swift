internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum CommonValueLaws {
  /// The laws of values, refused or stored whole.
  static let all: [StoreLaw] = [
    Law("A transaction with a text that cannot be stored is refused, with all beside it") {
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
    Law("A receipt under a bad id, empty or of more than 8 MiB is refused") { store in
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
    Law("A notification with a bad key or text is refused") { store in
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
    Law("A message with a reference that cannot be stored is refused") { store in
      for text in ["", "a\u{0}", String(repeating: "r", count: 256)] {
        let message = OutboxMessage(
          kind: .consumption, originalTransactionID: "1001", reference: text)
        try await expectRefused("the reference \(named(text))") {
          try await store.write { try await $0.outbox.add(message, now: Sample.now) }
        }
      }
      try expect("unsent messages", try await store.unsentCount(), is: 0)
    },
    Law("A message about a bad id is refused") { store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.outbox.add(try Sample.message(id), now: Sample.now)
          }
        }
      }
      try expect("unsent messages", try await store.unsentCount(), is: 0)
    },
    Law("A receipt of 8 MiB is stored whole") { store in
      let text = String(repeating: "QUJD", count: 2 << 20)
      try await store.write {
        try await $0.purchases.put(Sample.receipt(text), now: Sample.now)
      }
      let found = try await store.read {
        try await $0.purchases.receipt(of: "1000000000000001", environment: .production)
      }
      try expect("the whole receipt", found?.receipt == text)
    },
    Law("A worker's token of other than 1 to 64 visible letters is refused by the outbox") {
      store in
      for token in ["", "a b", "a\u{0}", "é", String(repeating: "t", count: 65)] {
        try await expectRefused("the token \(named(token))") {
          try await store.write {
            _ = try await $0.outbox.lease(
              limit: 1, now: Sample.now, until: Sample.later(1), token: token)
          }
        }
      }
    },
    Law("A query for texts that no row can have finds nothing or is refused") { store in
      for id in badTransactionIDs + badAccountIDs {
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
}
