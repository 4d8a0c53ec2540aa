internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum EvidenceLaws {
  /// The laws of evidence and of the monotonic guard.
  static let all: [StoreLaw] = [
    Law("A transaction is read as it was recorded") { store in
      var record = Sample.transaction(signed: Sample.later(0.001))
      record.quantity = 2
      record.planID = "BILLED_UPFRONT"
      record.subscriptionGroupID = "20500001"
      record.webOrderLineItemID = "1000000041111111"
      record.purchaseDate = Sample.later(0.123)
      record.isTrialPeriod = true
      record.isInIntroOfferPeriod = false
      record.isUpgraded = true
      record.cancellationDate = Sample.later(7.5)
      record.revocationReason = RevocationReason(rawValue: 1)
      record.offer = PurchaseOffer(type: .promotional, identifier: "winter")
      record.commitment = PurchaseCommitment(
        paymentsLeft: 11, payments: 12, expiresDate: Sample.later(0.789), price: 59_880)
      try await store.put(record)
      try expect("the transactions", try await store.transactions(), is: [record])
      record.commitment = PurchaseCommitment(paymentsLeft: 0)
      try await store.put(record)
      try expect("the transactions", try await store.transactions(), is: [record])
    },
    Law("An older transaction never replaces a newer one") { store in
      try await store.put(Sample.transaction(signed: Sample.later(60), expires: Sample.days(60)))
      try await store.put(Sample.transaction(signed: Sample.later(59.999)))
      try expect("the expiry", try await expiries(store), is: [Sample.days(60)])
    },
    Law("A newer transaction replaces an older one, also when it expires earlier") { store in
      try await store.put(Sample.transaction(signed: Sample.now, expires: Sample.days(60)))
      try await store.put(Sample.transaction(signed: Sample.later(0.001), expires: Sample.days(3)))
      try expect("the expiry", try await expiries(store), is: [Sample.days(3)])
    },
    Law("A transaction of the same moment replaces the stored one") { store in
      try await store.put(Sample.transaction(signed: Sample.now, expires: Sample.days(60)))
      try await store.put(Sample.transaction(signed: Sample.now, expires: Sample.days(3)))
      try expect("the expiry", try await expiries(store), is: [Sample.days(3)])
    },
    Law("A transaction without a moment is recorded, but loses to any and replaces none") {
      store in
      try await store.put(Sample.transaction(signed: nil, expires: Sample.days(1)))
      try expect("the expiry", try await expiries(store), is: [Sample.days(1)])
      try await store.put(Sample.transaction(signed: Sample.days(-900), expires: Sample.days(2)))
      try expect("the expiry", try await expiries(store), is: [Sample.days(2)])
      try await store.put(Sample.transaction(signed: nil, expires: Sample.days(3)))
      try expect("the expiry", try await expiries(store), is: [Sample.days(2)])
    },
    Law("Of transactions that come together each is guarded for itself") { store in
      let first = Sample.transaction("21", signed: Sample.later(60), expires: Sample.days(60))
      try await store.put(first)
      try await store.put(
        Sample.transaction("21", signed: Sample.now, expires: Sample.days(1)),
        Sample.transaction("22", signed: Sample.now, expires: Sample.days(2)))
      try expect("the expiries", try await expiries(store), is: [Sample.days(2), Sample.days(60)])
    },
    Law("A later cancellation is recorded, and so is its reversal") { store in
      var record = Sample.transaction(signed: Sample.now)
      for (seconds, cancellation) in [(0.0, nil), (1, Sample.later(1)), (2, nil)] {
        record.signedDate = Sample.later(seconds)
        record.cancellationDate = cancellation
        try await store.put(record)
        try expect(
          "the cancellation", try await store.transactions().map(\.cancellationDate),
          is: [cancellation])
      }
    },
    Law("Purchases of Google Play stand beside Apple's, under identifiers of their own") { store in
      let ids = ["google:GPA.3345-1234-5678-90123..4:pro.monthly_1", "21"]
      let originals = ["google:" + String(repeating: "0a", count: 32), "1000000000000001"]
      let all = zip(ids, originals).map { Sample.transaction($0, of: $1, signed: Sample.now) }
      for record in all { try await store.put(record) }
      let (read, found) = try await store.read { records in
        (
          try await records.purchases.transactions(of: originals, environment: .production),
          try await records.purchases.originalTransactionIDs(
            ofTransactions: ids, environment: .production)
        )
      }
      try expect("the identifiers", read.map(\.transactionID).sorted(), is: ids.sorted())
      try expect("the original ones", found.sorted(), is: originals.sorted())
      let receipt = StoredReceipt(
        originalTransactionID: originals[0], environment: .production, receipt: "token.of-google",
        asOf: Sample.now)
      try await store.put(receipt)
      try expect(
        "the token", try await store.receipt(of: originals[0])?.receipt, is: receipt.receipt)
    },
    Law("Transactions are found by original id and environment") { store in
      try await store.put(
        Sample.transaction("21", of: "1000000000000001", signed: Sample.now),
        Sample.transaction("22", of: "1002", signed: Sample.now),
        Sample.transaction("23", of: "1003", signed: Sample.now))
      try await store.put(
        Sample.transaction("21", of: "1002", signed: Sample.now), environment: .sandbox)
      let found = try await store.transactions(of: [Sample.id, "1002", "1002", "404"])
      try expect("the ids", found.map(\.transactionID).sorted(), is: ["21", "22"])
      let sandbox = try await store.transactions(of: ["1002"], environment: .sandbox)
      try expect("the ids", sandbox.map(\.transactionID), is: ["21"])
      try expect("the environment", sandbox.map(\.environment), is: [.sandbox])
    },
    Law("The original ids of transactions are told as they are stored") { store in
      try await store.put(
        Sample.transaction("21", signed: Sample.now),
        Sample.transaction("22", signed: Sample.now),
        Sample.transaction("23", of: "1003", signed: Sample.now))
      let found = try await store.read {
        try await $0.purchases.originalTransactionIDs(
          ofTransactions: ["21", "22", "23", "404"], environment: .production)
      }
      try expect("the ids", found.sorted(), is: ["1000000000000001", "1003"])
      let sandbox = try await store.read {
        try await $0.purchases.originalTransactionIDs(
          ofTransactions: ["21"], environment: .sandbox)
      }
      try expect("no ids", sandbox.isEmpty)
    },
    Law("A notification that was not decoded is kept once, and listed by its key") { store in
      @Sendable func kept(_ key: String, _ token: String) -> KeptNotification {
        KeptNotification(
          key: key, environment: key == "b" ? nil : .sandbox, signedPayload: token, path: "data.x",
          receivedDate: Sample.now)
      }
      for notification in [kept("b", "1.2.3"), kept("a", "4.5.6"), kept("c", "7.8.9")] {
        try await store.write { try await $0.notifications.keep(notification) }
      }
      try await store.write { try await $0.notifications.keep(kept("b", "another")) }
      let all = try await store.read {
        try await $0.notifications.keptNotifications(after: nil, limit: 10)
      }
      try expect(
        "the notifications", all, is: [kept("a", "4.5.6"), kept("b", "1.2.3"), kept("c", "7.8.9")])
      let next = try await store.read {
        try await $0.notifications.keptNotifications(after: "a", limit: 1)
      }
      try expect("the keys after a", next.map(\.key), is: ["b"])
      try await store.write { try await $0.notifications.removeKeptNotification(key: "a") }
      try await store.write { try await $0.notifications.removeKeptNotification(key: "none") }
      let rest = try await store.read {
        try await $0.notifications.keptNotifications(after: nil, limit: 10)
      }
      try expect("the keys", rest.map(\.key), is: ["b", "c"])
    },
    Law("A verification that is recorded twice is no error") { store in
      for _ in 0..<2 {
        try await store.write {
          try await $0.purchases.record(session: Sample.session(), now: Sample.now)
        }
      }
    },
    Law("A receipt is kept for each original id and environment") { store in
      let receipts = [
        Sample.receipt("AAAA"), Sample.receipt("BBBB", of: "1002"),
        Sample.receipt("CCCC", environment: .sandbox),
      ]
      for receipt in receipts { try await store.put(receipt) }
      for receipt in receipts {
        let found = try await store.receipt(
          of: receipt.originalTransactionID, environment: receipt.environment)
        try expect("the receipt", found?.receipt, is: receipt.receipt)
        try expect("its stamp", found?.asOf, is: receipt.asOf)
      }
      try expect("no receipt", try await store.receipt(of: "404") == nil)
    },
    Law("An older receipt never replaces a newer one; one of the same moment does") { store in
      for (text, seconds, kept) in [
        ("BBBB", 60.0, "BBBB"), ("AAAA", 59.999, "BBBB"), ("CCCC", 60, "CCCC"),
        ("DDDD", 60.001, "DDDD"),
      ] {
        try await store.put(Sample.receipt(text, asOf: Sample.later(seconds)))
        try expect("the receipt after \(text)", try await store.receipt()?.receipt, is: kept)
      }
    },
    Law("The stamp of a receipt is found by its key, and there is none without a receipt") {
      store in
      let receipts = [
        Sample.receipt("AAAA"), Sample.receipt("BBBB", of: "1002", asOf: Sample.later(0.001)),
        Sample.receipt("CCCC", asOf: Sample.later(60), environment: .sandbox),
      ]
      for receipt in receipts { try await store.put(receipt) }
      for receipt in receipts {
        try expect(
          "the stamp",
          try await store.receiptStamp(
            of: receipt.originalTransactionID, environment: receipt.environment),
          is: receipt.asOf)
      }
      try await store.put(Sample.receipt("DDDD", asOf: Sample.later(1.5)))
      try expect("the later stamp", try await store.receiptStamp(), is: Sample.later(1.5))
      for id in ["404", "", "no id", "'; DROP TABLE apple_receipt; --"] {
        try expect("no stamp", try await store.receiptStamp(of: id), is: nil)
      }
      try expect(
        "no stamp", try await store.receiptStamp(of: "1002", environment: .sandbox), is: nil)
    },
    Law("A notification is new once") { store in
      try expect("seen before", try await store.isSeen("key"), is: false)
      try expect("new", try await store.notify(Sample.notification("key")), is: true)
      try expect("new again", try await store.notify(Sample.notification("key")), is: false)
      try expect("another is new", try await store.notify(Sample.notification("Key")), is: true)
      try expect("seen", try await store.isSeen("key"), is: true)
    },
    Law("A notification that comes 16 times at once is new once") { store in
      try await expectOne(of: 16, "of times it was new") { _ in
        try await store.notify(Sample.notification("key"))
      }
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
  ]

  private static func expiries(_ store: any PurchaseStore) async throws -> [Date] {
    try await store.transactions().compactMap(\.expiresDate).sorted()
  }
}
