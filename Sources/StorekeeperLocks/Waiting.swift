/// A stopwatch that starts when it is created.
package struct Stopwatch: Sendable {
  private let reading: @Sendable () -> Duration

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    reading = { start.duration(to: clock.now) }
  }

  /// The time since the start.
  package var elapsed: Duration { reading() }
}

/// The outcome of waiting for a value.
package enum Waited<Value: Sendable>: Sendable {
  case value(Value)
  case timeUp
  case cancelled
}

extension Clock<Duration> {
  /// Waits for an operation, up to a time limit.
  ///
  /// The operation is cancelled when it is no longer awaited. If it ignores the cancellation, it
  /// goes on and its result is dropped.
  package func wait<Value: Sendable>(
    atMost limit: Duration, for operation: @escaping @Sendable () async -> Value?
  ) async -> Waited<Value> {
    let outcome = Outcome<Value>()
    // Not a child task, which would be awaited even after the time limit.
    let work = Task.begin { outcome.settle(await operation().map(Waited.value) ?? .cancelled) }
    // An immediate result needs no timer.
    if let waited = outcome.settled { return waited }
    let timer = Task { @concurrent in
      do {
        try await sleep(for: limit)
        outcome.settle(.timeUp)
      } catch {
        outcome.settle(.cancelled)
      }
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { outcome.resume($0) }
    } onCancel: {
      outcome.settle(.cancelled)
    }
  }
}

extension Task<Void, Never> {
  /// Starts a task, where possible on the caller's thread, which saves a change of threads.
  fileprivate static func begin(_ operation: @escaping @Sendable () async -> Void) -> Self {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task.immediate { await operation() }
    } else {
      Task { @concurrent in await operation() }
    }
  }
}

/// The first outcome, and the continuation that waits for it.
private final class Outcome<Value: Sendable>: Sendable {
  private enum State {
    case open(CheckedContinuation<Waited<Value>, Never>?)
    case settled(Waited<Value>)
  }

  private let state = Locked(State.open(nil))

  /// The outcome, if there is one yet.
  var settled: Waited<Value>? {
    state.withLock { if case .settled(let waited) = $0 { waited } else { nil } }
  }

  /// Sets the outcome, unless there is one already.
  func settle(_ waited: Waited<Value>) {
    let waiting: CheckedContinuation<Waited<Value>, Never>? = state.withLock { state in
      guard case .open(let waiting) = state else { return nil }
      state = .settled(waited)
      return waiting
    }
    waiting?.resume(returning: waited)
  }

  /// Resumes a continuation with the outcome, now or later.
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
