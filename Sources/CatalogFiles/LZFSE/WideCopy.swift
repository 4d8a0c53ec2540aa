/// Copies of literals and matches in steps of 16 bytes.
enum WideCopy {
  private typealias Bytes16 = SIMD2<UInt64>

  /// Copies bytes that lie elsewhere, or at least 16 bytes before.
  ///
  /// Reads and writes up to 16 bytes beyond the end.
  @inline(__always)
  @unsafe
  static func copy(
    _ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    unsafe target.storeBytes(
      of: source.loadUnaligned(as: Bytes16.self), as: Bytes16.self)
    var done = 16
    while done < count {
      unsafe (target + done).storeBytes(
        of: (source + done).loadUnaligned(as: Bytes16.self), as: Bytes16.self)
      done &+= 16
    }
  }

  /// Repeats the bytes from a distance before the target, which may be less than their number.
  ///
  /// Writes up to 16 bytes beyond the end.
  @inline(__always)
  @unsafe
  static func repeatBytes(_ count: Int, distance: Int, at target: UnsafeMutableRawPointer) {
    if distance >= 16 {
      unsafe copy(count, from: target - distance, to: target)
    } else {
      unsafe repeatPattern(count, distance: distance, at: target)
    }
  }

  /// Repeats a pattern of 1 to 15 bytes.
  @inline(never)
  @unsafe
  private static func repeatPattern(
    _ count: Int, distance: Int, at target: UnsafeMutableRawPointer
  ) {
    // Once there are 16 bytes more of the pattern, a multiple of the distance leads to the same bytes.
    let single = min(count, 16)
    for index in 0..<single {
      unsafe target.storeBytes(
        of: (target + index - distance).load(as: UInt8.self), toByteOffset: index, as: UInt8.self)
    }
    guard count > single else { return }
    let multiple = (15 / distance + 1) * distance
    unsafe copy(count - single, from: target + single - multiple, to: target + single)
  }
}
