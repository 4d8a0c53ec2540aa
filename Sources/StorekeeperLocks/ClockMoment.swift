#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A moment on the continuous clock, to the nanosecond.
///
/// Reading it and asking for the time between two takes less than half as long as with `ContinuousClock`, whose instants
/// have a layout that is found at run time.
package struct ClockMoment: Hashable, Sendable {
  /// The nanoseconds on the system's clock, which is that of `ContinuousClock`.
  private let nanoseconds: Int64

  private static let first = (reading: ClockMoment.now, instant: ContinuousClock.now)

  private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The present moment.
  package static var now: ClockMoment {
    #if canImport(Darwin)
      ClockMoment(nanoseconds: Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)))
    #else
      var time = timespec()
      unsafe clock_gettime(CLOCK_BOOTTIME, &time)
      return ClockMoment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    #endif
  }

  package init(_ instant: ContinuousClock.Instant) {
    let (seconds, attoseconds) = Self.first.instant.duration(to: instant).components
    nanoseconds =
      Self.first.reading.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  package var instant: ContinuousClock.Instant {
    Self.first.instant + Self.first.reading.duration(to: self)
  }

  package func duration(to other: ClockMoment) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }
}
