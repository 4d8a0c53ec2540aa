internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLSession {
  /// The number of rows that one statement takes off hold: few enough for any time limit, and part of its
  /// text, so that a plan that is made once knows it.
  static let wakeLimit = 1000

  /// Takes rows off hold whose time has come, earliest first.
  ///
  /// At most as many as a lease of this size needs; the others are left to the next lease.
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
