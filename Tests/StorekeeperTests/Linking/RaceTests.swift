import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import Testing

@Suite("Requests at the same time")
struct RaceTests {
  @Test("of 200 accounts for one subscription: one wins", arguments: StoreKind.available)
  func accounts(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let scene = try await ServiceScene(store: store)
      let id = try await scene.bought().originalTransactionID
      let names = (0..<200).map { "account-\($0)" }
      for name in names { scene.accounts.add(Account(id: AccountID(stored: name))) }
      let results = try await attempts(names) { name in
        try await scene.service.link(AccountID(stored: name), to: id)
      }
      let winners = results.filter { $0.value == nil }.map(\.key)
      #expect(winners.count == 1)
      #expect(
        results.values.compactMap(\.self).count { $0 == .refused(.linkedToOtherAccount) } == 199)
      #expect(try await scene.service.subscription(id).owner?.rawValue == winners.first)
      let history = try await store.read { records in
        try await records.memberships.history(of: .subscription(id), limit: 1000)
      }
      #expect(history.map(\.kind) == Array(repeating: .dispute, count: 199))
      #expect(Set(history.compactMap(\.accountID?.rawValue)) == Set(names).subtracting(winners))
      #expect(try await scene.messages().count == 1)
    }
  }

  @Test("of one account for twenty subscriptions: one is used", arguments: StoreKind.available)
  func subscriptions(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let scene = try await ServiceScene(store: store)
      var ids: [String] = []
      for customer in 0..<20 {
        ids.append(try await scene.bought(by: "\(customer)").originalTransactionID)
      }
      let results = try await attempts(ids) { id in
        try await scene.service.link("alice", to: id)
      }
      let winners = results.filter { $0.value == nil }.map(\.key)
      #expect(winners.count == 1)
      #expect(
        results.values.compactMap(\.self).count { $0 == .refused(.linkedToOtherSubscription) }
          == 19)
      #expect(try await scene.membership(of: "alice")?.originalTransactionID == winners.first)
      let list = try await scene.service.subscriptions(of: "alice")
      #expect(list.total == 20)
      #expect(list.subscriptions.filter(\.isInUse).map(\.originalTransactionID) == winners)
    }
  }

  @Test(
    "for the first time with one receipt: one row, and nothing lost",
    arguments: StoreKind.available)
  func firstVerifications(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let scene = try await ServiceScene(store: store)
      let purchase = try scene.appStore.buy(ServiceScene.monthly)
      let receipt = try purchase.receipt
      let results = try await attempts((0..<32).map(String.init)) { _ in
        _ = try await scene.service.verify(receipt: receipt)
      }
      #expect(results.values.allSatisfy { $0 == nil })
      #expect(
        try await scene.service.subscription(purchase.originalTransactionID).lastTransactionID
          == purchase.transactionID)
    }
  }

  @Test(
    "by notifications of single periods of one new subscription: the last period counts",
    arguments: StoreKind.available)
  func notifications(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let scene = try await NotificationScene(store: store)
      let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
      let tokens = try (1...12).map { month in
        var transaction = scene.transaction(
          purchase, expires: ServiceScene.start + Double(month) * 30 * 86_400)
        transaction.transactionID = "\(5000 + month)"
        transaction.purchaseDate = ServiceScene.start + Double(month - 1) * 30 * 86_400
        return try scene.signed(.didRenew, transaction, uuid: "period-\(month)")
      }
      _ = try await attempts(tokens) { token in
        try await scene.service.receive(signedPayload: token)
      }
      let subscription = try await scene.scene.service.subscription(
        purchase.originalTransactionID)
      #expect(subscription.lastTransactionID == "5012")
      #expect(subscription.expiresDate == ServiceScene.start + 12 * 30 * 86_400)
    }
  }

  /// Runs all at the same time; the failure of each, by its name.
  private func attempts<Result: Sendable>(
    _ names: [String], _ body: @escaping @Sendable (String) async throws -> Result
  ) async throws -> [String: SubscriptionFailure?] {
    try await withThrowingTaskGroup(of: (String, SubscriptionFailure?).self) { group in
      for name in names {
        group.addTask {
          do {
            _ = try await body(name)
            return (name, nil)
          } catch let failure as SubscriptionFailure {
            return (name, failure)
          }
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = .some($1.1) }
    }
  }
}
