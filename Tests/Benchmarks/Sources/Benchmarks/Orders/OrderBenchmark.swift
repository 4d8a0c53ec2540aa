import CBaseline
import CEngines
import Foundation
import Storekeeper
import Synchronization

/// Orders and the checks at logins, beside bare transactions of the same engine that write the same rows.
struct OrderBenchmark {
  let rounds: Int
  let seconds: Double

  private static let callers = [1, 16]
  private static let works = [(work_order, "order"), (work_login, "login")]

  func run(on kinds: [DatabaseKind]) async throws {
    print(
      "orders and logins a second, durable; medians of \(rounds) rounds of \(seconds) s, in turn")
    print("ours asks Apple, in memory, and reads its answer; bound: the same rows written, and")
    print("those of a login read, by the engine's own C interface")
    print(String(repeating: " ", count: 53) + "ours    bound  ratio       CPU")
    for kind in kinds {
      try await Database.inFolder { folder in
        let ours = try await Database(kind, "ours", in: folder)
        let bare = try await Database(kind, "bound", in: folder)
        for database in [ours, bare] { try database.fill(orderedSubscriptions: ordered) }
        let load = try await OrderLoad(database: ours)
        let engine = try Engine(bare, callers: Self.callers.max() ?? 1)
        for callers in Self.callers {
          try await measure(kind, load, engine, callers: callers)
        }
        try load.check(ours)
      }
    }
  }

  private func measure(
    _ kind: DatabaseKind, _ load: OrderLoad, _ engine: Engine, callers: Int
  ) async throws {
    var costs = Measurement()
    for round in 0...rounds {
      for (work, name) in Self.works {
        let mine = try await load.run(work, callers: callers, seconds: seconds)
        let bound = try engine.run(work, callers: callers, seconds: seconds)
        // The first round warms up.
        guard round > 0 else { continue }
        costs.add(name, nanoseconds: mine.nanoseconds / Double(mine.count))
        costs.add(name + ", CPU", nanoseconds: mine.cpu / Double(mine.count))
        costs.add(name + ", bound", nanoseconds: bound.nanoseconds / Double(bound.count))
      }
    }
    for (work, name) in Self.works {
      let rows = work_writes(work) == 1 ? "1 row" : "\(work_writes(work)) rows"
      let title =
        "\(kind.name), \(callers) \(callers == 1 ? "caller" : "callers"), \(name) (\(rows))"
      print(
        "  " + title.padding(toLength: 48, withPad: " ", startingAt: 0)
          + String(
            format: "%7.0f  %7.0f  %5.2f  %6.0f µs", 1e6 / costs.microseconds(name),
            1e6 / costs.microseconds(name + ", bound"),
            1 / costs.ratio(name, to: [(name + ", bound", 1)]),
            costs.microseconds(name + ", CPU")))
    }
  }
}

/// The number of users with a stored order.
private let ordered = Int(ordered_count)

/// Callers of a service.
private final class OrderLoad: Sendable {
  private let service: OrderService
  private let calls = Calls()
  private let orders = Atomic(0)
  private let logins = Atomic(0)

  /// The number of calls.
  private final class Calls: Sendable {
    let number = Atomic(0)
  }

  struct UnexpectedResult: Error {}

  init(database: Database) async throws {
    let client = try VerifyReceiptClient(
      transport: try CannedAppStore(customers: ordered), bundleIDs: [BenchmarkService.bundleID],
      sharedSecret: AppSharedSecret("0123456789abcdef0123456789abcdef"),
      configuration: .orderService)
    service = try OrderService(
      PurchaseContext(
        store: try await database.store(), accounts: UnlistedAccounts(),
        now: { [calls] in
          // Each answer is of another moment, as a row that does not change is not written.
          BenchmarkService.now + Double(calls.number.wrappingAdd(1, ordering: .relaxed).newValue)
            / 1000
        }), vendors: [AppleVendor(receipts: client)])
    let levels = [
      ("Basic", "4.99", "com.example.reader.subscription.basic"),
      ("Pro", "9.99", BenchmarkService.product),
    ]
    try await service.replaceLevels(
      with: SubscriptionLevels(
        levels.map { name, fee, product in
          guard let fee = MonthlyFee(fee) else { throw UnexpectedResult() }
          return SubscriptionLevel(
            name: name, description: "Ten portfolios", quota: 10, fee: fee,
            appleProductID: product)
        }))
  }

  /// So many callers make one call after the other for so long.
  func run(
    _ work: Work, callers: Int, seconds: Double
  ) async throws -> (count: Int, nanoseconds: Double, cpu: Double) {
    let (start, startCPU) = (wall_nanoseconds(), cpu_nanoseconds())
    let deadline = start + UInt64(seconds * 1e9)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<callers {
        group.addTask {
          var count = 0
          while wall_nanoseconds() < deadline {
            try await self.call(work)
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return (count, Double(wall_nanoseconds() - start), Double(cpu_nanoseconds() - startCPU))
  }

  private func call(_ work: Work) async throws {
    if work == work_order {
      let number = ordered + orders.wrappingAdd(1, ordering: .relaxed).newValue
      _ = try await service.order(
        SubscriptionOrder(
          userID: AccountID(Numbered.account(number)), vendor: .apple,
          receiptData: CannedAppStore.receipt))
    } else {
      let number = logins.wrappingAdd(1, ordering: .relaxed).newValue % ordered + 1
      let shown = try await service.subscriptionForProfile(
        of: AccountID(Numbered.account(number)))
      guard shown?.level.name == "Pro" else { throw UnexpectedResult() }
    }
  }

  /// Checks that each order was stored, and that no login found another purchase.
  func check(_ database: Database) throws {
    let expected = Int64(ordered + orders.load(ordering: .relaxed))
    for table in ["user_subscriptions", "subscription_claims"] {
      let rows = try Engine(database).rows("SELECT COUNT(*) FROM \(table)")
      guard rows == [[.integer(expected)]] else { throw UnexpectedResult() }
    }
  }
}
