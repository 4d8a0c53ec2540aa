/// A block with entropy coding that a test makes by hand, or reads from a stream.
///
/// By default it has four literals `a`, and one match that takes them and repeats the last one 12 times. Each table
/// has a single symbol in all of its states, so that symbols take no bits.
struct EntropyBlock {
  var rawSize = 16
  var literals = 4
  var matches = 1
  var literalPayload: [UInt8] = []
  var matchPayload = [UInt8](repeating: 0, count: 8)
  var literalBits = 0
  var matchBits = 0
  var literalStates = [0, 0, 0, 0]
  var literalLengthState = 0
  var matchLengthState = 0
  var distanceState = 0
  /// The frequencies of 20 literal lengths, 20 match lengths, 64 distances and 256 literals.
  var frequencies = [Int](repeating: 0, count: 360)

  static let endMark = Array("bvx$".utf8)

  /// The places of symbols among the frequencies.
  static func literalLength(_ symbol: Int) -> Int { symbol }
  static func matchLength(_ symbol: Int) -> Int { 20 + symbol }
  static func distance(_ symbol: Int) -> Int { 40 + symbol }
  static func literal(_ byte: UInt8) -> Int { 104 + Int(byte) }

  init() {
    frequencies[Self.literalLength(4)] = 64
    frequencies[Self.matchLength(12)] = 64
    frequencies[Self.distance(1)] = 256
    frequencies[Self.literal(UInt8(ascii: "a"))] = 1024
  }

  /// The block, changed.
  func with(_ change: (inout EntropyBlock) -> Void) -> EntropyBlock {
    var block = self
    change(&block)
    return block
  }

  /// The block as `bvx1`.
  var plain: [UInt8] {
    var bytes = Array("bvx1".utf8)
    for number in [
      rawSize, literalPayload.count + matchPayload.count, literals, matches, literalPayload.count,
      matchPayload.count, literalBits,
    ] { bytes += Self.bytes(number, 4) }
    for state in literalStates { bytes += Self.bytes(state, 2) }
    bytes += Self.bytes(matchBits, 4)
    for state in [literalLengthState, matchLengthState, distanceState] {
      bytes += Self.bytes(state, 2)
    }
    for frequency in frequencies { bytes += Self.bytes(frequency, 2) }
    return bytes + [0, 0] + literalPayload + matchPayload
  }

  /// The block as `bvx2`.
  var packed: [UInt8] { packed(tables: packedTables) }

  /// The block as `bvx2` with any bytes as tables, and a header size of its own.
  func packed(tables: [UInt8], headerSize: Int? = nil) -> [UInt8] {
    let first =
      literals | literalPayload.count << 20 | matches << 40 | (literalBits + 7) << 60
    var second = matchPayload.count << 40 | (matchBits + 7) << 60
    for (index, state) in literalStates.enumerated() { second |= state << (10 * index) }
    let third =
      (headerSize ?? 32 + tables.count) | literalLengthState << 32 | matchLengthState << 42
      | distanceState << 52
    return Array("bvx2".utf8) + Self.bytes(rawSize, 4) + Self.bytes(first, 8)
      + Self.bytes(second, 8) + Self.bytes(third, 8) + tables + literalPayload + matchPayload
  }

  /// The frequencies in the prefix code.
  var packedTables: [UInt8] {
    var bits: [Bool] = []
    for frequency in frequencies {
      let (code, count) = Self.code(frequency)
      for index in 0..<count { bits.append(code >> index & 1 == 1) }
    }
    while !bits.count.isMultiple(of: 8) { bits.append(false) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
    }
  }

  /// The prefix code of a frequency, with its number of bits.
  private static func code(_ frequency: Int) -> (Int, Int) {
    switch frequency {
    case 0: (0b00, 2)
    case 1: (0b10, 2)
    case 2: (0b001, 3)
    case 3: (0b101, 3)
    case 4...7: (0b011 | (frequency - 4) << 3, 5)
    case 8...23: (0b0111 | (frequency - 8) << 4, 8)
    default: (0b1111 | (frequency - 24) << 4, 14)
    }
  }

  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

extension EntropyBlock {
  /// Reads the `bvx2` block at the start of a stream.
  init?(packed stream: [UInt8]) {
    guard stream.count >= 32, stream.starts(with: Array("bvx2".utf8)) else { return nil }
    func word(_ offset: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(stream[offset + $1]) << (8 * $1) }
    }
    func field(_ offset: Int, _ start: Int, _ count: Int) -> Int {
      word(offset) >> start & (1 << count - 1)
    }
    let header = field(24, 0, 32)
    let literalEnd = header + field(8, 20, 20)
    let matchEnd = literalEnd + field(16, 40, 20)
    guard header >= 32, matchEnd <= stream.count else { return nil }
    rawSize = field(4, 0, 32)
    literals = field(8, 0, 20)
    matches = field(8, 40, 20)
    literalPayload = Array(stream[header..<literalEnd])
    matchPayload = Array(stream[literalEnd..<matchEnd])
    literalBits = field(8, 60, 3) - 7
    matchBits = field(16, 60, 3) - 7
    literalStates = [0, 10, 20, 30].map { field(16, $0, 10) }
    literalLengthState = field(24, 32, 10)
    matchLengthState = field(24, 42, 10)
    distanceState = field(24, 52, 10)
    frequencies = Self.frequencies(stream[32..<header])
  }

  /// Reads the prefix code by trying all frequencies.
  private static func frequencies(_ tables: ArraySlice<UInt8>) -> [Int] {
    let bits = tables.flatMap { byte in (0..<8).map { Int(byte) >> $0 & 1 } }
    var start = 0
    return (0..<360).map { _ in
      for frequency in 0..<1048 {
        let (code, count) = code(frequency)
        let isHere = (0..<count).allSatisfy {
          start + $0 < bits.count && bits[start + $0] == code >> $0 & 1
        }
        if isHere {
          start += count
          return frequency
        }
      }
      return 0
    }
  }
}
