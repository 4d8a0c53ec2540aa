internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = EntitlementSample

enum ValidationLaws {
  static let all: [StoreLaw] = [
    Law("A state of validation is read as it was saved, with its dates in milliseconds") { store in
      try expect("no state", try await store.state() == nil)
      let state = AppValidation(
        bundleID: Sample.draw, validatedDate: ContractSample.later(0.001),
        firstFailureDate: ContractSample.later(1.002),
        lastFailureDate: ContractSample.later(2.003), lastFailure: .unreachable,
        nextValidationDate: ContractSample.later(3.004))
      try await store.save(state)
      try expect("the state", try await store.state(), is: state)
      let empty = AppValidation(bundleID: Sample.draw)
      try await store.save(empty)
      try expect("the empty state", try await store.state(), is: empty)
    },
    Law("A saved state replaces the one before, of this user and this app only") { store in
      try await store.save(Sample.state(1))
      try await store.save(Sample.state(2, in: Sample.paint))
      try await store.save(Sample.state(3), of: "anna")
      try await store.save(Sample.state(4))
      try expect("the state", try await store.state(), is: Sample.state(4))
      try expect(
        "that of the other app", try await store.state(in: Sample.paint),
        is: Sample.state(2, in: Sample.paint))
      try expect("that of the other user", try await store.state(of: "anna"), is: Sample.state(3))
      try expect("another user's", try await store.state(of: "an") == nil)
      try expect("that of another app", try await store.state(in: "com.example") == nil)
    },
    Law("A state that is found in a unit of work that writes stays until its end") { store in
      try await store.save(AppValidation(bundleID: Sample.draw, validatedDate: Sample.now))
      _ = try await concurrently(16) { _ in
        try await store.write { records in
          let found = try await records.validations.find("ann", bundleID: Sample.draw)
          await Task.yield()
          let state = try unwrap("the state", found)
          try await records.validations.save(
            changed(state) { $0.validatedDate = $0.validatedDate.map { $0 + 1 } }, of: "ann")
        }
      }
      try expect("the date", try await store.state()?.validatedDate, is: ContractSample.later(16))
    },
    Law("A state is locked as it is stored, or added without dates") { store in
      func locked(in bundleID: String = Sample.draw) async throws -> AppValidation {
        try await store.write { try await $0.validations.lock("ann", bundleID: bundleID) }
      }
      try await store.save(Sample.state(7))
      try await store.save(Sample.state(8), of: "anna")
      try expect("the state", try await locked(), is: Sample.state(7))
      let empty = AppValidation(bundleID: Sample.paint)
      try expect("the state in another app", try await locked(in: Sample.paint), is: empty)
      try expect("the added row", try await store.state(in: Sample.paint), is: empty)
      try expect("the first row", try await store.state(), is: Sample.state(7))
    },
    Law(
      "Of units of work that lock a user's first state at once, each finds what the last one saved"
    ) { store in
      for round in 0..<20 {
        let user = AccountID(stored: "user-\(round)")
        _ = try await concurrently(8) { _ in
          try await store.write { records in
            let state = try await records.validations.lock(user, bundleID: Sample.draw)
            await Task.yield()
            let date = state.validatedDate ?? Sample.now
            try await records.validations.save(
              changed(state) { $0.validatedDate = date + 1 }, of: user)
          }
        }
        try expect(
          "the date of \(user)", try await store.state(of: user)?.validatedDate,
          is: ContractSample.later(8))
      }
    },
  ]
}

enum ValidationLeaseLaws {
  static let all: [StoreLaw] = [
    Law("Due validations are leased as they are stored, from the moment they are due") { store in
      try await store.save(Sample.state(0.001), of: "later")
      try await store.save(Sample.state(nil), of: "never")
      try await store.save(Sample.state(-5, in: Sample.paint), of: "long")
      try await store.save(Sample.state(0), of: "now")
      try expect(
        "the rows", try await store.lease(),
        is: [
          StoredValidation(userID: "long", state: Sample.state(-5, in: Sample.paint)),
          StoredValidation(userID: "now", state: Sample.state(0)),
        ])
      try expect(
        "the rows a moment later", try await store.leasedUsers(at: ContractSample.later(0.001)),
        is: ["later"])
      try expect(
        "the rows much later", try await store.leasedUsers(at: ContractSample.days(900)).count,
        is: 3)
    },
    Law("Due validations come with the longest due first, then by user and app, to the limit") {
      store in
      for (user, bundleID, next) in [
        ("b", Sample.draw, -1.0), ("B", Sample.draw, -1), ("é", Sample.draw, -1),
        ("a", Sample.paint, -1), ("a", Sample.draw, -1), ("z", Sample.draw, -2),
      ] { try await store.save(Sample.state(next, in: bundleID), of: AccountID(stored: user)) }
      func lease(_ token: String, limit: Int) async throws -> [String] {
        try await store.lease(token, limit: limit).map { "\($0.userID) \($0.state.bundleID)" }
      }
      try expect("none", try await lease("none", limit: 0), is: [])
      try expect(
        "the first", try await lease("one", limit: 3),
        is: ["z com.example.draw", "B com.example.draw", "a com.example.draw"])
      try expect(
        "the rest", try await lease("two", limit: 50),
        is: ["a com.example.drawing", "b com.example.draw", "é com.example.draw"])
      try expect("no more", try await lease("three", limit: 50), is: [])
    },
    Law("A leased validation is given to no other worker, and is free when the lease ends") {
      store in
      try await store.save(Sample.state())
      try expect("the first worker's", try await store.leasedUsers("one"), is: ["ann"])
      try expect(
        "the second worker's",
        try await store.leasedUsers("two", at: ContractSample.later(599.999)),
        is: [])
      try expect(
        "the third worker's, at the end of the lease",
        try await store.leasedUsers("three", at: ContractSample.later(600)), is: ["ann"])
      try expect(
        "the fourth worker's", try await store.leasedUsers("four", at: ContractSample.later(700)),
        is: [])
      try expect("the state", try await store.state(), is: Sample.state())
    },
    Law("A state that is saved ends the lease") { store in
      try await store.save(Sample.state())
      try expect("the lease", try await store.leasedUsers("one"), is: ["ann"])
      try await store.save(Sample.state(30))
      try expect("too early", try await store.leasedUsers("two"), is: [])
      try expect(
        "the next lease", try await store.leasedUsers("two", at: ContractSample.later(30)),
        is: ["ann"])
      try await store.giveBack("ann", Sample.draw, "one")
      try expect(
        "still leased", try await store.leasedUsers("three", at: ContractSample.later(31)), is: [])
    },
    Law("A lease that is given back is free at once, and the state stays as it was") { store in
      try await store.save(Sample.state())
      for token in ["one", "two"] {
        try expect("the lease", try await store.leasedUsers(token), is: ["ann"])
        try await store.giveBack("ann", Sample.draw, token)
      }
      try expect("the state", try await store.state(), is: Sample.state())
    },
    Law("A lease is given back by the worker that has it only") { store in
      try await store.save(Sample.state())
      try await store.save(Sample.state(in: Sample.paint))
      try expect("the leases", try await store.leasedUsers("one"), is: ["ann", "ann"])
      for (user, bundleID, token) in [
        ("ann", Sample.draw, "two"), ("ann", Sample.draw, "ONE"), ("anna", Sample.draw, "one"),
        ("ann", "com.example", "one"), ("ann", Sample.draw, ""),
      ] { try await store.giveBack(AccountID(stored: user), bundleID, token) }
      try expect("still leased", try await store.leasedUsers("two"), is: [])
      let end = ContractSample.later(600)
      try expect("the second worker's", try await store.leasedUsers("two", at: end).count, is: 2)
      try await store.giveBack("ann", Sample.draw, "one")
      try expect("leased by the second", try await store.leasedUsers("three", at: end), is: [])
      try await store.giveBack("ann", Sample.draw, "two")
      try expect(
        "the third worker's", try await store.lease("three", at: end).map(\.state.bundleID),
        is: [Sample.draw])
    },
    Law("A leased validation is put off by its worker only, and nothing else of it changes") {
      store in
      func postpone(_ token: String, of user: AccountID = "ann", to seconds: Double) async throws {
        try await store.write {
          try await $0.validations.postpone(
            user, bundleID: Sample.draw, to: ContractSample.later(seconds), token: token)
        }
      }
      try await store.save(Sample.state())
      try await store.save(Sample.state(), of: "ben")
      try expect("the leases", try await store.leasedUsers("one"), is: ["ann", "ben"])
      // The client was faster; what the worker has read is old.
      let newer = AppValidation(
        bundleID: Sample.draw, validatedDate: ContractSample.later(5),
        nextValidationDate: ContractSample.later(10))
      try await store.save(newer)
      for token in ["one", "two", ""] { try await postpone(token, to: 700) }
      try expect("the newer state", try await store.state(), is: newer)
      try await postpone("two", of: "ben", to: 700)
      try expect("the state", try await store.state(of: "ben"), is: Sample.state())
      try await postpone("one", of: "ben", to: 700)
      try expect(
        "the state that is put off", try await store.state(of: "ben"), is: Sample.state(700))
      try expect(
        "the lease has ended", try await store.leasedUsers("three", at: ContractSample.later(700)),
        is: ["ann", "ben"])
    },
    Law("A lease of a validation is never given by a unit of work that throws") { store in
      try await store.save(Sample.state())
      try await store.writeUndone {
        _ = try await $0.validations.lease(
          now: Sample.now, until: Sample.now + 600, token: "one", limit: 1)
      }
      try expect("the lease", try await store.leasedUsers("two"), is: ["ann"])
    },
    Law("8 workers that lease validations at once never get the same, and together get all") {
      store in try await StoreHandles(store).expectValidationLeasesAreApart()
    },
  ]
}

enum UnansweredLaws {
  /// The laws of the purchases whose state could not be learned.
  static let all: [StoreLaw] = [
    Law("The first failure of a purchase stays until it ends, and the next one begins anew") {
      store in
      try await store.note(purchase("1", 1.002), purchase("2", 2))
      try await store.note(purchase("1", 0), purchase("1", 9), purchase("3", 3))
      try await expectUnanswered(store, [purchase("1", 1.002), purchase("2", 2), purchase("3", 3)])
      try await store.endFailures("1", "404")
      try await expectUnanswered(store, [purchase("2", 2), purchase("3", 3)])
      try await store.note(purchase("1", 9))
      try await expectUnanswered(store, [purchase("1", 9), purchase("2", 2), purchase("3", 3)])
      try await store.endFailures("1", "2", "3")
      try await expectUnanswered(store, [])
    },
    Law("The failure of a purchase is of its environment only") { store in
      try await store.note(purchase("1", 1), purchase("1", 2, in: .sandbox))
      try await expectUnanswered(store, [purchase("1", 1)])
      try await store.endFailures("1", in: .sandbox)
      try await expectUnanswered(store, [], in: .sandbox)
      try await expectUnanswered(store, [purchase("1", 1)])
    },
    Law("Failures that are noted in a unit of work that throws are none") { store in
      try await store.writeUndone { try await $0.validations.note([purchase("1", 1)]) }
      try await expectUnanswered(store, [])
    },
  ]

  private static func purchase(
    _ id: String, _ seconds: Double, in environment: AppStoreEnvironment = .production
  ) -> UnansweredPurchase {
    UnansweredPurchase(
      environment: environment, originalTransactionID: id,
      firstFailureDate: ContractSample.later(seconds))
  }

  private static func expectUnanswered(
    _ store: any PurchaseStore, _ purchases: [UnansweredPurchase],
    in environment: AppStoreEnvironment = .production
  ) async throws {
    let found = try await store.read {
      try await $0.validations.unanswered(["1", "2", "3", "2", "404"], environment: environment)
    }
    try expect(
      "the purchases", found.sorted { $0.originalTransactionID < $1.originalTransactionID },
      is: purchases)
  }
}

extension PurchaseStore {
  /// Notes failures, in a unit of work of their own.
  func note(_ purchases: UnansweredPurchase...) async throws {
    try await write { try await $0.validations.note(purchases) }
  }

  fileprivate func endFailures(
    _ ids: String..., in environment: AppStoreEnvironment = .production
  ) async throws {
    try await write { try await $0.validations.endFailures(of: ids, environment: environment) }
  }
}
