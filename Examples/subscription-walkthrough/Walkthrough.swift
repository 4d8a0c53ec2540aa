import InMemoryStorage
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import SQLiteStorage
import StoreSimulators
import Storekeeper

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The life of a subscription, from the purchase to its end, on a database in a file.
@main
enum Walkthrough {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: subscription-walkthrough FILE   (a new SQLite database)")
      return
    }
    guard !FileManager.default.fileExists(atPath: CommandLine.arguments[1]) else {
      print("\(CommandLine.arguments[1]) is there already; the story begins with an empty database")
      return
    }
    let newspaper = try await Newspaper(database: CommandLine.arguments[1])
    let story = Story(newspaper: newspaper)
    try await story.tell()
  }
}

/// A newspaper with two readers, its service, and an App Store in memory in the place of Apple's.
struct Newspaper: Sendable {
  static let bundleID = "com.example.reader"

  let appStore: AppStoreSimulator
  let store: any PurchaseStore
  let service: SubscriptionService

  init(database: String) async throws {
    let appStore = try AppStoreSimulator(bundleID: Self.bundleID)
    let store = try await SQLiteStore(path: database)
    let accounts = InMemoryAccountDirectory([Account(id: "alice"), Account(id: "bob")])
    self.appStore = appStore
    self.store = store
    var configuration = VerifyReceiptClient.Configuration()
    configuration.clock = appStore.clock
    service = try SubscriptionService(
      PurchaseContext(store: store, accounts: accounts, now: { appStore.now }),
      products: ProductMap([
        "reader.monthly": Plan(tier: .standard, cycle: .month),
        "reader.premium": Plan(tier: .premium, cycle: .year),
      ]),
      appStore: try VerifyReceiptClient(
        transport: appStore, bundleIDs: [Self.bundleID], sharedSecret: appStore.sharedSecret,
        configuration: configuration))
  }
}
