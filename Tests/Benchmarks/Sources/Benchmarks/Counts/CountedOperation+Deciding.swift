import CreditPolicy
import Foundation
import HTTPMessages
import InMemoryStorage
import JSONValues
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Storekeeper
import StorekeeperHTTP

extension CountedOperation {
  static var decisions: [CountedOperation] {
    [
      CountedOperation("derive-states", calls: 2) {
        let bytes = try VerifyReceiptBenchmark.answer(transactions: 1000)
        let response = try VerifyReceiptResponse(parsing: bytes)
        return .synchronous { _ in
          let states = response.subscriptions(at: VerifyReceiptBenchmark.moment)
          try insist(states.map(\.isEntitled) == [true])
        }
      },
      CountedOperation("decide-link") {
        let benchmark = try DecisionBenchmark()
        return .synchronous { _ in benchmark.decideAll() }
      },
      CountedOperation("decide-grant") {
        let product = CreditProduct(
          code: "big_pack", appStoreProductID: "com.example.gems.big", credits: 500)
        let purchase = CreditPurchase(
          environment: .production, transactionID: "2000000900000001",
          bundleID: BenchmarkService.bundleID, productID: product.appStoreProductID,
          purchaseDate: BenchmarkService.now)
        let claim = GrantClaim(
          userID: "u-1", productCode: product.code, appStoreProductID: product.appStoreProductID,
          transactionID: purchase.transactionID)
        return .synchronous { number in
          let decision = GrantProposal(claim: claim, product: product, purchase: purchase)
            .decision(stored: nil, isStarterUsed: false, balance: number)
          guard case .grant = decision else { throw UnexpectedResult() }
        }
      },
      CountedOperation("allowed-products", calls: 2) {
        let scene = try AllowedBenchmark.Scene(size: 1000)
        return .synchronous { _ in try scene.decide() }
      },
    ]
  }

  static var services: [CountedOperation] {
    [
      CountedOperation("find-in-sqlite", calls: 200) {
        let service = try await Self.service(on: Self.sqlite())
        return .asynchronous { number in
          _ = try await service.subscription(Numbered.subscription(number + 1))
        }
      },
      CountedOperation("link-in-sqlite", calls: 200) {
        .asynchronous(linking(try await Self.service(on: Self.sqlite())))
      },
      CountedOperation("link-in-memory", calls: 200) {
        .asynchronous(linking(try await Self.service(on: InMemoryPurchaseStore())))
      },
      CountedOperation("answer-get-one", calls: 200) {
        .asynchronous(try getting(try await Self.api(telemetry: nil)))
      },
    ]
  }

  /// A store in a file that ends with the process.
  private static func sqlite() async throws -> SQLiteStore {
    var configuration = SQLiteConfiguration()
    configuration.durability = .operatingSystem
    let folder = FileManager.default.temporaryDirectory
    return try await SQLiteStore(
      path: folder.appendingPathComponent("storekeeper-counts-\(UUID().uuidString).sqlite").path,
      capabilities: SQLCapability.all, configuration: configuration)
  }

  /// A service whose store has 400 subscriptions without an owner.
  private static func service(
    on store: any PurchaseStore, telemetry: (any Telemetry)? = nil
  ) async throws -> SubscriptionService {
    let now = BenchmarkService.now
    try await store.write { records in
      for number in 1...400 {
        let id = Numbered.subscription(number)
        let subscription = Subscription(
          environment: .production, originalTransactionID: id, lastTransactionID: id,
          productID: BenchmarkService.product, purchaseDate: now - 86_400,
          expiresDate: now + 30 * 86_400, tier: .standard, cycle: .month, autoRenewal: true)
        try await records.storedSubscriptions.save(subscription, asOf: now, now: now)
      }
    }
    return try BenchmarkService.on(store, telemetry: telemetry)
  }

  /// An API on a store in memory, with the token that ``getting(_:)`` uses.
  static func api(telemetry: (any Telemetry)?) async throws -> SubscriptionAPI {
    let entry = BearerTokens.Entry(
      name: "app", digest: try BearerTokens.digest(of: "token-of-an-app"))
    return SubscriptionAPI(
      try await Self.service(on: InMemoryPurchaseStore(), telemetry: telemetry),
      authenticator: BearerTokens([entry]))
  }

  /// Requests to an API, each for another one of its subscriptions.
  static func getting(_ api: SubscriptionAPI) throws -> (Int) async throws -> Void {
    var headers = HTTPHeaders()
    try headers.append("Bearer token-of-an-app", for: .authorization)
    let fields = headers
    return { number in
      let answer = await api.respond(
        to: HTTPRequestMessage(
          method: .get, url: "/api/v1/apple/subs/\(Numbered.subscription(number % 400 + 1))",
          headers: fields))
      try insist(answer.status == .ok)
    }
  }

  private static func linking(
    _ service: SubscriptionService
  ) -> (Int) async throws -> Void {
    { number in
      _ = try await service.link(
        AccountID(Numbered.account(number + 1)), to: Numbered.subscription(number + 1))
    }
  }
}
