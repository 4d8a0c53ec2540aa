internal import EntitlementPolicy
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = OrderSample

enum LevelLaws {
  static let all: [StoreLaw] = [
    Law("Levels are read as they were stored, in the order of fee and name") { store in
      try expect("no levels", try await store.levels().all, is: [])
      let levels = [
        Sample.level("b", fee: "0.000001", apple: "com.example.b", google: "b_monthly"),
        Sample.level("B", fee: "9.99"), Sample.level("a", fee: "9.99", google: "a"),
        Sample.level("é", fee: "999999999.999999", apple: "é"),
      ]
      try await store.replaceLevels(with: SubscriptionLevels(stored: levels.reversed()))
      try expect("the levels", try await store.levels().all, is: levels)
    },
    Law("Levels take the place of all that were stored before, also with the same products") {
      store in
      try await store.replaceLevels(
        with: Sample.levels(
          Sample.level("Basic", apple: "a", google: "g"), Sample.level("Pro", fee: "2", apple: "p"))
      )
      let others = Sample.levels(
        Sample.level("Gold", apple: "p", google: "g"), Sample.level("Pro", fee: "3", apple: "a"))
      try await store.replaceLevels(with: others)
      try expect("the levels", try await store.levels(), is: others)
      try await store.replaceLevels(with: Sample.levels())
      try expect("no levels", try await store.levels().all, is: [])
    },
    Law("Levels that are undone leave those before") { store in
      let levels = Sample.levels(Sample.level("Basic"))
      try await store.replaceLevels(with: levels)
      try await store.writeUndone { try await $0.levels.replace(with: Sample.levels()) }
      try expect("the levels", try await store.levels(), is: levels)
    },
  ]
}

enum OrderedSubscriptionLaws {
  static let all: [StoreLaw] = [
    Law("A user's subscription is read as it was added, with dates in milliseconds") { store in
      try expect("none", try await store.orderedSubscription() == nil)
      let row = Sample.subscription()
      try expect("whether it was added", try await store.add(row), is: true)
      try expect("the subscription", try await store.orderedSubscription(), is: row)
      let other = Sample.subscription(
        of: "ben", key: Sample.key("ab12", from: .google, in: .sandbox))
      try await store.save(other)
      let saved = try await store.orderedSubscription(of: "ben")
      try expect("Ben's", saved, is: other)
      try expect("its environment", saved?.environment, is: .sandbox)
      try expect("Ann's", try await store.orderedSubscription(), is: row)
    },
    Law("A subscription is not added to one that is there, but replaces it if it is saved") {
      store in
      let row = Sample.subscription()
      _ = try await store.add(row)
      let other = Sample.subscription(
        level: "Gold", key: Sample.key("ab12", from: .google, in: .sandbox),
        until: ContractSample.later(-5))
      try expect("whether it was added", try await store.add(other), is: false)
      try expect("the first", try await store.orderedSubscription(), is: row)
      try await store.save(other)
      let saved = try await store.orderedSubscription()
      try expect("the saved", saved, is: other)
      try expect("its environment", saved?.environment, is: .sandbox)
    },
    Law("A subscription is removed once, and can be added again") { store in
      _ = try await store.add(Sample.subscription())
      _ = try await store.add(Sample.subscription(of: "ben"))
      try expect("whether it was removed", try await store.removeSubscription(), is: true)
      try expect("whether it was removed", try await store.removeSubscription(), is: false)
      try expect("none", try await store.orderedSubscription() == nil)
      try expect("Ben's", try await store.orderedSubscription(of: "ben") != nil)
      try expect("added", try await store.add(Sample.subscription(key: Sample.key("2"))), is: true)
    },
    Law("The names of levels in use come once each, in the order of their bytes") { store in
      for (number, name) in ["b", "a", "é", "b", "B"].enumerated() {
        _ = try await store.add(
          Sample.subscription(of: AccountID(stored: "user-\(number)"), level: name))
      }
      try expect(
        "the names", try await store.read { try await $0.orderedSubscriptions.levelNames() },
        is: ["B", "a", "b", "é"])
    },
    Law("Of 16 subscriptions that are added for a user at once one is") { store in
      let added = try await concurrently(16) { number in
        let row = Sample.subscription(key: Sample.key("\(number)"))
        return try await store.add(row) ? row : nil
      }
      try expect("the number of added", added.compactMap(\.self).count, is: 1)
      try expect(
        "the subscription", try await store.orderedSubscription(),
        is: added.compactMap(\.self).first)
    },
    Law("A subscription that is found in a unit of work that writes stays until its end") { store in
      _ = try await store.add(Sample.subscription(until: ContractSample.now))
      _ = try await concurrently(16) { _ in
        try await store.write { records in
          let found = try await records.orderedSubscriptions.find("ann")
          await Task.yield()
          let row = try unwrap("the subscription", found)
          try await records.orderedSubscriptions.save(changed(row) { $0.expiration += 1 })
        }
      }
      try expect(
        "the end", try await store.orderedSubscription()?.expiration, is: ContractSample.later(16))
    },
  ]
}

enum SubscriptionClaimLaws {
  static let all: [StoreLaw] = [
    Law("A purchase keeps its first user, and who claims it is told who that is") { store in
      try expect("nobody", try await store.owners(["1", "2"]), is: [nil, nil])
      try expect("the first", try await store.claimPurchase("1"), is: "ann")
      try expect("the same", try await store.claimPurchase("1"), is: "ann")
      try expect("for another", try await store.claimPurchase("1", for: "ben"), is: "ann")
      try expect(
        "at another vendor", try await store.claimPurchase("1", from: .google, for: "ben"),
        is: "ben")
      try expect("at Apple", try await store.owners(["2", "1", "1"]), is: [nil, "ann", "ann"])
      try expect("at Google", try await store.owners(["1"], from: .google), is: ["ben"])
    },
    Law("Apple's environments have purchases of their own, and Google's have the same") {
      store in
      try expect("Production", try await store.claimPurchase("1"), is: "ann")
      try expect("the Sandbox", try await store.owners(["1"], in: .sandbox), is: [nil])
      try expect(
        "the Sandbox's", try await store.claimPurchase("1", in: .sandbox, for: "ben"), is: "ben")
      try expect("still", try await store.owners(["1"]), is: ["ann"])
      try await store.claimPurchase("1", from: .google, in: .sandbox)
      try expect("Google's", try await store.owners(["1"], from: .google), is: ["ann"])
      try expect(
        "the same", try await store.claimPurchase("1", from: .google, for: "ben"), is: "ann")
    },
    Law("A claim that is removed leaves the purchase to the next user") { store in
      _ = try await store.claimPurchase("1")
      _ = try await store.claimPurchase("1", from: .google)
      try await store.removeClaim("1")
      try await store.removeClaim("2")
      try expect("nobody", try await store.owners(["1"]), is: [nil])
      try expect("at Google", try await store.owners(["1"], from: .google), is: ["ann"])
      try expect("the next", try await store.claimPurchase("1", for: "ben"), is: "ben")
    },
    Law("A claim moves to another user in place, and one that nobody has stays so") { store in
      try expect("the first", try await store.claimPurchase("1"), is: "ann")
      try await store.write {
        try await $0.subscriptionClaims.transfer(Sample.key("1"), to: "ben")
        try await $0.subscriptionClaims.transfer(Sample.key("2"), to: "ben")
      }
      try expect("the owners", try await store.owners(["1", "2"]), is: ["ben", nil])
      try expect("the next", try await store.claimPurchase("1"), is: "ben")
    },
    Law("A claim outlasts the subscription that rests on it") { store in
      try await store.write { records in
        _ = try await records.subscriptionClaims.claim(Sample.key("1"), for: "ann")
        _ = try await records.orderedSubscriptions.add(Sample.subscription())
      }
      try await store.removeSubscription()
      try expect("the owner", try await store.claimPurchase("1", for: "ben"), is: "ann")
    },
    Law("A claim that is undone leaves the purchase to the next user who waits for it") { store in
      let written = ContractGate()
      async let undone: Void = store.write { records in
        _ = try await records.subscriptionClaims.claim(Sample.key("1"), for: "ben")
        written.open()
        for _ in 0..<100 { await Task.yield() }
        throw Interruption()
      }
      await written.wait()
      try expect("the owner", try await store.claimPurchase("1"), is: "ann")
      do { try await undone } catch is Interruption {}
      try expect("the owner then", try await store.owners(["1"]), is: ["ann"])
    },
    Law("Of two users who order with a purchase at once one gets it, 50 times") { store in
      try await StoreHandles(store).expectOneClaim()
    },
  ]
}

enum SharedOrderLaws {
  /// The laws of two handles to the same data, such as those of two processes.
  static let all: [Law<StoreHandles>] = [
    Law("What one handle has claimed and added the other sees") { handles in
      try await handles[0].claimPurchase("1")
      _ = try await handles[0].add(Sample.subscription())
      try expect("the owner", try await handles[1].claimPurchase("1", for: "ben"), is: "ann")
      try expect(
        "the subscription", try await handles[1].orderedSubscription(), is: Sample.subscription())
    },
    Law("Of two users of two handles who order with a purchase at once one gets it, 50 times") {
      handles in try await handles.expectOneClaim()
    },
  ]
}

extension StoreHandles {
  fileprivate func expectOneClaim() async throws {
    for number in 1...50 {
      let told = try await concurrently(2) { index in
        try await self[index].claimPurchase("\(number)", for: index == 0 ? "ann" : "ben")
      }
      let owner = try await self[number].owners(["\(number)"]).first ?? nil
      try expect("the owners that were told", Set(told).count, is: 1)
      try expect("the owner", owner, is: told.first)
    }
  }
}

enum PushedMessageLaws {
  /// The laws of messages that Google pushed.
  static let all: [StoreLaw] = [
    Law("A message is recorded once") { store in
      try expect("not recorded", try await store.isRecorded("1"), is: false)
      try expect("the first time", try await store.record("1"), is: true)
      try expect("again", try await store.record("1"), is: false)
      try expect("recorded", try await store.isRecorded("1"), is: true)
      try expect("another", try await store.record("e\u{301}"), is: true)
      try expect("one that looks like it", try await store.isRecorded("é"), is: false)
    },
    Law("Of 16 workers that record a message at once one does") { store in
      try await expectOne(of: 16, "that did") { _ in try await store.record("1") }
    },
    Law("Old messages are removed, oldest first") { store in
      for (number, seconds) in [30.0, 10, 20, 40].enumerated() {
        _ = try await store.record("\(number)", after: seconds)
      }
      try expect("removed", try await store.removeMessages(before: 30, limit: 1), is: 1)
      try expect("the oldest", try await store.isRecorded("1"), is: false)
      try expect("removed", try await store.removeMessages(before: 30, limit: 9), is: 1)
      try expect("the next", try await store.isRecorded("2"), is: false)
      try expect("removed", try await store.removeMessages(before: 30, limit: 9), is: 0)
      try expect("none", try await store.removeMessages(before: 99, limit: 0), is: 0)
      try expect("as old", try await store.isRecorded("0"), is: true)
    },
  ]
}

extension PurchaseStore {
  fileprivate func record(_ id: String, after seconds: Double = 0) async throws -> Bool {
    try await write { try await $0.pushedMessages.record(id, now: ContractSample.later(seconds)) }
  }

  fileprivate func isRecorded(_ id: String) async throws -> Bool {
    try await read { try await $0.pushedMessages.isRecorded(id) }
  }

  fileprivate func removeMessages(before seconds: Double, limit: Int) async throws -> Int {
    try await write {
      try await $0.pushedMessages.remove(before: ContractSample.later(seconds), limit: limit)
    }
  }
}
