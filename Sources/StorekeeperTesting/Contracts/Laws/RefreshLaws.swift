internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum RefreshLaws {
  /// The laws of the refresh job's leases and runs.
  static let all: [StoreLaw] = [
    Law("Due is what renews by itself and expires soon or has expired not too long ago") { store in
      let day = 86_400.0
      for (id, seconds, autoRenewal) in [
        ("1", 3 * day - 1, true), ("2", 3 * day + 1, true), ("3", -1.0, true),
        ("4", -60 * day + 1, true), ("5", -60 * day - 1, true), ("6", day, false),
      ] {
        try await store.save(
          Sample.subscription(id, expires: Sample.later(seconds), autoRenewal: autoRenewal))
      }
      try await store.renew([Sample.renewal("month", of: "6", willRenew: false)], of: "6")
      try expect("the leases", try await ids(store, "worker"), is: ["4", "3", "1"])
    },
    Law("What nobody has told about is due as what renews is, until somebody tells") { store in
      let day = 86_400.0
      for (id, seconds) in [
        ("1", day), ("2", -day), ("3", 4 * day), ("4", -61 * day), ("5", day), ("6", day),
      ] {
        try await store.save(
          Sample.subscription(id, expires: Sample.later(seconds), autoRenewal: false))
      }
      try await store.save(Sample.subscription("7", expires: Sample.later(2 * day)))
      try await store.tell(Sample.renewal("month", of: "5", willRenew: false))
      try await store.renew([], of: "6")
      try await store.renew([Sample.renewal("month", of: "7")], of: "7")
      let leases = try await lease(store, Sample.leaseRequest("worker"))
      try expect("the leases", leases.map(\.originalTransactionID), is: ["2", "1", "7"])
      try expect(
        "their ends", leases.map(\.untoldEnd), is: [Sample.later(-day), Sample.later(day), nil])
    },
    Law("A new end, or the first word about the renewal, ends the hold of what nobody told about") {
      store in
      let end = Sample.later(86_400)
      for id in ["1", "2", "3", "4"] {
        try await store.save(Sample.subscription(id, expires: end, autoRenewal: false))
      }
      try await store.renew([Sample.renewal("month", of: "4")], of: "4")
      try await store.save(Sample.subscription("4", expires: end))
      let leases = try await lease(store, Sample.leaseRequest("worker"))
      try expect("the number of leases", leases.count, is: 4)
      let held = Sample.later(50 * 86_400)
      _ = try await finish(store, leases, failures: 0, nextTry: held)
      // The same end is no news, and what somebody told about waits for its next try.
      try await store.save(Sample.subscription("1", expires: end, autoRenewal: false))
      try await store.save(
        Sample.subscription("4", expires: end.addingTimeInterval(60)),
        Sample.subscription("2", expires: end.addingTimeInterval(60), autoRenewal: false))
      try await store.renew([Sample.renewal("month", of: "3")], of: "3")
      try await store.save(Sample.subscription("3", expires: end))
      try expect("the leases", try await ids(store, "worker"), is: ["3", "2"])
    },
    Law("What is in billing retry is due whenever it expires, if it renews by itself") { store in
      try await store.save(
        Sample.subscription("1", expires: Sample.days(20)),
        Sample.subscription("2", expires: Sample.days(20)),
        Sample.subscription("3", expires: Sample.days(-61)),
        Sample.subscription("4", expires: Sample.days(20), autoRenewal: false))
      for (id, isInRetry) in [("1", true), ("2", false), ("3", true), ("4", true)] {
        try await store.renew(
          [Sample.renewal("month", of: id, isInBillingRetry: isInRetry)], of: id)
      }
      try expect("the leases", try await ids(store, "worker"), is: ["1"])
    },
    Law("Both environments are due, and a lease says which it is") { store in
      try await store.save(
        Sample.subscription("1", expires: Sample.days(1)),
        Sample.subscription("2", expires: Sample.days(2), environment: .sandbox))
      let leases = try await lease(store, Sample.leaseRequest("worker"))
      try expect("the environments", leases.map(\.environment), is: [.production, .sandbox])
      try expect("the failures", leases.map(\.failures), is: [0, 0])
      try expect("the tokens", leases.map(\.token), is: ["worker", "worker"])
    },
    Law("Leases come with the earliest expiry first, then by id as text, up to the limit") {
      store in
      for (id, days) in [("9", 1.0), ("10", 1), ("3", 2), ("4", -5), ("5", 1)] {
        try await store.save(Sample.subscription(id, expires: Sample.days(days)))
      }
      let first = try await ids(store, "one", limit: 3)
      try expect("the first leases", first, is: ["4", "10", "5"])
      try expect("the rest", try await ids(store, "two", limit: 3), is: ["9", "3"])
      try expect("no more", try await ids(store, "three", limit: 3), is: [])
    },
    Law("A row with a live lease is given to no other worker, an ended lease is free") { store in
      try await store.save(Sample.subscription("1", expires: Sample.days(1)))
      try expect("the first worker's", try await ids(store, "one"), is: ["1"])
      try expect("the second worker's", try await ids(store, "two", at: Sample.later(599)), is: [])
      try expect(
        "the third worker's, when the lease has ended",
        try await ids(store, "three", at: Sample.later(601)), is: ["1"])
    },
    Law("8 workers that lease at once never get the same row, and together get all") { store in
      try await StoreHandles(store).expectLeasesAreApart()
    },
    Law("A finished row is due again when its next try is reached, with its failures") { store in
      try await store.save(Sample.subscription("1", expires: Sample.days(1)))
      let leases = try await lease(store, Sample.leaseRequest("one"))
      try expect(
        "finished", try await finish(store, leases, failures: 3, nextTry: Sample.later(300)),
        is: [true])
      try expect("too early", try await ids(store, "two", at: Sample.later(299)), is: [])
      let again = try await lease(
        store, Sample.leaseRequest("two", at: Sample.later(300), until: Sample.later(900)))
      try expect("the failures", again.map(\.failures), is: [3])
    },
    Law("A lost lease finishes nothing and changes nothing") { store in
      try await store.save(Sample.subscription("1", expires: Sample.days(1)))
      let lost = try await lease(store, Sample.leaseRequest("one"))
      let ours = try await lease(
        store, Sample.leaseRequest("two", at: Sample.later(601), until: Sample.later(1200)))
      try expect("the second worker's", ours.map(\.originalTransactionID), is: ["1"])
      try expect(
        "finished by the one who lost it",
        try await finish(store, lost, failures: 9, nextTry: Sample.days(9)), is: [false])
      try expect("still leased", try await ids(store, "three", at: Sample.later(700)), is: [])
      try expect(
        "finished by the one who has it",
        try await finish(store, ours, failures: 1, nextTry: Sample.later(700)), is: [true])
      let next = try await lease(
        store, Sample.leaseRequest("three", at: Sample.later(700), until: Sample.later(900)))
      try expect("the failures", next.map(\.failures), is: [1])
    },
    Law("A lease ends once") { store in
      try await store.save(Sample.subscription("1", expires: Sample.days(1)))
      let leases = try await lease(store, Sample.leaseRequest("one"))
      _ = try await finish(store, leases, failures: 0, nextTry: Sample.later(10))
      try expect(
        "finished again", try await finish(store, leases, failures: 5, nextTry: Sample.days(5)),
        is: [false])
      try expect("due", try await ids(store, "two", at: Sample.later(10)), is: ["1"])
    },
    Law("A lease that is given back is free at once, and counts no failure") { store in
      try await store.save(Sample.subscription("1", expires: Sample.days(1)))
      for token in ["one", "two"] {
        let leases = try await lease(store, Sample.leaseRequest(token))
        try expect("the failures", leases.map(\.failures), is: [0])
        try await giveBack(store, leases)
      }
    },
    Law("A lost lease that is given back stays with the one who has it") { store in
      try await store.save(Sample.subscription("1", expires: Sample.days(1)))
      let lost = try await lease(store, Sample.leaseRequest("one"))
      _ = try await lease(
        store, Sample.leaseRequest("two", at: Sample.later(601), until: Sample.later(1200)))
      try await giveBack(store, lost)
      try expect("still leased", try await ids(store, "three", at: Sample.later(700)), is: [])
    },
    Law("A lease of a unit of work that threw was never given") { store in
      try await store.save(Sample.subscription("1", expires: Sample.days(1)))
      try await store.writeUndone { _ = try await $0.refreshes.lease(Sample.leaseRequest("one")) }
      try expect("the leases", try await ids(store, "two"), is: ["1"])
    },
    Law("A run is logged when it begins and completed when it ends, the newest first") { store in
      let first = try await store.write { try await $0.refreshes.beginRun(now: Sample.now) }
      let second = try await store.write { try await $0.refreshes.beginRun(now: Sample.later(10)) }
      try await store.write {
        try await $0.refreshes.endRun(first, succeeded: 5, failed: 2, now: Sample.later(20))
      }
      let runs = try await store.read { try await $0.refreshes.runs(limit: 10) }
      let expected = [
        RefreshRun(
          number: second, succeeded: 0, failed: 0, startDate: Sample.later(10), endDate: nil),
        RefreshRun(
          number: first, succeeded: 5, failed: 2, startDate: Sample.now,
          endDate: Sample.later(20)),
      ]
      try expect("the runs", runs, is: expected)
      let latest = try await store.read { try await $0.refreshes.runs(limit: 1) }
      try expect("the latest run", latest, is: [expected[0]])
    },
  ]

  private static func lease(
    _ store: any PurchaseStore, _ request: RefreshLeaseRequest
  ) async throws -> [RefreshLease] {
    try await store.write { try await $0.refreshes.lease(request) }
  }

  private static func giveBack(_ store: any PurchaseStore, _ leases: [RefreshLease]) async throws {
    try await store.write { records in
      for lease in leases { try await records.refreshes.giveBack(lease) }
    }
  }

  private static func ids(
    _ store: any PurchaseStore, _ token: String, at now: Date = Sample.now, limit: Int = 50
  ) async throws -> [String] {
    let request = Sample.leaseRequest(
      token, at: now, limit: limit, until: now.addingTimeInterval(600))
    return try await lease(store, request).map(\.originalTransactionID)
  }

  private static func finish(
    _ store: any PurchaseStore, _ leases: [RefreshLease], failures: Int, nextTry: Date
  ) async throws -> [Bool] {
    try await store.write { records in
      var results: [Bool] = []
      for lease in leases {
        results.append(
          try await records.refreshes.finish(
            lease, failures: failures, nextTry: nextTry, error: failures > 0 ? "21005" : nil))
      }
      return results
    }
  }
}
