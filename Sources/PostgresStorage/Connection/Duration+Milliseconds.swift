extension Duration {
  /// At least one, at most what fits: for C libraries that take an `int`, and 0 as no limit.
  var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 else { return .max }
    return max(1, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }
}
