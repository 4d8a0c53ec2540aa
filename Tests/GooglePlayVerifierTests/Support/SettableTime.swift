import Foundation
import StorekeeperLocks

/// A time of day that stands still until a test sets it.
final class SettableTime: Sendable {
  private let date = Locked(PlayScene.begin)

  /// The time.
  var now: Date { date.withLock { $0 } }

  /// Sets the time to a number of seconds after the begin of every scene.
  func set(_ seconds: TimeInterval) {
    date.withLock { $0 = PlayScene.begin.addingTimeInterval(seconds) }
  }
}
