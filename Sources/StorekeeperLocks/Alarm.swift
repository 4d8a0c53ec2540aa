/// An alarm that rings once, a time from now, unless it is cancelled before.
///
/// All alarms of the process share one wheel and, while there are any, one sleeping task. They never ring early, and in
/// an idle process at most two hundredths of a second late.
@usableFromInline
package struct Alarm: Sendable {
  private let place: TimerWheel<Alarms.Ring>.Place

  /// Sets an alarm.
  ///
  /// Of a long time, 30 years count. The closure is called outside all locks, and must not block.
  package init(after time: Duration, ring: @escaping @Sendable () -> Void) {
    place = Alarms.shared.add(ring, after: time)
  }

  /// Cancels the alarm, if it has not rung.
  package func cancel() { Alarms.shared.remove(place) }
}

/// The alarms of the process.
private final class Alarms: Sendable {
  typealias Ring = @Sendable () -> Void

  static let shared = Alarms()

  private struct State {
    /// A turn is longer than the usual time limits, so that few alarms are met before they are due.
    var wheel = TimerWheel<Ring>(slots: 4096)
    /// The tick at which the sleeper wakes; nil without a sleeper.
    var wake: Int?
    var sleeper: Task<Void, Never>?
    /// The number of the present sleeper.
    var number = 0
  }

  private let start = ContinuousClock.now
  private let state = Locked(State())

  private static let ticksInSecond = 100

  /// Returns the number of ticks that have passed after a time since the start.
  private static func ticks(in time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return Int(seconds) * ticksInSecond
      + Int(attoseconds / (1_000_000_000_000_000_000 / Int64(ticksInSecond)))
  }

  private var now: Duration { start.duration(to: .now) }

  func add(_ ring: @escaping Ring, after time: Duration) -> TimerWheel<Ring>.Place {
    let now = now
    let tick = Self.ticks(in: now)
    let due = Self.ticks(in: now + min(max(time, .zero), .longest)) + 1
    return state.withLock { state in
      // The sleeper wakes at the first slot that is not empty.
      state.wheel.skip(to: min(tick, (state.wake ?? .max) - 1))
      let place = state.wheel.add(ring, at: due)
      let visit = state.wheel.visit(of: due)
      if visit < state.wake ?? .max { sleep(until: visit, &state) }
      return place
    }
  }

  /// Removes an alarm; the sleeper may find nothing to do then, and ends.
  func remove(_ place: TimerWheel<Ring>.Place) {
    // Released outside the lock.
    _ = state.withLock { $0.wheel.remove(place) }
  }

  /// Replaces the sleeper by one that wakes earlier.
  private func sleep(until tick: Int, _ state: inout State) {
    state.sleeper?.cancel()
    state.wake = tick
    state.number += 1
    let number = state.number
    // Detached, so that it keeps nothing of the task that sets the alarm.
    state.sleeper = Task.detached { await self.ring(from: tick, as: number) }
  }

  /// Rings the alarms that are due, from a tick on, until there are none or another sleeper has taken over.
  private func ring(from tick: Int, as number: Int) async {
    var wake = tick
    while true {
      // Only another sleeper cancels it.
      try? await Task.sleep(
        until: start + .milliseconds(wake * 1000 / Self.ticksInSecond),
        // Systems may otherwise be late by a part of the time.
        tolerance: .milliseconds(1000 / Self.ticksInSecond), clock: .continuous)
      let now = Self.ticks(in: now)
      let (due, next): ([Ring], Int?) = state.withLock { state in
        guard state.number == number else { return ([], nil) }
        let due = state.wheel.advance(to: now)
        state.wake = state.wheel.next
        if state.wake == nil { state.sleeper = nil }
        return (due, state.wake)
      }
      for ring in due { ring() }
      guard let next else { return }
      wake = next
    }
  }
}

extension Duration {
  /// The upper limit of a wait, 30 years; clocks cannot wait for an arbitrary time.
  fileprivate static let longest = Duration.seconds(1_000_000_000)
}
