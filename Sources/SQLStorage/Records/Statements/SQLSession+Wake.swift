internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLSession {
  /// The maximum number of rows that one statement takes off hold.
  ///
  /// So many rows take little time. The number is part of the statement's text, so that the database plans for it.
  static let wakeLimit = 1000

  /// Takes rows off hold whose time has come, the earliest first.
  ///
  /// Takes as many rows as a lease of the given size needs, and leaves the others to the next lease.
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
