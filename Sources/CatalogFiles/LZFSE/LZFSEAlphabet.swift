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
