/// A stopwatch that starts when it is created.
package struct Stopwatch: Sendable {
  private let reading: @Sendable () -> Duration

  package init(_ clock: some Clock<Duration>) {
    if clock is ContinuousClock {
      // The usual clock, whose instants are read without looking their type up.
      let start = ContinuousClock.now
      reading = { start.duration(to: .now) }
    } else {
      let start = clock.now
      reading = { start.duration(to: clock.now) }
    }
  }

  /// The time since the start.
  package var elapsed: Duration { reading() }
}

/// The outcome of waiting for a value.
@frozen
public enum Waited<Value: Sendable>: Sendable {
  case value(Value)
  case timeUp
  case cancelled
}

extension Clock<Duration> {
  /// Waits for an operation, up to a time limit.
  ///
  /// The operation is cancelled when it is no longer awaited. If it ignores the cancellation, it
  /// goes on and its result is dropped.
  ///
  /// It is public although it belongs to no product, so that it is compiled for the type of value where it is called.
  @inlinable @inline(__always)
  public func wait<Value: Sendable>(
    atMost limit: Duration, for operation: @escaping @Sendable () async -> Value?
  ) async -> Waited<Value> {
    await Outcome<Value>().wait(for: operation) { TimeLimit(limit, by: self, isOver: $0) }
  }
}

/// The first outcome, and the continuation that waits for it.
@usableFromInline
final class Outcome<Value: Sendable>: Sendable {
  @usableFromInline
  enum State {
    case open(CheckedContinuation<Waited<Value>, Never>?)
    case settled(Waited<Value>)
  }

  @usableFromInline let state = Locked(State.open(nil))

  @inlinable init() {}

  /// Begins an operation and a time limit, and waits for the first to end.
  @inlinable
  func wait(
    for operation: @escaping @Sendable () async -> Value?,
    until limit: (@escaping @Sendable (TimeLimit.End) -> Void) -> TimeLimit
  ) async -> Waited<Value> {
    // Not a child task, which would be awaited even after the time limit.
    let work = beginTask { self.settle(await operation().map(Waited.value) ?? .cancelled) }
    // An immediate result needs no timer.
    if let waited = settled { return waited }
    let limit = limit { self.settle($0 == .timeUp ? .timeUp : .cancelled) }
    defer {
      work.cancel()
      limit.cancel()
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { resume($0) }
    } onCancel: {
      settle(.cancelled)
    }
  }

  /// The outcome, if there is one yet.
  @inlinable
  var settled: Waited<Value>? {
    state.withLock { if case .settled(let waited) = $0 { waited } else { nil } }
  }

  /// Sets the outcome, unless there is one already.
  @inlinable
  func settle(_ waited: Waited<Value>) {
    let waiting: CheckedContinuation<Waited<Value>, Never>? = state.withLock { state in
      guard case .open(let waiting) = state else { return nil }
      state = .settled(waited)
      return waiting
    }
    waiting?.resume(returning: waited)
  }

  /// Resumes a continuation with the outcome, now or later.
  @inlinable
  func resume(_ continuation: CheckedContinuation<Waited<Value>, Never>) {
    let settled: Waited<Value>? = state.withLock { state in
      switch state {
      case .open:
        state = .open(continuation)
        return nil
      case .settled(let waited): return waited
      }
    }
    if let settled { continuation.resume(returning: settled) }
  }
}

/// Starts a task, where possible on the caller's thread, which saves a change of threads.
@usableFromInline
func beginTask(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    Task.immediate { await operation() }
  } else {
    Task { @concurrent in await operation() }
  }
}

/// A time limit under way, by a clock.
@usableFromInline
enum TimeLimit: Sendable {
  case alarm(Alarm)
  /// A clock of the caller's can only be slept on.
  case sleeper(Task<Void, Never>)

  /// The end of a time limit.
  @usableFromInline
  enum End: Sendable { case timeUp, clockFailed }

  @usableFromInline
  init<C: Clock<Duration>>(
    _ time: Duration, by clock: C, isOver: @escaping @Sendable (End) -> Void
  ) {
    if C.self == ContinuousClock.self {
      self = .alarm(Alarm(after: time) { isOver(.timeUp) })
    } else {
      self = .sleeper(
        Task { @concurrent in
          do { try await clock.sleep(for: time) } catch { return isOver(.clockFailed) }
          isOver(.timeUp)
        })
    }
  }

  @usableFromInline
  func cancel() {
    switch self {
    case .alarm(let alarm): alarm.cancel()
    case .sleeper(let task): task.cancel()
    }
  }
}
