import CEngines
import Foundation

/// The bound of a notification with a transaction and a renewal inside: three signatures that OpenSSL verifies, and the
/// rows that it stores written by the engine's own C interface.
///
/// `Tests/Benchmarks/notifications` runs it beside the server.
struct NotificationBound {
  let seconds: Double

  /// Prints how many such transactions one caller makes in a second, for each engine.
  func run(on kinds: [DatabaseKind]) async throws {
    for kind in kinds {
      try await Database.inFolder { folder in
        let engine = try Engine(try await Database(kind, "bound", in: folder))
        _ = try engine.run(work_notification, callers: 1, seconds: seconds / 4)
        let made = try engine.run(work_notification, callers: 1, seconds: seconds)
        print(kind.name, 1e9 / (made.nanoseconds / Double(made.count)))
      }
    }
  }
}
