internal import StorekeeperLocks

/// A clock that stands still until a test moves it.
///
/// A task that sleeps on the clock wakes when ``advance(by:)`` reaches its deadline or when it is
/// cancelled; no real time passes. A test that must not move the clock too early waits for the
/// sleepers first:
///
/// ```swift
/// async let result = service.answer()
/// await clock.sleepers(reach: 1)
/// clock.advance(by: .seconds(10))
/// ```
public final class ManualClock: Clock {
  /// An instant, as the time since the clock was created.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public let elapsed: Duration

    /// Returns the instant after a duration, or before it if the duration is negative.
    public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }

    /// Returns the duration to another instant.
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

    /// Returns whether one instant is before the other.
    public static func < (one: Instant, other: Instant) -> Bool { one.elapsed < other.elapsed }
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

  /// Creates a clock at zero.
  public init() {}

  /// The current instant of the clock.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero, because the clock can be moved by any duration.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock reaches a deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(number, Sleeper(deadline: deadline, continuation: continuation))
        // The cancellation handler may have run before the sleeper was added.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Moves the clock and wakes all tasks whose deadline has passed.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until at least this many tasks sleep on the clock.
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
    // A deadline that has passed ends the sleep at once.
    guard let woken else { return sleeper.continuation.resume() }
    for continuation in woken { continuation.resume() }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}

/// The tasks that wait until a count is reached.
struct CountObservers {
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Adds a task, to be resumed when the count is reached.
  mutating func add(_ continuation: CheckedContinuation<Void, Never>, until count: Int) {
    waiting.append((count, continuation))
  }

  /// Removes and returns the tasks whose count is reached, to be resumed outside the lock.
  mutating func take(reachedBy number: Int) -> [CheckedContinuation<Void, Never>] {
    let reached = waiting.filter { $0.count <= number }.map(\.continuation)
    waiting.removeAll { $0.count <= number }
    return reached
  }
}
