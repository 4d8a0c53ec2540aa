/// Measures how long ago it was made.
package struct Stopwatch: Sendable {
  private let reading: @Sendable () -> Duration

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    reading = { start.duration(to: clock.now) }
  }

  /// The time since it was made.
  package var elapsed: Duration { reading() }
}

/// What came of waiting for a value.
package enum Waited<Value: Sendable>: Sendable {
  case value(Value)
  case timeUp
  case cancelled
}

extension Clock<Duration> {
  /// Waits for an operation, but not longer than given.
  ///
  /// The operation is cancelled when it is no longer awaited, and may give nil then.
  package func wait<Value: Sendable>(
    atMost limit: Duration, for operation: @escaping @Sendable () async -> Value?
  ) async -> Waited<Value> {
    await withTaskGroup(of: Waited<Value>.self) { group in
      group.addTask { await operation().map(Waited.value) ?? .cancelled }
      group.addTask {
        do {
          try await sleep(for: limit)
          return .timeUp
        } catch {
          return .cancelled
        }
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? .cancelled
    }
  }
}
