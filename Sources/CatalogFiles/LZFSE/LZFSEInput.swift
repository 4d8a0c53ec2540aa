/// The compressed bytes, while they stay where they are.
///
/// It's made inside of `withUnsafeBytes` and never outlives the closure. Each reading is checked.
@safe
struct LZFSEInput {
  /// The first byte.
  private let start: UnsafeRawPointer
  let count: Int

  /// Creates an input, or returns nil if there are no bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.baseAddress, unsafe !bytes.isEmpty else { return nil }
    unsafe start = first
    count = bytes.count
  }

  /// Returns the address of a byte; the caller has checked what it reads there.
  @inline(__always)
  @unsafe
  func address(_ offset: Int) -> UnsafeRawPointer {
    precondition(offset >= 0 && offset <= count)
    return unsafe start + offset
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
