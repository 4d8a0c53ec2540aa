internal import StorekeeperLocks

/// A clock that stands still until a test moves it.
///
/// Whoever sleeps on it wakes when ``advance(by:)`` reaches the time, or when the task is cancelled;
/// nobody really waits. A test that must not move the clock too early waits for the sleepers first:
///
/// ```swift
/// async let result = service.answer()
/// await clock.sleepers(reach: 1)
/// clock.advance(by: .seconds(10))
/// ```
public final class ManualClock: Clock {
  /// A moment, as the time since the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let elapsed: Duration

    /// The moment that is this much later, or earlier when the duration is negative.
    public func advanced(by duration: Duration) -> Instant {
      Instant(elapsed: elapsed + duration)
    }

    /// How much later the other moment is.
    public func duration(to other: Instant) -> Duration {
      other.elapsed - elapsed
    }

    /// Whether one moment is before the other.
    public static func < (one: Instant, other: Instant) -> Bool {
      one.elapsed < other.elapsed
    }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(elapsed: .zero)
    var numbers = 0
    var sleepers: [Int: Sleeper] = [:]
    var observers = CountObservers()
  }

  private let state = Locked(State())

  /// A clock at zero.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: the clock is moved by any amount.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock was moved to a moment.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(number, Sleeper(deadline: deadline, continuation: continuation))
        // The handler may have run before there was anybody to wake.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Moves the clock and wakes everyone whose time has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until at least so many tasks sleep on the clock.
  public func sleepers(reach count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.observers.add(continuation, until: count)
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  private func enter(_ number: Int, _ sleeper: Sleeper) {
    let woken: [CheckedContinuation<Void, Never>]? = state.withLock { state in
      if sleeper.deadline <= state.now { return nil }
      state.sleepers[number] = sleeper
      return state.observers.take(reachedBy: state.sleepers.count)
    }
    // Nobody sleeps until a moment that has come.
    guard let woken else { return sleeper.continuation.resume() }
    for continuation in woken { continuation.resume() }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
