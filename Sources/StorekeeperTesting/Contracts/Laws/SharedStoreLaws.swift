internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

extension SharedStoreLaw {
  /// Two handles to the same data, as two processes have them.
  static let all: [SharedStoreLaw] = [
    SharedStoreLaw("What one handle has written the other sees") { one, other in
      try await one.save(Sample.subscription())
      try await other.setOwner("member")
      try expect(
        "the owner", try await one.subscription()?.subscription.ftcUserID, is: "member")
    },
    SharedStoreLaw("What one handle has not finished the other does not see") { one, other in
      try await one.save(Sample.subscription())
      let written = ContractGate()
      let seen = ContractGate()
      async let writing: Void = one.write { records in
        try await records.subscriptions.setOwner(
          "half", of: "1000000000000001", now: Sample.now)
        written.open()
        await seen.waitWithPatience()
        throw CancellationError()
      }
      await written.wait()
      let owner = try await other.subscription()?.subscription.ftcUserID
      seen.open()
      do { try await writing } catch is CancellationError {}
      try expect("the owner", owner, is: nil)
    },
    SharedStoreLaw("Of 64 claims by two handles exactly one gets a free subscription") {
      one, other in
      try await one.save(Sample.subscription())
      let results = try await concurrently(64) { number in
        try await (number.isMultiple(of: 2) ? one : other).write { records in
          let row = try await records.subscriptions.find(["1000000000000001"]).first
          guard row?.subscription.ftcUserID == nil else { return false }
          await Task.yield()
          try await records.subscriptions.setOwner(
            "member-\(number)", of: "1000000000000001", now: Sample.now)
          return true
        }
      }
      try expect("the number of winners", results.count { $0 }, is: 1)
    },
    SharedStoreLaw("8 workers with two handles never lease the same row, and together get all") {
      one, other in
      for number in 0..<60 {
        try await one.save(Sample.subscription("\(1000 + number)", expires: Sample.days(1)))
      }
      let found = try await concurrently(8) { worker in
        var mine: [String] = []
        while true {
          let leases = try await (worker.isMultiple(of: 2) ? one : other).write {
            try await $0.refreshes.lease(Sample.leaseRequest("worker-\(worker)", limit: 4))
          }
          if leases.isEmpty { return mine }
          mine += leases.map(\.originalTransactionID)
        }
      }
      let all = found.flatMap { $0 }
      try expect("rows given", all.count, is: 60)
      try expect("different rows", Set(all).count, is: 60)
    },
    SharedStoreLaw("Unique keys hold over both handles") { one, other in
      try await one.insert(try Sample.appleMembership("first", of: "1001"))
      try await expectFailure("StorageFailure.duplicate(.appleSubscriptionID)") {
        try await other.insert(try Sample.appleMembership("second", of: "1001"))
      } isAccepted: {
        $0 == .duplicate(.appleSubscriptionID)
      }
    },
  ]
}
