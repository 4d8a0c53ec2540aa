import CBaseline
import Foundation
import Storekeeper

/// The answer to what a user may use, at growing numbers of users.
struct ProductsBenchmark {
  let rounds: Int
  let sizes: [Int]

  private static let calls = 500
  static let bundleID = "com.example.draw"

  struct UnexpectedResult: Error {}

  func run(on kinds: [DatabaseKind]) async throws {
    print("wall time of the products of a user at \(sizes) users, one caller;")
    print("medians of \(rounds) rounds, sizes in turn")
    for kind in kinds {
      try await Database.inFolder { folder in
        var services: [(size: Int, service: EntitlementService)] = []
        for size in sizes {
          let database = try await Database(kind, "products\(size)", in: folder)
          try database.fill(entitledUsers: size)
          let store = try await database.store()
          services.append((size, try Self.service(on: store)))
        }
        var costs = Measurement()
        for round in 0...rounds {
          for (size, service) in services {
            try await costs.add(
              round == 0 ? "warm up" : "\(size)", count: Self.calls, clock: wall_nanoseconds
            ) {
              for call in 0..<Self.calls {
                try await Self.ask(service, about: (round * Self.calls + call) * 7_919 % size)
              }
            }
          }
        }
        for size in sizes {
          costs.show(
            "\(kind.name), \(size) users", "\(size)", [("\(sizes[0])", 1)],
            "the cost at \(sizes[0])")
        }
      }
    }
  }

  private static func service(on store: any PurchaseStore) throws -> EntitlementService {
    let list = """
      [{"identifier": "com.example.draw.brushes", "productType": "nonConsumable"},
       {"identifier": "com.example.draw.full.monthly", "productType": "renewableSubscription"}]
      """
    return try EntitlementService(
      PurchaseContext(
        store: store, accounts: UnlistedAccounts(),
        now: { Date(timeIntervalSince1970: TimeInterval(Database.now)) }),
      apps: [
        EntitledApp(bundleID: bundleID, catalog: try ProductCatalog(json: Array(list.utf8)))
      ])
  }

  private static func ask(_ service: EntitlementService, about user: Int) async throws {
    let answer = try await service.products(
      of: AccountID(Numbered.account(user + 1)), in: bundleID)
    guard answer.allowedProducts == ["com.example.draw.brushes"] else { throw UnexpectedResult() }
  }
}
