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
  mutating func advance(to end: UnsafeMutableRawPointer) {
    count = unsafe end - start
  }

  /// Copies bytes of the input.
  mutating func append(_ input: LZFSEInput, from offset: Int, count added: Int) {
    precondition(added >= 0 && offset <= input.count - added)
    unsafe next(room: added).copyMemory(from: input.address(offset), byteCount: added)
    count += added
  }
}
