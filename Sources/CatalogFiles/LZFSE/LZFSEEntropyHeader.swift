/// The header of a block with entropy coding, `bvx1` or `bvx2`, with all limits checked.
///
/// Source: entitlement rules, section 3.1.
struct LZFSEEntropyHeader {
  let literals: Int
  let matches: Int
  /// The number of bytes of the literals; those of the matches follow to the end of the block.
  let literalPayload: Int
  let literalBits: Int
  let matchBits: Int
  let literalStates: (Int, Int, Int, Int)
  let literalLengthState: Int
  let matchLengthState: Int
  let distanceState: Int

  static let maximumMatches = 10_000
  static let maximumLiterals = 40_000

  /// Reads a header, and the frequencies into a scratch.
  init(_ block: LZFSEBlock, _ input: LZFSEInput, frequencies: LZFSEScratch) throws(LZFSEFailure) {
    let start = block.start
    let matchPayload: Int
    if block.kind == .packedTables {
      let words = LZFSEPackedWords(input, start + 8)
      literals = words.literals
      matches = words.matches
      literalPayload = words.literalPayload
      matchPayload = words.matchPayload
      literalBits = words.literalBits
      matchBits = words.matchBits
      literalStates = (
        words.literalState(0), words.literalState(1), words.literalState(2), words.literalState(3)
      )
      literalLengthState = words.literalLengthState
      matchLengthState = words.matchLengthState
      distanceState = words.distanceState
    } else {
      func long(_ offset: Int) -> Int { Int(input.integer(start + offset) as UInt32) }
      func signed(_ offset: Int) -> Int { Int(input.integer(start + offset) as Int32) }
      func short(_ offset: Int) -> Int { Int(input.integer(start + offset) as UInt16) }
      literals = long(12)
      matches = long(16)
      literalPayload = long(20)
      matchPayload = long(24)
      literalBits = signed(28)
      literalStates = (short(32), short(34), short(36), short(38))
      matchBits = signed(40)
      literalLengthState = short(44)
      matchLengthState = short(46)
      distanceState = short(48)
    }
    // More literals or matches than bytes would be work without a result; the last literals may be padding.
    guard literals <= Self.maximumLiterals, literals.isMultiple(of: 4),
      literals <= block.rawSize + 3, matches <= Self.maximumMatches, matches <= block.rawSize,
      (-7...0).contains(literalBits), (-7...0).contains(matchBits),
      literalPayload + matchPayload == block.end - block.payload
    else { throw .invalid(reason: .badHeader, offset: start) }
    let states = literalStates
    guard max(states.0, states.1, states.2, states.3) < LZFSETable.literals.states,
      literalLengthState < LZFSETable.literalLengths.states,
      matchLengthState < LZFSETable.matchLengths.states,
      distanceState < LZFSETable.distances.states
    else { throw .invalid(reason: .badState, offset: start) }
    switch block.kind {
    case .packedTables:
      let tables = start + block.kind.headerSize
      guard frequencies.unpack(input, from: tables, to: block.payload) else {
        throw .invalid(reason: .badTable, offset: tables)
      }
    default: frequencies.copy(input, from: start + 50)
    }
  }
}

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
