import Foundation
import StorekeeperTesting
import Testing

@Suite("Any history of purchases", .onEveryStore)
struct AgreementTests {
  /// The number of histories on each store, such as 20000; `Tests/run --long` sets it.
  static let count =
    ProcessInfo.processInfo.environment["STOREKEEPER_HISTORIES"].flatMap { Int($0) } ?? 30

  /// The seed of the first history, for playing one again.
  static let seed =
    ProcessInfo.processInfo.environment["STOREKEEPER_HISTORY_SEED"].flatMap { UInt64($0) } ?? 1

  @Test("leads memberships, entitlements and orders to the same, and strangers to nothing")
  func agreement() async throws {
    var active = 0
    // Each slice has a store of its own, as one in memory gets slower with all that it keeps.
    for first in stride(from: 0, to: Self.count, by: 500) {
      active += try await StoreScope.agreement(
        histories: min(500, Self.count - first), seed: Self.seed &+ UInt64(first))
    }
    // Nor is nothing ever bought.
    #expect(active > Self.count / 5)
  }
}
