/// A moment on the continuous clock, whose layout the compiler knows.
///
/// That of `ContinuousClock.Instant` is found at run time, and so is that of everything that has one, which takes longer
/// than reading the clock.
package struct ClockMoment: Hashable, Sendable {
  /// The time since ``first``.
  private let time: Duration

  private static let first = ContinuousClock.now

  /// The present moment.
  package static var now: ClockMoment { ClockMoment(.now) }

  package init(_ instant: ContinuousClock.Instant) { time = Self.first.duration(to: instant) }

  package var instant: ContinuousClock.Instant { Self.first + time }

  package func duration(to other: ClockMoment) -> Duration { other.time - time }
}
