/// One of the four tables of a block: which symbols it has, and how many states.
///
/// Source: entitlement rules, section 3.1.
struct LZFSETable {
  /// The place of the first frequency among all of a block.
  let first: Int
  let symbols: Int
  /// The number of states, a power of two.
  let states: Int

  static let literalLengths = LZFSETable(first: 0, symbols: 20, states: 64)
  static let matchLengths = LZFSETable(first: 20, symbols: 20, states: 64)
  static let distances = LZFSETable(first: 40, symbols: 64, states: 256)
  static let literals = LZFSETable(first: 104, symbols: 256, states: 1024)
  /// The number of frequencies of a block.
  static let frequencies = 360

  /// The way from one state to the next: how many bits to read, and what to add to them.
  struct Step {
    let bits: Int
    let base: Int
  }

  /// Returns the step from one of the states that a symbol has.
  ///
  /// A symbol with the frequency f has f states. Reading k or k − 1 bits leads on, so that together these steps
  /// reach each of the states once. So base + 2^bits is at most the number of states, and no step leaves the table.
  ///
  /// `index` is the number of the state among those of the symbol, and the frequency is 1 up to the number of
  /// states.
  @inline(__always)
  func step(_ index: Int, of frequency: Int) -> Step {
    let bits = frequency.leadingZeroBitCount &- states.leadingZeroBitCount
    let wide = (2 &* states) &>> bits &- frequency
    return index < wide
      ? Step(bits: bits, base: (frequency &+ index) &<< bits &- states)
      : Step(bits: bits &- 1, base: (index &- wide) &<< (bits &- 1))
  }
}

/// The values that the symbols of lengths and distances stand for: a base, and bits to add to it.
///
/// A symbol's values begin where those of the symbol before it end, so the bits say everything.
enum LZFSEAlphabet {
  /// The number of extra bits of a literal length's symbol, 0…15 being the lengths themselves.
  static func literalLengthBits(_ symbol: Int) -> Int {
    switch symbol {
    case 16: 2
    case 17: 3
    case 18: 5
    case 19: 8
    default: 0
    }
  }

  /// The number of extra bits of a match length's symbol, 0…15 being the lengths themselves.
  static func matchLengthBits(_ symbol: Int) -> Int {
    switch symbol {
    case 16: 3
    case 17: 5
    case 18: 8
    case 19: 11
    default: 0
    }
  }

  /// The number of extra bits of a distance's symbol: four symbols for each number.
  static func distanceBits(_ symbol: Int) -> Int { symbol / 4 }
}
