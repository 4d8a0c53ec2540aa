import CBaseline
import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper

/// The check of a purchase of Google Play whose access token is there, answered from memory.
struct PlayCheckBenchmark {
  let rounds: Int

  private static let token = String(repeating: "kjhgfdsa", count: 18)
  private static let user: AccountID = "u-1"

  struct UnexpectedResult: Error {}

  func run() async throws {
    let transport = CannedPlayStore()
    let account = try TestServiceAccount()
    var configuration = GooglePlayClient.Configuration()
    configuration.now = { BenchmarkService.now }
    let play = try GooglePlayClient(
      packageName: "com.example.reader",
      tokens: AccessTokenSource(
        account: GoogleServiceAccount(keyFile: account.keyFile), transport: transport,
        now: { BenchmarkService.now }),
      transport: transport, configuration: configuration)
    let vendor = GoogleVendor(play)
    let service = try OrderService(
      PurchaseContext(
        store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), now: { BenchmarkService.now }),
      vendors: [vendor])
    try await service.replaceLevels(
      with: SubscriptionLevels([
        SubscriptionLevel(
          name: "Pro", description: "Ten portfolios", quota: 10, fee: "9.99",
          googleProductID: "reader_premium")
      ]))
    _ = try await service.order(
      SubscriptionOrder(userID: Self.user, vendor: .google, receiptData: Self.token))
    var costs = Measurement()
    for round in 0...rounds {
      let suffix = round == 0 ? ", warm up" : ""
      try await costs.add("vendor" + suffix) {
        let answer = await vendor.check(Self.token, for: .revalidation, at: BenchmarkService.now)
        guard case .valid = answer else { throw UnexpectedResult() }
      }
      try await costs.add("login" + suffix) {
        let shown = try await service.subscriptionForProfile(of: Self.user)
        guard shown?.level.name == "Pro" else { throw UnexpectedResult() }
      }
    }
    let bytes = CannedPlayStore.answer.count
    print("a purchase of Google Play, answered from memory with \(bytes) bytes,")
    print("the access token being there; CPU time of all threads, medians (80 µs or less)")
    costs.show("Google is asked", "vendor")
    costs.show("a login, its records in memory", "login")
    guard transport.tokenRequests == 1 else { throw UnexpectedResult() }
  }
}

extension Measurement {
  /// Adds one round of calls.
  fileprivate mutating func add(_ name: String, _ call: () async throws -> Void) async throws {
    let calls = 500
    try await add(name, count: calls, clock: cpu_nanoseconds) {
      for _ in 0..<calls { try await call() }
    }
  }
}
