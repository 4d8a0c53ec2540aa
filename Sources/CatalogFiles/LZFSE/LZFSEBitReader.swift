/// Reads a stream of bits from its end to its start.
///
/// The window has the next bits on top. ``refill()`` gives it at least 57 of them, and stops the reading when it
/// would move to more than 8 bytes before the stream. A stream begins after a header of at least 32 bytes, so the
/// window is always within the input.
@safe
struct LZFSEBitReader {
  /// The start of the 8 bytes in the window.
  private var position: UnsafeRawPointer
  /// The lowest allowed position.
  private let lowest: UnsafeRawPointer
  private var window: UInt64
  /// The number of bits that are no longer in the window.
  private var used: Int

  /// Creates a reader, or nil if the unused bits at the end are not zero.
  ///
  /// The stream starts at an offset of at least 8. `bits` is −7 to 0, less by one for each unused bit of the last
  /// byte.
  init?(_ input: LZFSEInput, start: Int, end: Int, bits: Int) {
    precondition(start >= 8 && end >= start && (-7...0).contains(bits))
    unsafe lowest = input.address(start - 8)
    unsafe position = input.address(end - 8)
    used = -bits
    let bytes = input.integer(end - 8) as UInt64
    guard bits == 0 || bytes >> UInt64(64 + bits) == 0 else { return nil }
    window = bytes &<< UInt64(truncatingIfNeeded: used)
  }

  /// Fills the window, and returns whether the stream goes on.
  @inline(__always)
  mutating func refill() -> Bool {
    let next = unsafe position - (used &>> 3)
    guard unsafe next >= lowest else { return false }
    unsafe position = next
    used &= 7
    let bytes = unsafe UInt64(littleEndian: next.loadUnaligned(as: UInt64.self))
    window = bytes &<< UInt64(truncatingIfNeeded: used)
    return true
  }

  /// Returns this many bits, at most 57 between two calls of ``refill()``.
  @inline(__always)
  mutating func read(_ count: UInt64) -> UInt64 {
    let bits = (window &>> 1) &>> (63 &- count)
    window &<<= count
    used &+= Int(truncatingIfNeeded: count)
    return bits
  }

  /// Whether more bits were read than the stream has.
  var isOverdrawn: Bool { unsafe (position - lowest) * 8 < used }
}
