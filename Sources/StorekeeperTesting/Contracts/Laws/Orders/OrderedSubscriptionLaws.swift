internal import OrderPolicy
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = OrderSample

enum OrderedSubscriptionLaws {
  /// The laws of users' subscriptions.
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
