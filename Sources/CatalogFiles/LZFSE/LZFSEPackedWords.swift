/// The three words of a `bvx2` header, in which all sizes and states are packed.
///
/// Source: entitlement rules, section 3.1.
struct LZFSEPackedWords {
  private let words: (UInt64, UInt64, UInt64)

  init(_ input: LZFSEInput, _ offset: Int) {
    words = (input.integer(offset), input.integer(offset + 8), input.integer(offset + 16))
  }

  var literals: Int { Self.field(words.0, 0, 20) }
  var literalPayload: Int { Self.field(words.0, 20, 20) }
  var matches: Int { Self.field(words.0, 40, 20) }
  var literalBits: Int { Self.field(words.0, 60, 3) - 7 }
  func literalState(_ index: Int) -> Int { Self.field(words.1, 10 * index, 10) }
  var matchPayload: Int { Self.field(words.1, 40, 20) }
  var matchBits: Int { Self.field(words.1, 60, 3) - 7 }
  var headerSize: Int { Self.field(words.2, 0, 32) }
  var literalLengthState: Int { Self.field(words.2, 32, 10) }
  var matchLengthState: Int { Self.field(words.2, 42, 10) }
  var distanceState: Int { Self.field(words.2, 52, 10) }

  private static func field(_ word: UInt64, _ start: Int, _ count: Int) -> Int {
    Int(word >> UInt64(start) & (1 << UInt64(count) - 1))
  }
}
