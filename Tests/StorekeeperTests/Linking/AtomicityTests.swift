import Foundation
import StoreSimulators
import Storekeeper
import Testing

/// Requests that write much, and the scene before each of them.
enum WritingRequest: String, CaseIterable, Sendable {
  case verify, renew, link, claim, dispute, switchByForce, sync, unlink

  /// How many writes the request makes at least; fewer would mean that nothing was tested.
  var leastWrites: Int {
    switch self {
    case .verify: 5  // transactions, renewals, session, subscription, receipt
    case .renew: 8  // the same, and snapshot, membership, event
    case .link: 3  // claim, membership, e-mail
    case .claim, .dispute: 1
    case .switchByForce: 4  // claim, snapshot, membership, e-mail
    case .sync: 2  // snapshot, membership
    case .unlink: 5  // owner, membership, snapshot, archive, e-mail
    }
  }
}

@Suite("A request that fails at any of its writes")
struct AtomicityTests {
  @Test("leaves nothing behind", arguments: StoreKind.available, WritingRequest.allCases)
  func atomic(kind: StoreKind, request: WritingRequest) async throws {
    try await kind.withStore { store in
      let setting = try await AtomicityScene(store: store, request: request)
      var failures = 0
      for failing in 1... {
        let before = try await setting.state()
        do {
          try await setting.perform(on: faultyStore(base: store, failing: failing))
        } catch is BrokenConnection {
          failures += 1
          #expect(try await setting.state() == before, "at write \(failing)")
          continue
        } catch is SubscriptionFailure {
        }
        #expect(try await setting.state() != before)
        break
      }
      #expect(failures >= request.leastWrites)
    }
  }
}

/// The records of a scene, as far as requests change them.
struct AtomicityState: Equatable {
  var subscriptions: [StoredSubscription]
  var memberships: [Membership]
  var histories: [[MembershipEvent]]
  var unsent: Int
  var transactions: Set<PurchaseRecord>
  var renewals: Set<RenewalRecord>
  var receipts: [StoredReceipt?]
}

struct AtomicityScene: Sendable {
  let scene: ServiceScene
  let request: WritingRequest
  let ids: [String]

  init(store: any PurchaseStore, request: WritingRequest) async throws {
    scene = try await ServiceScene(store: store)
    self.request = request
    let one = try scene.appStore.buy(ServiceScene.monthly, by: "one")
    let two = try scene.appStore.buy(ServiceScene.premium, by: "two")
    ids = [one.originalTransactionID, two.originalTransactionID]
    if request == .verify { return }
    try await scene.verify("one")
    try await scene.verify("two")
    switch request {
    case .verify, .link: break
    case .renew:
      _ = try await scene.service.link("alice", to: ids[0])
      _ = try scene.appStore.renew(one)
    case .claim, .dispute, .switchByForce, .unlink:
      _ = try await scene.service.link("alice", to: ids[0])
    case .sync:
      var membership = try await scene.service.link("alice", to: ids[0])
      let previous = membership
      membership.expireDate = CalendarDay("2023-01-01")
      let changed = membership
      try await scene.store.write { records in
        _ = try await records.memberships.update(changed, previous: previous)
      }
    }
  }

  func perform(on store: any PurchaseStore) async throws {
    let appStore = scene.appStore
    let service = try SubscriptionService(
      PurchaseContext(store: store, accounts: scene.accounts, now: { appStore.now }),
      products: ServiceScene.products, appStore: scene.service.appStore)
    switch request {
    case .verify, .renew: _ = try await service.verify(receipt: appStore.receipt(of: "one"))
    case .link, .sync: _ = try await service.link("alice", to: ids[0])
    case .claim: _ = try await service.link("alice", to: ids[1])
    case .dispute: _ = try await service.link("bob", to: ids[0])
    case .switchByForce: _ = try await service.link("alice", to: ids[1], force: true)
    case .unlink: try await service.unlink("alice", from: ids[0])
    }
  }

  func state() async throws -> AtomicityState {
    let ids = ids
    return try await scene.store.read { records in
      var histories: [[MembershipEvent]] = []
      var receipts: [StoredReceipt?] = []
      for id in ids {
        histories.append(
          try await records.memberships.history(of: .subscription(id), limit: 100))
        receipts.append(try await records.purchases.receipt(of: id, environment: .production))
      }
      return AtomicityState(
        subscriptions: try await records.storedSubscriptions.find(ids),
        memberships: try await records.memberships.find(
          account: Account(id: "alice"), appleSubscriptionIDs: ids),
        histories: histories, unsent: try await records.outbox.unsentCount(),
        transactions: Set(
          try await records.purchases.transactions(of: ids, environment: .production)),
        renewals: Set(try await records.purchases.renewals(of: ids, environment: .production)),
        receipts: receipts)
    }
  }
}
