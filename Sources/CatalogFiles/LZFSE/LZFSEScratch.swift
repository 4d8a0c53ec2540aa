/// The memory for one block at a time: its frequencies, its tables and its literals.
@safe
final class LZFSEScratch {
  /// The frequencies of all symbols, one table after another.
  let frequencies: UnsafeMutablePointer<UInt16>
  /// The states of literals: bits to read, symbol from bit 8, base of the next state from bit 16.
  let literalTable: UnsafeMutablePointer<UInt32>
  /// The states of literal lengths, of match lengths and of distances: bits to read for state and value
  /// together, those of the value from bit 8, base of the next state from bit 16, base of the value from bit 32.
  let literalLengthTable: UnsafeMutablePointer<UInt64>
  let matchLengthTable: UnsafeMutablePointer<UInt64>
  let distanceTable: UnsafeMutablePointer<UInt64>
  /// The literals of the block, with room for copies in wide steps.
  let literals: UnsafeMutablePointer<UInt8>

  private static let literalRoom = LZFSEEntropyHeader.maximumLiterals + LZFSEOutput.slack

  init() {
    unsafe frequencies = Self.zeros(LZFSETable.frequencies)
    unsafe literalTable = Self.zeros(LZFSETable.literals.states)
    unsafe literalLengthTable = Self.zeros(LZFSETable.literalLengths.states)
    unsafe matchLengthTable = Self.zeros(LZFSETable.matchLengths.states)
    unsafe distanceTable = Self.zeros(LZFSETable.distances.states)
    unsafe literals = Self.zeros(Self.literalRoom)
  }

  deinit {
    unsafe frequencies.deallocate()
    unsafe literalTable.deallocate()
    unsafe literalLengthTable.deallocate()
    unsafe matchLengthTable.deallocate()
    unsafe distanceTable.deallocate()
    unsafe literals.deallocate()
  }

  private static func zeros<Number: FixedWidthInteger>(_ count: Int) -> UnsafeMutablePointer<Number>
  {
    let memory = UnsafeMutablePointer<Number>.allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    return unsafe memory
  }
}
