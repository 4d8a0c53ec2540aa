internal import StorekeeperLocks

/// A pace of calls: some at once after a rest, and then one in each interval.
///
/// All tasks with the same pace share it. In any time t, at most `burst` + t / `interval` calls begin.
final class CallPace: Sendable {
  private let clock: any Clock<Duration>
  private let uptime: Stopwatch
  private let interval: Duration
  private let burst: Int
  /// The time since the start at which all calls so far would be over, had they come one in each interval.
  private let due = Locked(Duration.zero)

  /// Creates a pace after a rest: `burst` calls at once, at least one, and then one in each interval.
  init(burst: Int, interval: Duration, clock: any Clock<Duration>) {
    self.burst = burst
    self.interval = interval
    self.clock = clock
    uptime = Stopwatch(clock)
  }

  /// Waits until a call may begin; the turn of a call that is cancelled is lost.
  func turn() async throws {
    let now = uptime.elapsed
    let start = due.withLock { due in
      let slot = max(due, now)
      due = slot + interval
      return slot - interval * (burst - 1)
    }
    if start > now { try await clock.sleep(for: start - now) }
  }
}
