import StorekeeperLocks

/// A clock on which every sleep ends at once, and the time has passed.
final class LeapingClock: Clock {
  struct Instant: InstantProtocol {
    let elapsed: Duration
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (one: Instant, other: Instant) -> Bool { one.elapsed < other.elapsed }
  }

  private let state = Locked((now: Duration.zero, sleeps: [Duration]()))

  var now: Instant { Instant(elapsed: state.withLock { $0.now }) }
  var minimumResolution: Duration { .zero }

  /// The sleeps so far.
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      guard deadline.elapsed > state.now else { return }
      state.sleeps.append(deadline.elapsed - state.now)
      state.now = deadline.elapsed
    }
  }

  /// Lets time pass.
  func pass(_ duration: Duration) { state.withLock { $0.now += duration } }
}
