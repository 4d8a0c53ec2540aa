/// The compressed bytes, while they stay where they are.
///
/// It's made inside of `withUnsafeBytes` and never outlives the closure. Each reading is checked.
@safe
struct LZFSEInput {
  /// The first byte; nil only if there are none.
  private let start: UnsafeRawPointer?
  /// The number of bytes.
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe start = bytes.baseAddress
    count = bytes.count
  }

  /// Returns the address of a byte; the caller has checked what it reads there.
  @inline(__always)
  @unsafe
  func address(_ offset: Int) -> UnsafeRawPointer {
    precondition(offset >= 0 && offset <= count)
    // Without bytes there is no address, and nobody reads there.
    return unsafe (start ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped) + offset
  }

  @inline(__always)
  func byte(_ offset: Int) -> UInt8 { integer(offset) }

  /// Returns a little-endian number.
  @inline(__always)
  func integer<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
    precondition(offset >= 0 && offset <= count - Number.bitWidth / 8)
    return unsafe Number(littleEndian: address(offset).loadUnaligned(as: Number.self))
  }
}
