import CBaseline
import CEngines
import Foundation

/// The bound of a notification with a transaction and a renewal inside: three raw verifications, and the rows that it
/// stores written by the engine's own C interface.
///
/// `Tests/Benchmarks/notifications` runs it beside the server.
struct NotificationBound {
  let seconds: Double

  /// Prints how many such transactions one caller makes in a second, for each engine.
  func run(on kinds: [DatabaseKind]) async throws {
    let digest = [UInt8](repeating: 0x5A, count: 32)
    guard let verification = verification_new("P-256", digest, digest.count) else {
      throw Baseline.Unavailable()
    }
    defer { verification_free(verification) }
    for kind in kinds {
      try await Database.inFolder { folder in
        let database = try await Database(kind, "bound", in: folder)
        let engine = try Engine(database)
        _ = try engine.run(work_notification, callers: 1, seconds: seconds / 4)
        let rows = try engine.run(work_notification, callers: 1, seconds: seconds)
        let count: Int32 = 2000
        let start = wall_nanoseconds()
        guard verification_run(verification, count) == 1 else { throw Baseline.Unavailable() }
        let raw = Double(wall_nanoseconds() - start) / Double(count)
        print(kind.name, 1e9 / (rows.nanoseconds / Double(rows.count) + 3 * raw))
      }
    }
  }
}
