extension Duration {
  /// Whole milliseconds for C libraries that take an `int`: rounded up, so that only nothing is 0, and
  /// at most what fits.
  package var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < Int64(Int32.max) / 1000 else { return .max }
    return Int32(
      clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
