extension Duration {
  /// The seconds, for dates: exact where they are whole, which a quotient of durations is not.
  package var timeInterval: Double {
    let (seconds, attoseconds) = parts
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// The whole seconds, rounded up.
  package var secondsRoundedUp: Int {
    let (seconds, attoseconds) = parts
    return Int(clamping: attoseconds > 0 ? seconds + 1 : seconds)
  }

  /// Whole milliseconds for C libraries that take an `int`: rounded up, so that only nothing is 0, and
  /// at most what fits.
  package var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = parts
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < Int64(Int32.max) / 1000 else { return .max }
    return Int32(
      clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// The `components`, which trap where the seconds don't fit, of the nearest duration that has some.
  private var parts: (seconds: Int64, attoseconds: Int64) {
    min(max(self, .seconds(Int64.min)), .seconds(Int64.max)).components
  }
}
