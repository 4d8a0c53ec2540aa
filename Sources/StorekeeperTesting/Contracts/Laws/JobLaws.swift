internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum JobLaws {
  /// The laws of jobs that can be resumed.
  static let all: [StoreLaw] = [
    Law("A job is one worker's until its lease ends or is given back") { store in
      let first = try await lease(store, "walk", "one")
      try expect("the first", first, is: JobPlace(job: "walk", place: nil, token: "one"))
      try expect("no second", try await lease(store, "walk", "two", at: Sample.later(599)) == nil)
      try expect("another job", try await lease(store, "other", "two") != nil)
      let third = try await lease(store, "walk", "three", at: Sample.later(600))
      try expect("after the end", third != nil)
      if let first { try await giveBack(store, first) }
      try expect(
        "none after a lost lease was given back",
        try await lease(store, "walk", "four", at: Sample.later(601)) == nil)
      if let third { try await giveBack(store, third) }
      try expect(
        "after it was given back",
        try await lease(store, "walk", "five", at: Sample.later(601)) != nil)
    },
    Law("A job is resumed at the place that it reached") { store in
      try expect("no place of a new job", try await place(store, "walk"), is: nil)
      for (step, name) in ["a b;c", "2026-11-22T00:00:00Z", "é'\"\\"].enumerated() {
        let now = Sample.later(Double(step) * 1000)
        let lease = try await lease(store, "walk", "worker-\(step)", at: now)
        let before = try await place(store, "walk")
        try expect("the place of the lease", lease?.place, is: before)
        guard let lease else { continue }
        try expect("whether it moved", try await advance(store, lease, to: name, at: now), is: true)
        try expect("the place", try await place(store, "walk"), is: name)
        try await giveBack(store, lease)
        try expect("the place afterwards", try await place(store, "walk"), is: name)
      }
      try expect("the place of another job", try await place(store, "Walk"), is: nil)
    },
    Law("A step prolongs the lease of its job, and an empty place is the beginning") { store in
      guard let lease = try await lease(store, "walk", "one") else {
        throw ContractMismatch(expected: "a lease", found: "none")
      }
      _ = try await advance(store, lease, to: "a", at: Sample.later(500))
      try expect(
        "no lease before the new end",
        try await JobLaws.lease(store, "walk", "two", at: Sample.later(1099)) == nil)
      let late = try await advance(store, lease, to: "", at: Sample.later(5000))
      try expect("whether a lease that nobody took moves on", late, is: true)
      try expect("the place", try await place(store, "walk"), is: nil)
      try expect(
        "no lease before the last end",
        try await JobLaws.lease(store, "walk", "two", at: Sample.later(5599)) == nil)
    },
    Law("A worker whose lease was lost moves no job") { store in
      let lost = try await lease(store, "walk", "one")
      let ours = try await lease(store, "walk", "two", at: Sample.later(600))
      guard let lost, let ours else {
        throw ContractMismatch(expected: "two leases", found: "fewer")
      }
      for (lease, name, moves) in [(lost, "a", false), (ours, "b", true), (lost, "c", false)] {
        let moved = try await advance(store, lease, to: name, at: Sample.later(601))
        try expect("whether it moved", moved, is: moves)
      }
      try expect("the place", try await place(store, "walk"), is: "b")
      try await giveBack(store, ours)
      try expect(
        "whether it moves after it was given back",
        try await advance(store, ours, to: "d", at: Sample.later(602)), is: false)
      let unknown = JobPlace(job: "unknown", place: nil, token: "one")
      try expect(
        "whether an unknown job moves",
        try await advance(store, unknown, to: "d", at: Sample.later(602)), is: false)
      try expect("the place", try await place(store, "walk"), is: "b")
    },
    Law("Of 8 workers that want a job at once one gets it") { store in
      try await expectOne(of: 8, "of workers that got it") { worker in
        try await lease(store, "walk", "worker-\(worker)") != nil
      }
    },
    Law("The jobs are listed as they stand, by name") { store in
      try expect("none at first", try await jobs(store), is: [])
      let walk = try unwrap("a lease", try await lease(store, "walk", "one"))
      let zebra = try unwrap("another", try await lease(store, "Zebra", "two", at: Sample.later(5)))
      _ = try await advance(store, walk, to: "b", at: Sample.later(30))
      try await giveBack(store, zebra)
      let expected = [
        JobState(job: "Zebra", place: nil, leaseEnd: nil, changedDate: Sample.later(5)),
        JobState(
          job: "walk", place: "b", leaseEnd: Sample.later(630), changedDate: Sample.later(30)),
      ]
      try expect("all", try await jobs(store), is: expected)
      try expect("the first", try await jobs(store, limit: 1), is: [expected[0]])
      try expect("none", try await jobs(store, limit: 0), is: [])
      _ = try await lease(store, "Zebra", "three", at: Sample.later(60))
      try expect("leased again", try await jobs(store)[0].leaseEnd, is: Sample.later(660))
    },
    Law("The longest place and the longest name of a job are stored") { store in
      let name = String(repeating: "j", count: 100)
      let held = try unwrap("a lease", try await lease(store, name, "one"))
      try expect("the name", held.job, is: name)
      let longest = String(repeating: "p", count: 255)
      _ = try await advance(store, held, to: longest, at: Sample.later(1))
      try expect("the place", try await place(store, name), is: longest)
    },
  ]

  private static func lease(
    _ store: any PurchaseStore, _ job: String, _ token: String, at now: Date = Sample.now
  ) async throws -> JobPlace? {
    try await store.write {
      try await $0.jobs.lease(job: job, now: now, until: now.addingTimeInterval(600), token: token)
    }
  }

  private static func advance(
    _ store: any PurchaseStore, _ lease: JobPlace, to place: String, at now: Date
  ) async throws -> Bool {
    try await store.write {
      try await $0.jobs.advance(lease, to: place, now: now, until: now.addingTimeInterval(600))
    }
  }

  private static func giveBack(_ store: any PurchaseStore, _ lease: JobPlace) async throws {
    try await store.write { try await $0.jobs.giveBack(lease) }
  }

  private static func jobs(
    _ store: any PurchaseStore, limit: Int = 10
  ) async throws -> [JobState] {
    try await store.read { try await $0.jobs.jobs(limit: limit) }
  }

  private static func place(_ store: any PurchaseStore, _ job: String) async throws -> String? {
    try await store.read { try await $0.jobs.place(of: job) }
  }
}
