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

extension LZFSEScratch {
  /// Copies the frequencies of a `bvx1` header.
  func copy(_ input: LZFSEInput, from offset: Int) {
    for index in 0..<LZFSETable.frequencies {
      unsafe frequencies[index] = input.integer(offset + 2 * index)
    }
  }

  /// Reads the frequencies of a `bvx2` header, and returns whether they fill their bytes exactly.
  ///
  /// Without bytes all of them are zero.
  func unpack(_ input: LZFSEInput, from start: Int, to end: Int) -> Bool {
    guard start < end else {
      unsafe frequencies.update(repeating: 0, count: LZFSETable.frequencies)
      return true
    }
    var offset = start
    var bits: UInt32 = 0
    var count = 0
    for index in 0..<LZFSETable.frequencies {
      while offset < end, count <= 24 {
        bits |= UInt32(input.byte(offset)) << UInt32(count)
        offset += 1
        count += 8
      }
      let code = Self.code(bits)
      guard code.length <= count else { return false }
      unsafe frequencies[index] = code.value
      bits >>= UInt32(code.length)
      count -= code.length
    }
    return offset == end && count < 8
  }

  /// Returns the first value of the prefix code, which begins with the lowest bit.
  private static func code(_ bits: UInt32) -> (value: UInt16, length: Int) {
    switch bits & 15 {
    case 0, 4, 8, 12: (0, 2)
    case 2, 6, 10, 14: (1, 2)
    case 1, 9: (2, 3)
    case 5, 13: (3, 3)
    case 3, 11: (4 + UInt16(bits >> 3 & 3), 5)
    case 7: (8 + UInt16(bits >> 4 & 0xF), 8)
    default: (24 + UInt16(bits >> 4 & 0x3FF), 14)
    }
  }
}

extension LZFSEScratch {
  /// The number of states of each table that a symbol has; the others are faults.
  struct Sums {
    let literals: Int
    let literalLengths: Int
    let matchLengths: Int
    let distances: Int
  }

  /// Fills the four tables, and returns how many states they have, or nil if any has too many.
  func fillTables() -> Sums? {
    guard let literals = sum(.literals), let literalLengths = sum(.literalLengths),
      let matchLengths = sum(.matchLengths), let distances = sum(.distances)
    else { return nil }
    fillLiterals(sum: literals)
    unsafe fill(
      literalLengthTable, .literalLengths, literalLengths, LZFSEAlphabet.literalLengthBits)
    unsafe fill(matchLengthTable, .matchLengths, matchLengths, LZFSEAlphabet.matchLengthBits)
    unsafe fill(distanceTable, .distances, distances, LZFSEAlphabet.distanceBits)
    return Sums(
      literals: literals, literalLengths: literalLengths, matchLengths: matchLengths,
      distances: distances)
  }

  /// Returns the sum of frequencies, or nil if it is more than the number of states.
  private func sum(_ table: LZFSETable) -> Int? {
    var sum = 0
    for index in 0..<table.symbols { unsafe sum &+= Int(frequencies[table.first &+ index]) }
    return sum <= table.states ? sum : nil
  }

  private func fillLiterals(sum: Int) {
    let table = LZFSETable.literals
    var state = 0
    for symbol in 0..<table.symbols {
      let frequency = unsafe Int(frequencies[table.first &+ symbol])
      for index in 0..<frequency {
        let step = table.step(index, of: frequency)
        unsafe literalTable[state] = UInt32(
          truncatingIfNeeded: step.bits | symbol &<< 8 | step.base &<< 16)
        state &+= 1
      }
    }
    // A state that no symbol has leads to itself, so it's found when the block is done.
    for state in sum..<table.states {
      unsafe literalTable[state] = UInt32(truncatingIfNeeded: state &<< 16)
    }
  }

  private func fill(
    _ memory: UnsafeMutablePointer<UInt64>, _ table: LZFSETable, _ sum: Int,
    _ extraBits: (Int) -> Int
  ) {
    var state = 0
    var value = 0
    for symbol in 0..<table.symbols {
      let extra = extraBits(symbol)
      let frequency = unsafe Int(frequencies[table.first &+ symbol])
      for index in 0..<frequency {
        let step = table.step(index, of: frequency)
        unsafe memory[state] = UInt64(
          truncatingIfNeeded: (step.bits &+ extra) | extra &<< 8 | step.base &<< 16 | value &<< 32)
        state &+= 1
      }
      value &+= 1 &<< extra
    }
    for state in sum..<table.states {
      unsafe memory[state] = UInt64(truncatingIfNeeded: state &<< 16)
    }
  }
}
