import CBaseline
import Foundation
import Storekeeper

/// A service on a database with so many subscriptions, and calls of it that leave all as it was.
final class Scene {
  let size: Int
  private let store: any PurchaseStore
  private var calls = 0

  init(size: Int, store: any PurchaseStore) {
    self.size = size
    self.store = store
  }

  /// Free subscriptions from all over the table; none comes again soon.
  private func freeNumber() -> Int {
    calls += 1
    return calls * 611_953 % (size / 2) * 2 + 2
  }

  func links(_ name: String, _ costs: inout Measurement) async throws {
    let service = try BenchmarkService.on(store)
    let numbers = (0..<50).map { _ in freeNumber() }
    try await costs.add(name, count: numbers.count, clock: wall_nanoseconds) {
      for number in numbers {
        _ = try await service.link(
          AccountID(Numbered.account(number)), to: Numbered.subscription(number))
      }
    }
    for number in numbers {
      try await service.unlink(
        AccountID(Numbered.account(number)), from: Numbered.subscription(number))
    }
  }

  /// The account is chosen by the number of the call.
  func lists(
    _ name: String, of choice: (Int) -> Int, _ costs: inout Measurement
  ) async throws {
    let service = try BenchmarkService.on(store)
    try await costs.add(name, count: 100, clock: wall_nanoseconds) {
      for _ in 0..<100 {
        calls += 1
        let page = try await service.subscriptions(
          of: AccountID(Database.collector(choice(calls) % (size / 1000))))
        precondition(page.total == 25 && page.subscriptions.count == 20, "25 are owned")
      }
    }
  }

  func leases(_ name: String, _ costs: inout Measurement) async throws {
    for _ in 0..<5 {
      var leases: [RefreshLease] = []
      try await costs.add(name, count: 1, clock: wall_nanoseconds) {
        leases = try await lease()
      }
      precondition(leases.count == 50, "many are due")
      let given = leases
      try await store.write { records in
        for lease in given { try await records.refreshes.giveBack(lease) }
      }
    }
  }

  private func lease() async throws -> [RefreshLease] {
    let now = BenchmarkService.now
    let request = RefreshLeaseRequest(
      now: now, horizon: now + 3 * 86_400, oldest: now - 60 * 86_400, limit: 50,
      token: "0123456789abcdef0123456789abcdef", until: now + 600)
    return try await store.write { records in try await records.refreshes.lease(request) }
  }

  /// Each call once.
  func callEach() async throws {
    let service = try BenchmarkService.on(store)
    let number = freeNumber()
    _ = try await service.link(
      AccountID(Numbered.account(number)), to: Numbered.subscription(number))
    _ = try await service.subscriptions(of: AccountID(Database.collector(0)))
    let leases = try await lease()
    try await store.write { records in
      for lease in leases { try await records.refreshes.giveBack(lease) }
    }
    _ = try await service.verify(receipt: CannedAppStore.receipt)
  }
}
