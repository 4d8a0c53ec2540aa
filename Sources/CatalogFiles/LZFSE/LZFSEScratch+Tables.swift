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
