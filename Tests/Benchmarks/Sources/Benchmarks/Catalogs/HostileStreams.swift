/// Streams of about 8 MiB that are as much work as possible.
enum HostileStreams {
  static var all: [(String, [UInt8])] {
    [
      ("empty raw blocks", filled(Array("bvx-\0\0\0\0".utf8))),
      ("empty coded blocks", filled(block(raw: 0, literals: 0, matches: 0, payload: []))),
      (
        "one byte a block",
        start + filled(block(raw: 1, literals: 4, matches: 1, payload: [], matchSymbol: 1))
      ),
      ("short matches", start + filled(shortMatches)),
      ("LZVN without effect", lzvn([UInt8](repeating: 0x0E, count: size - 64), raw: 0)),
      (
        "LZVN, matches of one byte",
        start + lzvn([0x00, 0x01] + [UInt8](repeating: 0xF1, count: size - 64), raw: size - 61)
      ),
      ("a bomb", start + block(raw: size - 1, literals: 0, matches: 10_000, payload: bomb)),
    ]
  }

  private static let size = 8 << 20
  private static let end = Array("bvx$".utf8)
  /// One byte, so that matches have something to repeat.
  private static let start = Array("bvx-\u{1}\0\0\0a".utf8)
  /// The bits of 10,000 match lengths of 2,359.
  private static let bomb = [UInt8](repeating: 0xFF, count: 13_750)

  /// A block with 10,000 matches of 16 to 23 bytes with a distance of 1.
  private static let shortMatches = block(
    raw: 160_000, literals: 0, matches: 10_000, payload: [UInt8](repeating: 0, count: 3758),
    matchSymbol: 16)

  private static func filled(_ block: [UInt8]) -> [UInt8] {
    Array(repeatElement(block, count: size / block.count).joined()) + end
  }

  private static func lzvn(_ opcodes: [UInt8], raw: Int) -> [UInt8] {
    let payload = opcodes + [6, 0, 0, 0, 0, 0, 0, 0]
    return Array("bvxn".utf8) + bytes(raw, 4) + bytes(payload.count, 4) + payload + end
  }

  /// A block whose symbols take no bits: no literal length, matches of one symbol, a distance of 1.
  private static func block(
    raw: Int, literals: Int, matches: Int, payload: [UInt8], matchSymbol: Int = 19
  ) -> [UInt8] {
    var bits: [UInt8] = []
    for (symbols, symbol, states) in [
      (20, 0, 64), (20, matchSymbol, 64), (64, 1, 256), (256, 97, 1024),
    ] {
      for index in 0..<symbols {
        if index == symbol {
          bits += [1, 1, 1, 1] + (0..<10).map { UInt8((states - 24) >> $0 & 1) }
        } else {
          bits += [0, 0]
        }
      }
    }
    while !bits.count.isMultiple(of: 8) { bits.append(0) }
    let tables = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
    }
    // The extra bits of one match fit into the zeros before the payload's end.
    let payload = payload.isEmpty && matches > 0 ? [UInt8](repeating: 0, count: 8) : payload
    return Array("bvx2".utf8) + bytes(raw, 4) + bytes(literals | matches << 40 | 7 << 60, 8)
      + bytes(payload.count << 40 | 7 << 60, 8) + bytes(32 + tables.count, 8) + tables + payload
  }

  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
