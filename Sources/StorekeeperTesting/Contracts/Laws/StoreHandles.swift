internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

/// One or more handles to the same data, for laws that hold for either.
struct StoreHandles: Sendable {
  let stores: [any PurchaseStore]

  init(_ stores: any PurchaseStore...) { self.stores = stores }

  subscript(number: Int) -> any PurchaseStore { stores[number % stores.count] }
}

extension StoreHandles {
  /// Nobody ever sees the writes of a unit of work that then throws.
  func expectUnfinishedIsUnseen() async throws {
    try await self[0].save(Sample.subscription())
    let (written, seen) = (ContractGate(), ContractGate())
    async let writing: Void = self[0].write { records in
      try await records.storedSubscriptions.setOwner(
        "dirty", of: "1000000000000001", now: Sample.now)
      written.open()
      await seen.wait(atMost: .seconds(2))
      throw CancellationError()
    }
    await written.wait()
    let owner = try await self[1].owner()
    seen.open()
    do { try await writing } catch is CancellationError {}
    try expect("the owner", owner, is: nil)
    try expect("the owner afterwards", try await self[1].owner(), is: nil)
  }

  /// Of 64 accounts that claim a free subscription at once one gets it.
  func expectOneClaimWins() async throws {
    try await self[0].save(Sample.subscription())
    let results = try await concurrently(64) { number in
      try await self[number].write { records in
        let row = try await records.storedSubscriptions.find(["1000000000000001"]).first
        guard row?.subscription.owner == nil else { return "" }
        await Task.yield()
        let owner = "member-\(number)"
        try await records.storedSubscriptions.setOwner(
          AccountID(stored: owner), of: "1000000000000001", now: Sample.now)
        return owner
      }
    }
    let winners = results.filter { !$0.isEmpty }
    try expect("the number of winners", winners.count, is: 1)
    try expect(
      "the owner", try await self[0].owner()?.rawValue,
      is: winners.first)
  }

  /// 8 workers that lease at once never get the same row, and together get all.
  func expectLeasesAreApart() async throws {
    for number in 0..<60 {
      try await self[0].save(Sample.subscription("\(1000 + number)", expires: Sample.days(1)))
    }
    try await expectApart { worker in
      try await self[worker].write {
        try await $0.refreshes.lease(Sample.leaseRequest("worker-\(worker)", limit: 4))
      }.map(\.originalTransactionID)
    }
  }
}

enum SharedStoreLaws {
  /// The laws of two handles to the same data, such as those of two processes.
  static let all: [Law<StoreHandles>] = [
    Law("What one handle has written the other sees") { handles in
      let (one, other) = (handles[0], handles[1])
      try await one.save(Sample.subscription())
      try await other.setOwner("member")
      try expect("the owner", try await one.owner(), is: "member")
    },
    Law("What one handle has not finished the other does not see") { handles in
      try await handles.expectUnfinishedIsUnseen()
    },
    Law("Of 64 claims by two handles exactly one gets a free subscription") { handles in
      try await handles.expectOneClaimWins()
    },
    Law("8 workers with two handles never lease the same row, and together get all") { handles in
      try await handles.expectLeasesAreApart()
    },
    Law("Unique keys hold over both handles") { handles in
      let (one, other) = (handles[0], handles[1])
      try await one.insert(try Sample.appleMembership("first", of: "1001"))
      try await expectFailure(.duplicate(.originalTransactionID)) {
        try await other.insert(try Sample.appleMembership("second", of: "1001"))
      }
    },
  ]
}
