internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLSession {
  /// How many rows one statement takes off hold: few enough for any time limit, and written into its
  /// text, so that a plan that is made once knows it.
  static let wakeLimit = 1000

  /// Takes rows off hold whose time has come, those first that came first.
  ///
  /// So many at most that a lease of this size may find enough; the others stay for the next lease.
  func wake(_ statement: LockableStatement, now: Date, atLeast limit: Int) async throws {
    let statement = choose(statement)
    var left = limit
    while left > Self.wakeLimit {
      let count = try await execute(statement, [.seconds(now)])
      guard count >= Self.wakeLimit else { return }
      left -= count
    }
    try await run(statement, [.seconds(now)])
  }
}
