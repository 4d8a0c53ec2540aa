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

/// The output, into which blocks write.
///
/// Copies go in steps of 16 bytes and may write up to that many bytes beyond their end, so there is more memory
/// than the blocks may fill. It's made inside the closure that lends the memory, and never outlives it.
@safe
struct LZFSEOutput {
  /// The first byte of the memory.
  private let start: UnsafeMutableRawPointer
  private let capacity: Int
  /// The number of bytes so far.
  private(set) var count = 0

  /// The memory beyond the capacity, at least two wide steps.
  static let slack = 64

  /// Creates an output in memory of the capacity and the slack.
  init(_ memory: UnsafeMutableBufferPointer<UInt8>, capacity: Int) {
    precondition(memory.count >= capacity + Self.slack)
    guard let first = memory.baseAddress else {
      preconditionFailure("Memory with bytes has an address.")
    }
    unsafe start = UnsafeMutableRawPointer(first)
    self.capacity = capacity
  }

  /// Returns the address of the next byte, of which as many as `room` are going to be written.
  @inline(__always)
  @unsafe
  func next(room: Int) -> UnsafeMutableRawPointer {
    precondition(room >= 0 && room <= capacity - count)
    return unsafe start + count
  }

  /// Adds the bytes written since.
  @inline(__always)
  @unsafe
  mutating func advance(to end: UnsafeMutableRawPointer) { count = unsafe end - start }

  /// Copies bytes of the input.
  mutating func append(_ input: LZFSEInput, from offset: Int, count added: Int) {
    precondition(added >= 0 && offset <= input.count - added)
    unsafe next(room: added).copyMemory(from: input.address(offset), byteCount: added)
    count += added
  }
}

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
    unsafe target.storeBytes(of: source.loadUnaligned(as: Bytes16.self), as: Bytes16.self)
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
