internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

enum SubscriptionLaws {
  static let subscriptions: [StoreLaw] = [
    Law("Only the subscriptions that were asked for and exist are found, by id as text") { store in
      try await store.save(
        Sample.subscription("9"), Sample.subscription("10"), Sample.subscription("8"))
      let found = try await store.read {
        try await $0.storedSubscriptions.find(["9", "7", "10", "9"])
      }
      try expect("the ids", found.map(\.subscription.originalTransactionID), is: ["10", "9"])
      let none = try await store.read { try await $0.storedSubscriptions.find([]) }
      try expect("no subscription", none.isEmpty)
    },
    Law("A saved subscription is read as it was saved") { store in
      let saved = Sample.subscription()
      try await store.save(saved, asOf: Sample.later(0.125), now: Sample.later(5))
      var expected = saved
      expected.createdDate = Sample.later(5)
      expected.updatedDate = Sample.later(5)
      let found = try await store.subscription()
      try expect("the subscription", found?.subscription, is: expected)
      try expect("the stamp", found?.asOf, is: Sample.later(0.125))
    },
    Law("A new subscription has no owner, whatever the value says") { store in
      var saved = Sample.subscription()
      saved.owner = "member"
      try await store.save(saved)
      try expect("the owner", try await store.owner(), is: nil)
    },
    Law("Saving overwrites what Apple says") { store in
      try await store.save(Sample.subscription())
      var changed = Sample.subscription(expires: Sample.days(395), autoRenewal: false)
      changed.lastTransactionID = "1000000000000009"
      changed.productID = "com.example.premium.year"
      changed.purchaseDate = Sample.days(30)
      changed.tier = .premium
      changed.cycle = .year
      try await store.save(changed, now: Sample.later(60))
      changed.createdDate = Sample.now
      changed.updatedDate = Sample.later(60)
      try expect("the subscription", try await store.subscription()?.subscription, is: changed)
    },
    Law("Saving never touches owner, environment and the date of creation") { store in
      try await store.save(Sample.subscription())
      try await store.setOwner("member")
      var other = Sample.subscription(expires: Sample.days(60), environment: .sandbox)
      other.owner = "thief"
      other.createdDate = Sample.days(9)
      try await store.save(other, now: Sample.later(60))
      let found = try await store.subscription()?.subscription
      try expect("the owner", found?.owner, is: "member")
      try expect("the environment", found?.environment, is: .production)
      try expect("the date of creation", found?.createdDate, is: Sample.now)
      try expect("the expiry", found?.expiresDate, is: Sample.days(60))
    },
    Law("The date of the last change moves only when a value changes") { store in
      try await store.save(Sample.subscription())
      try await store.save(Sample.subscription(), asOf: Sample.later(60), now: Sample.later(60))
      try expect(
        "the date after saving the same",
        try await store.subscription()?.subscription.updatedDate, is: Sample.now)
      try await store.save(
        Sample.subscription(autoRenewal: false), asOf: Sample.later(90), now: Sample.later(90))
      try expect(
        "the date after saving another value",
        try await store.subscription()?.subscription.updatedDate, is: Sample.later(90))
    },
    Law("The stamp of a subscription is the latest that was given") { store in
      try await store.save(Sample.subscription(), asOf: Sample.later(60))
      try await store.save(Sample.subscription(), asOf: Sample.later(30))
      try expect("the stamp", try await store.subscription()?.asOf, is: Sample.later(60))
      try await store.save(Sample.subscription(), asOf: Sample.later(60.001))
      try expect("the stamp", try await store.subscription()?.asOf, is: Sample.later(60.001))
    },
    Law("An owner is set, changed and cleared; that is a change of the row") { store in
      try await store.save(Sample.subscription())
      let owners: [(AccountID?, Double)] = [("first", 1), ("second", 2), (nil, 3)]
      for (owner, seconds) in owners {
        try await store.setOwner(owner, now: Sample.later(seconds))
        let found = try await store.subscription()?.subscription
        try expect("the owner", found?.owner, is: owner)
        try expect("the date of the change", found?.updatedDate, is: Sample.later(seconds))
      }
    },
    Law("Setting the owner of a subscription that is not stored stores nothing") { store in
      try await store.setOwner("member", of: "404")
      try expect("no subscription", try await store.subscription("404") == nil)
    },
  ]

  static let lists: [StoreLaw] = [
    Law("A list has the owner's rows, the latest expiry first, ties by id as text") { store in
      for (id, days) in [("9", 30.0), ("10", 30), ("2", 90), ("3", 10), ("100", 30)] {
        try await store.save(Sample.subscription(id, expires: Sample.days(days)))
        try await store.setOwner("member", of: id)
      }
      try await store.save(Sample.subscription("77", expires: Sample.days(50)))
      try await store.setOwner("other", of: "77")
      try await store.save(Sample.subscription("78", expires: Sample.days(50)))
      try expect("the ids", try await listed(store, 0, 20), is: ["2", "10", "100", "9", "3"])
    },
    Law("Pages of a list neither repeat nor lose a row") { store in
      for number in 1...7 {
        try await store.save(Sample.subscription("\(number)"))
        try await store.setOwner("member", of: "\(number)")
      }
      let pages = [
        try await listed(store, 0, 3), try await listed(store, 3, 3), try await listed(store, 6, 3),
      ]
      try expect("the pages", pages, is: [["1", "2", "3"], ["4", "5", "6"], ["7"]])
    },
    Law("A page past the end is empty and still knows the total") { store in
      try await store.save(Sample.subscription())
      try await store.setOwner("member")
      let page = try await store.page(offset: 20, limit: 20)
      try expect("the page", page, is: SubscriptionPage(total: 1, subscriptions: []))
    },
    Law("The list of an unknown owner is empty") { store in
      try await store.save(Sample.subscription())
      let page = try await store.page(of: "nobody", limit: 20)
      try expect("the page", page, is: SubscriptionPage(total: 0, subscriptions: []))
    },
    Law("A subscription is in use when an Apple membership of its owner carries it") { store in
      try await store.save(Sample.subscription())
      try await store.insert(try Sample.appleMembership("member", of: "1000000000000001"))
      try expect("in use without owner", try await isInUse(store), is: [false])
      try await store.setOwner("other")
      try expect("in use by another's membership", try await isInUse(store), is: [false, false])
      try await store.setOwner("member")
      try expect("in use", try await isInUse(store), is: [true, true])
    },
    Law("A subscription is in use when a Google membership of its owner carries it") { store in
      let id = "google:" + String(repeating: "0a", count: 32)
      try await store.save(Sample.subscription(id))
      try await store.setOwner("member", of: id)
      try expect("in use without membership", try await isInUse(store, id), is: [false, false])
      try await store.insert(
        changed(try Sample.appleMembership("member", of: id)) { $0.payMethod = .google })
      try expect("in use", try await isInUse(store, id), is: [true, true])
    },
    Law("A stale Apple id makes no subscription used") { store in
      try await store.save(Sample.subscription())
      try await store.setOwner("member")
      var stale = try Sample.appleMembership("member", of: "1000000000000001")
      stale.payMethod = .alipay
      let row = try await store.insert(stale)
      try expect("in use by a stale id", try await isInUse(store), is: [false, false])
      let unknown = changed(row) { $0.payMethod = nil }
      try await store.update(unknown, previous: row)
      try expect("in use without pay method", try await isInUse(store), is: [false, false])
    },
  ]

  private static func listed(
    _ store: any PurchaseStore, _ offset: Int, _ limit: Int
  ) async throws -> [String] {
    try await store.page(offset: offset, limit: limit).subscriptions.map(\.originalTransactionID)
  }

  /// Whether the sample is in use, as found by id and, if it has an owner, in the owner's list.
  private static func isInUse(
    _ store: any PurchaseStore, _ id: String = "1000000000000001"
  ) async throws -> [Bool] {
    try await store.read { records in
      let found = try await records.storedSubscriptions.find([id]).map(\.subscription)
      guard let owner = found.first?.owner else { return found.map(\.isInUse) }
      let listed = try await records.storedSubscriptions.list(owner: owner, offset: 0, limit: 10)
      return (found + listed.subscriptions).map(\.isInUse)
    }
  }
}
