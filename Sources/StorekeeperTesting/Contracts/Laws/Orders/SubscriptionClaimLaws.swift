internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = OrderSample

enum SubscriptionClaimLaws {
  /// The laws of claims to purchases.
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
        throw Interruption(number: 1)
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
