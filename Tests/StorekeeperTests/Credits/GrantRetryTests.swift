import StoreSimulators
import Storekeeper
import StorekeeperLocks
import Testing

/// Source: credit rules, sections 3 and 4.
@Suite("Credits when the store fails")
struct GrantRetryTests {
  @Test("after a unique key was in the way five times the sixth try grants, and not one more")
  func duplicates() async throws {
    try await CreditScene.run { (scene) async throws in
      let store = FailingStore(scene.store)
      store.fail(.duplicate(.creditTransaction), times: 5)
      #expect(try await scene.grant(by: store).status == .granted)
      #expect(store.tries == 6)
      store.fail(.duplicate(.ledgerEvent), times: 6)
      await #expect(throws: CreditFailure.conflict) { try await scene.grant(by: store) }
      #expect(store.tries == 6)
    }
  }

  @Test("a conflict that the store reports has been retried by the store")
  func conflict() async throws {
    try await CreditScene.run { (scene) async throws in
      let store = FailingStore(scene.store)
      store.fail(.conflict, times: 1)
      await #expect(throws: CreditFailure.conflict) { try await scene.grant(by: store) }
      #expect(store.tries == 1)
      #expect(try await scene.balance() == 100)
    }
  }

  @Test("a commit of unknown outcome is looked at once more, and gives the credits once")
  func unknownOutcome() async throws {
    try await CreditScene.run { (scene) async throws in
      let store = FailingStore(scene.store)
      store.failAfterCommit()
      let grant = try await scene.grant(by: store)
      #expect(grant.status == .alreadyGranted)
      #expect(grant.newBalance == 600)
      #expect(store.tries == 2)
      store.failAfterCommit()
      let booking = LedgerBooking(
        userID: "u1", eventID: "bonus:1", changeType: .init(rawValue: "bonus"), subjectType: "host",
        subjectID: "1", amount: 7)
      let entry = try await scene.service(on: store).book(booking)
      #expect(entry.balanceAfter == 607)
      #expect(try await scene.balance() == 607)
    }
  }

  @Test(
    "where the second look fails as well, the outcome is still unknown",
    arguments: [
      StorageFailure.unavailable(mayHaveCommitted: false, detail: "away"), .conflict,
      .database(code: 1, detail: "broken"),
    ])
  func failedLook(second: StorageFailure) async throws {
    try await CreditScene.run { (scene) async throws in
      let store = FailingStore(scene.store)
      let booking = LedgerBooking(
        userID: "u1", eventID: "bonus:1", changeType: "bonus", subjectType: "host",
        subjectID: "1", amount: 7)
      store.failAfterCommit(then: second)
      let booked = await #expect(throws: StorageFailure.self) {
        try await scene.service(on: store).book(booking)
      }
      #expect(booked == .unavailable(mayHaveCommitted: true, detail: "lost"))
      store.failAfterCommit(then: second)
      let granted = await #expect(throws: StorageFailure.self) {
        try await scene.grant(by: store)
      }
      #expect(granted == .unavailable(mayHaveCommitted: true, detail: "lost"))
      #expect(try await scene.balance() == 607)
    }
  }

  @Test("a purchase that is revoked before its commit is looked at leaves the outcome open")
  func revokedMeanwhile() async throws {
    try await CreditScene.run { (scene) async throws in
      let store = FailingStore(scene.store)
      var refunded = scene.transaction()
      refunded.revocationDate = scene.appStore.now
      store.failAfterCommit { [refunded] in _ = try await scene.notify(.refund, refunded) }
      let failure = await #expect(throws: StorageFailure.self) {
        try await scene.grant(by: store)
      }
      guard case .unavailable(mayHaveCommitted: true, _)? = failure else {
        Issue.record("the outcome is told: \(String(describing: failure))")
        return
      }
      #expect(store.tries == 2)
      #expect(try await scene.balance() == 100)
      #expect(try await scene.entries().map(\.booking.amount) == [500, -500])
      await #expect(throws: CreditFailure.refused(.revoked)) { try await scene.grant(by: store) }
    }
  }
}

extension CreditScene {
  fileprivate func service(on store: any PurchaseStore) throws -> CreditService {
    try CreditService(
      PurchaseContext(
        store: store, accounts: CreditAccounts(), verifier: verifier, now: { appStore.now }),
      products: try CreditProducts(Self.products))
  }

  /// Asks a service on another store for the credits of X.
  fileprivate func grant(by store: any PurchaseStore) async throws -> CreditGrant {
    let transaction = transaction()
    return try await service(on: store).grant(
      GrantClaim(
        userID: "u1", productCode: "big_pack", appStoreProductID: Self.big,
        transactionID: Self.x), signedTransactionInfo: try signed(transaction))
  }
}

/// A store whose units of work that write can be made to fail.
private final class FailingStore: PurchaseStore {
  private struct Plan {
    var failures: [StorageFailure] = []
    var commitsFirst = false
    var meanwhile: @Sendable () async throws -> Void = {}
    var tries = 0
  }

  private let base: any PurchaseStore
  var capabilities: Set<StoreCapability> { base.capabilities }
  private let plan = Locked(Plan())

  init(_ base: any PurchaseStore) { self.base = base }

  /// The number of units of work since the last plan.
  var tries: Int { plan.withLock(\.tries) }

  func fail(_ failure: StorageFailure, times: Int) {
    plan.withLock { $0 = Plan(failures: Array(repeating: failure, count: times)) }
  }

  func failAfterCommit(
    then second: StorageFailure? = nil,
    _ meanwhile: @escaping @Sendable () async throws -> Void = {}
  ) {
    let failure = StorageFailure.unavailable(mayHaveCommitted: true, detail: "lost")
    let failures = [second, failure].compactMap(\.self)
    plan.withLock { $0 = Plan(failures: failures, commitsFirst: true, meanwhile: meanwhile) }
  }

  func read<Result: Sendable>(
    _ body: UnitOfWorkBody<Result>
  ) async throws -> Result { try await base.read(body) }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    let (failure, commitsFirst, meanwhile) = plan.withLock { plan in
      plan.tries += 1
      return (plan.failures.popLast(), plan.commitsFirst && plan.tries == 1, plan.meanwhile)
    }
    guard let failure else { return try await base.write(body) }
    if commitsFirst { _ = try await base.write(body) }
    try await meanwhile()
    throw failure
  }
}
