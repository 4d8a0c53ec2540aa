import CatalogFiles
import Testing

/// Each reason by streams made by hand.
///
/// Source: entitlement rules, section 3.1.
@Suite("Faults of LZFSE streams")
struct LZFSEReasonTests {
  private static let end = EntropyBlock.endMark

  private func decoded(_ stream: [UInt8], limit: Int = 1000) -> Result<[UInt8], LZFSEFailure> {
    Result { () throws(LZFSEFailure) in try LZFSEDecoder(limit: limit).decoded(stream) }
  }

  /// Whether a stream, with an end mark behind it, has this fault.
  private func expect(
    _ reason: LZFSEFailure.Reason, at offset: Int, _ stream: [UInt8], ends: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      decoded(stream + (ends ? Self.end : []))
        == .failure(.invalid(reason: reason, offset: offset)),
      sourceLocation: sourceLocation)
  }

  private func raw(_ text: String, size: Int? = nil) -> [UInt8] {
    Array("bvx-".utf8) + [UInt8(size ?? text.utf8.count), 0, 0, 0] + Array(text.utf8)
  }

  /// An LZVN block with these opcodes and, if nothing else is said, their end.
  private func lzvn(
    _ opcodes: [UInt8], size: Int, end: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0]
  ) -> [UInt8] {
    let payload = opcodes + end
    return Array("bvxn".utf8) + [UInt8(size), 0, 0, 0, UInt8(payload.count), 0, 0, 0] + payload
  }

  private func text(_ stream: [UInt8]) -> String? {
    (try? decoded(stream + Self.end).get()).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("blocks made by hand decode")
  func valid() {
    #expect(decoded(Self.end) == .success([]))
    #expect(text(raw("abc") + raw("") + raw("d")) == "abcd")
    let block = EntropyBlock()
    #expect(text(block.plain) == "aaaaaaaaaaaaaaaa")
    #expect(text(block.packed) == "aaaaaaaaaaaaaaaa")
    // A literal, a small distance with literals, nothing twice, the distance before, a large match.
    #expect(text(lzvn([0xE1, 0x61, 0x40, 0x01, 0x62, 0x0E, 0x16, 0xF2], size: 7)) == "abbbbbb")
    // Earlier blocks may be reached.
    #expect(text(raw("xyz") + lzvn([0x00, 0x03], size: 3)) == "xyzxyz")
  }

  @Test("truncated")
  func truncated() {
    for stream in ["", "b", "bvx", "bvx-\u{1}\0\0", "bvxn\0\0\0\0\0\0\0"] {
      expect(.truncated, at: stream.utf8.count, Array(stream.utf8), ends: false)
    }
    expect(.truncated, at: 11, raw("abc"), ends: false)
    expect(.truncated, at: 15, raw("abc", size: 8))
    expect(.truncated, at: 16, lzvn([], size: 0, end: []).dropLast(4) + [200, 0, 0, 0])
    // Opcodes, or what belongs to them, that end with the payload.
    for opcodes: [UInt8] in [
      [0xE2, 0x61], [0xF0], [0xE0], [0xA0, 0], [0x07, 0], [0x00], [6, 0],
    ] {
      expect(.truncated, at: 12, lzvn(opcodes, size: 2, end: []))
    }
    expect(.truncated, at: 14, lzvn([0xE1, 0x61], size: 1, end: []))
    // More literals than the block has.
    let block = EntropyBlock()
    let greedy = block.with {
      $0.frequencies[4] = 0; $0.frequencies[5] = 64; $0.rawSize = 17
    }
    expect(.truncated, at: 772, greedy.plain)
    // A stream of literals or matches that is too short for its symbols.
    let bits = block.with {
      $0.frequencies[EntropyBlock.literal(0x61)] = 512
      $0.frequencies[EntropyBlock.literal(0x62)] = 512
    }
    expect(.truncated, at: 772, bits.plain)
    #expect(text(bits.with { $0.literalPayload = [0] }.plain) == "aaaaaaaaaaaaaaaa")
    let few = block.with {
      $0.frequencies[EntropyBlock.matchLength(12)] = 32
      $0.frequencies[EntropyBlock.matchLength(11)] = 32
      $0.matchLengthState = 32
      $0.matchPayload = []
    }
    expect(.truncated, at: 772, few.plain)
    #expect(text(few.with { $0.matchPayload = [0] }.plain) == "aaaaaaaaaaaaaaaa")
    let long = block.with {
      $0.rawSize = 200
      $0.matches = 100
      $0.literals = 0
      $0.frequencies[4] = 0
      $0.frequencies[0] = 64
      $0.frequencies[EntropyBlock.matchLength(12)] = 0
      $0.frequencies[EntropyBlock.matchLength(2)] = 1
      $0.frequencies[EntropyBlock.matchLength(3)] = 63
    }
    expect(.truncated, at: 9 + 772, raw("x") + long.plain)
  }

  @Test("unknownMagic")
  func unknownMagic() {
    expect(.unknownMagic, at: 0, Array("bvx3".utf8))
    expect(.unknownMagic, at: 0, [0, 0, 0, 0])
    expect(.unknownMagic, at: 11, raw("abc") + Array("BVX-".utf8))
  }

  @Test("trailingBytes")
  func trailingBytes() {
    expect(.trailingBytes, at: 4, Self.end + [0], ends: false)
    expect(.trailingBytes, at: 4, Self.end)
    expect(.trailingBytes, at: 15, raw("abc") + Self.end + raw("d"))
  }

  @Test("badHeader")
  func badHeader() {
    let block = EntropyBlock().with { $0.rawSize = 900 }
    let changes: [(inout EntropyBlock) -> Void] = [
      { $0.literals = 40_004 }, { $0.literals = 6 }, { $0.matches = 10_001 },
      { $0.literals = 904 }, { $0.matches = 901 },
    ]
    for change in changes {
      expect(.badHeader, at: 0, block.with(change).plain)
      expect(.badHeader, at: 0, block.with(change).packed)
    }
    for bits in [-8, 1, 8, Int(Int32.min), Int(Int32.max)] {
      expect(.badHeader, at: 0, block.with { $0.literalBits = bits }.plain)
      expect(.badHeader, at: 0, block.with { $0.matchBits = bits }.plain)
    }
    // A payload that is not the sum of both, in the fields of `bvx1`.
    for field in [20, 24] {
      var stream = block.plain
      stream[field] += 1
      expect(.badHeader, at: 0, stream)
    }
    for size in [0, 31] {
      expect(.badHeader, at: 24, block.packed(tables: [], headerSize: size))
    }
  }

  @Test("badTable")
  func badTable() {
    let block = EntropyBlock()
    for index in [0, 20, 40, 104] {
      let many = block.with { $0.frequencies[index] = 1 }
      expect(.badTable, at: 0, many.plain)
      expect(.badTable, at: 0, many.packed)
    }
    expect(.badTable, at: 0, block.with { $0.frequencies[359] = 0xFFFF }.plain)
    let tables = block.packedTables
    expect(.badTable, at: 32, block.packed(tables: tables + [0]))
    for count in 1..<tables.count {
      expect(.badTable, at: 32, block.packed(tables: Array(tables.prefix(count))))
    }
  }

  @Test("badState")
  func badState() {
    let block = EntropyBlock()
    for index in 0..<4 {
      expect(.badState, at: 0, block.with { $0.literalStates[index] = 1024 }.plain)
      // A state that no symbol has.
      let hole = block.with {
        $0.frequencies[EntropyBlock.literal(0x61)] = 512
        $0.literalStates[index] = 512
      }
      expect(.badState, at: 772, hole.plain)
    }
    let beyond: [(inout EntropyBlock) -> Void] = [
      { $0.literalLengthState = 64 }, { $0.matchLengthState = 64 }, { $0.distanceState = 256 },
    ]
    for change in beyond {
      expect(.badState, at: 0, block.with(change).plain)
      expect(.badState, at: 0, block.with(change).packed)
    }
    let holes: [(inout EntropyBlock) -> Void] = [
      {
        $0.frequencies[4] = 32; $0.literalLengthState = 32
      },
      {
        $0.frequencies[32] = 32; $0.matchLengthState = 63
      },
      {
        $0.frequencies[41] = 128; $0.distanceState = 128
      },
    ]
    for change in holes { expect(.badState, at: 772, block.with(change).plain) }
    // Without tables each state is a hole.
    expect(.badState, at: 32, block.packed(tables: []))
    // Unused bits that are not zero.
    expect(
      .badState, at: 772,
      block.with {
        $0.matchBits = -3; $0.matchPayload[7] = 0x20
      }.plain)
    let literal = block.with {
      $0.literalBits = -1; $0.literalPayload = [0x80]
    }
    expect(.badState, at: 772, literal.plain)
  }

  @Test("badOpcode")
  func badOpcode() {
    let undefined: [UInt8] =
      [0x1E, 0x26, 0x2E, 0x36, 0x3E] + Array(0x70...0x7F) + Array(0xD0...0xDF)
    for opcode in undefined { expect(.badOpcode, at: 12, lzvn([opcode], size: 0)) }
    expect(.badOpcode, at: 14, lzvn([0xE1, 0x61], size: 1, end: [6, 0, 0, 0, 0, 0, 0, 1]))
    expect(.badOpcode, at: 12, lzvn([], size: 0, end: [6, 0, 0, 0, 0, 0, 0, 0, 0]))
  }

  @Test("badDistance")
  func badDistance() {
    // Zero: the distance before in a new block, and distances that opcodes of each size give.
    for opcodes: [UInt8] in [[0xF3], [0xF0, 0], [0x00, 0], [0x07, 0, 0], [0xA0, 0, 0]] {
      expect(.badDistance, at: 9 + 12, raw("x") + lzvn(opcodes, size: 50))
    }
    expect(.badDistance, at: 12, lzvn([0x46, 0x61], size: 4))
    // Before the start of the output.
    expect(.badDistance, at: 12, lzvn([0x40, 2, 0x61], size: 4))
    expect(.badDistance, at: 9 + 12, raw("x") + lzvn([0x40, 3, 0x61], size: 4))
    #expect(text(raw("x") + lzvn([0x40, 2, 0x61], size: 4)) == "xaxax")
    let block = EntropyBlock()
    for symbol in [0, 4, 63] {
      let far = block.with {
        $0.frequencies[41] = 0; $0.frequencies[40 + symbol] = 256
      }
      // Of the distances with symbol 4, the four bytes before reach the first.
      if symbol == 4 {
        #expect(text(far.plain) == "aaaaaaaaaaaaaaaa")
        expect(.badDistance, at: 772, far.with { $0.matchPayload[7] = 0x80 }.plain)
      } else {
        expect(.badDistance, at: 772, far.plain)
      }
    }
  }

  @Test("wrongRawSize")
  func wrongRawSize() {
    expect(.wrongRawSize, at: 4, lzvn([0xE1, 0x61], size: 2))
    expect(.wrongRawSize, at: 12, lzvn([0xE2, 0x61, 0x62], size: 1))
    expect(.wrongRawSize, at: 14, lzvn([0xE1, 0x61, 0xF1], size: 1))
    let block = EntropyBlock()
    expect(.wrongRawSize, at: 4, block.with { $0.rawSize = 17 }.plain)
    expect(.wrongRawSize, at: 772, block.with { $0.rawSize = 15 }.plain)
    expect(.wrongRawSize, at: 9 + 4, raw("x") + block.with { $0.rawSize = 20 }.plain)
    expect(
      .wrongRawSize, at: 4,
      block.with {
        $0.rawSize = 1; $0.literals = 0; $0.matches = 0
      }.plain)
  }

  @Test("the limit holds for all blocks together")
  func limit() {
    let stream = raw("abc") + EntropyBlock().packed + Self.end
    #expect(decoded(stream, limit: 19) == .success(Array("abcaaaaaaaaaaaaaaaa".utf8)))
    #expect(decoded(stream, limit: 18) == .failure(.outputTooLarge(limit: 18)))
    #expect(decoded(stream, limit: 2) == .failure(.outputTooLarge(limit: 2)))
    #expect(decoded(raw("") + Self.end, limit: 0) == .success([]))
    #expect(decoded(Self.end, limit: -1) == .success([]))
    #expect(
      decoded(Array("bvx-".utf8) + [255, 255, 255, 255]) == .failure(.outputTooLarge(limit: 1000)))
  }
}
