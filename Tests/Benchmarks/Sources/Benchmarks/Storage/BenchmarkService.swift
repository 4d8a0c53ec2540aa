import Foundation
import Storekeeper

/// A service on a store, whose accounts are all that are asked for.
enum BenchmarkService {
  static let bundleID = "com.example.reader"
  static let product = "com.example.reader.subscription.monthly"
  static let now = Date(timeIntervalSince1970: Double(Database.now))

  private struct AnyAccount: AccountDirectory {
    func account(_ id: AccountID) async throws -> Account? { Account(id: id) }
  }

  static func on(
    _ store: any PurchaseStore, telemetry: (any Telemetry)? = nil
  ) throws -> SubscriptionService {
    let client = try VerifyReceiptClient(
      transport: try CannedAppStore(), bundleIDs: [bundleID],
      sharedSecret: AppSharedSecret("0123456789abcdef0123456789abcdef"))
    let plan = Plan(tier: .standard, cycle: .month)
    var context = PurchaseContext(store: store, accounts: AnyAccount(), now: { now })
    context.telemetry = telemetry
    return try SubscriptionService(
      context,
      products: ProductMap([product: plan]), appStore: client)
  }
}
