import Foundation
import InMemoryStorage
import StorekeeperFixtures
import Storekeeper
import StorekeeperTesting
import Testing

@Suite(
  "Apple's real answers about one subscription",
  .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct RealAnswerTests {
  /// In the order in which Apple gave them: three, four and seven periods.
  private static let names = [
    "dollabill-subscription_first_time_purchase", "dollabill-subscription_second_time_purchase",
    "dollabill-subscription_multiple_subscription_purchases",
  ]

  @Test(
    "lead to the same subscription in any order",
    arguments: StoreKind.available,
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [2, 2, 0, 1, 0]])
  func order(kind: StoreKind, order: [Int]) async throws {
    try await kind.withStore { store in
      for place in order {
        let service = try service(store, answering: Self.names[place])
        _ = try await service.verify(receipt: "MIIB")
      }
      // From the last of the three answers, by hand.
      let subscription = try await service(store, answering: Self.names[0])
        .subscription("1000000741421650")
      #expect(subscription.lastTransactionID == "1000000741424335")
      #expect(subscription.productID == "test_sub2")
      #expect(subscription.expiresDate == Date(timeIntervalSince1970: 1_605_231_270))
      #expect(subscription.tier == .premium)
      #expect(subscription.autoRenewal)
      let stored = try await store.read { records in
        (
          try await records.storedSubscriptions.find(["1000000741421650"]).first?.asOf,
          try await records.purchases.transactions(
            of: ["1000000741421650"], environment: .sandbox
          ).count
        )
      }
      #expect(stored.0 == Date(timeIntervalSince1970: 1_605_231_046.302))
      #expect(stored.1 == 7)
    }
  }

  private func service(
    _ store: any PurchaseStore, answering name: String
  ) throws -> SubscriptionService {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.clock = ManualClock()
    return try SubscriptionService(
      PurchaseContext(store: store, accounts: InMemoryAccountDirectory()),
      products: ProductMap([
        "test_subscription": Plan(tier: .standard, cycle: .month),
        "test_sub2": Plan(tier: .premium, cycle: .month),
      ]),
      appStore: try VerifyReceiptClient(
        transport: Recording(name: name), bundleIDs: ["com.foo.foo"],
        configuration: configuration))
  }
}

/// Production says that the receipt is the Sandbox's, and the Sandbox gives Apple's real answer.
private struct Recording: HTTPTransport {
  let name: String

  func send(_ request: HTTPRequestMessage) throws -> HTTPResponseMessage {
    guard request.url.contains("sandbox") else {
      return HTTPResponseMessage(status: .ok, body: Array("{\"status\":21007}".utf8))
    }
    return HTTPResponseMessage(
      status: .ok, body: Array(try Fixtures.data("verify-receipt/json/\(name).json")))
  }
}
