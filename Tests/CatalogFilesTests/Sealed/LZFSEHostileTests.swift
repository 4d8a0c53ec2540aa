import CatalogFiles
import StorekeeperFixtures
import Testing

/// Source: entitlement rules, sections 3 and 3.1.
@Suite("Hostile LZFSE streams")
struct LZFSEHostileTests {
  private static let end = EntropyBlock.endMark

  private func failure(_ stream: [UInt8], limit: Int = LZFSEDecoder.usualLimit) -> LZFSEFailure? {
    do throws(LZFSEFailure) {
      _ = try LZFSEDecoder(limit: limit).decoded(stream)
      return nil
    } catch {
      return error
    }
  }

  /// The streams of the vectors, and that of V3 with plain tables.
  private static func streams() throws -> [[UInt8]] {
    let streams = try SealedVector.encrypted.map { try $0.stream }
    let plain = try #require(EntropyBlock(packed: streams[2])).plain
    return streams + [plain + end]
  }

  @Test("a stream cut at any length is truncated")
  func cut() throws {
    for stream in try Self.streams() {
      for count in stream.indices {
        #expect(
          failure(Array(stream.prefix(count))) == .invalid(reason: .truncated, offset: count))
      }
    }
  }

  @Test("no changed bit makes a stream do harm")
  func bits() throws {
    for stream in try Self.streams() {
      for bit in 0..<8 * stream.count {
        var changed = stream
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        // A list or a failure within the bytes; a changed literal is no fault.
        if case .invalid(_, let offset) = failure(changed) { #expect(offset <= changed.count) }
      }
    }
  }

  @Test("no random bytes behind a header do harm")
  func noise() throws {
    var generator = SplitMix(state: 16)
    for _ in 0..<2_000 {
      var stream = try Self.streams()[Int.random(in: 0..<4, using: &generator)]
      let start = Int.random(in: 4..<stream.count, using: &generator)
      for index in start..<min(stream.count, start + 24) {
        stream[index] = UInt8.random(in: 0...255, using: &generator)
      }
      if case .invalid(_, let offset) = failure(stream) { #expect(offset <= stream.count) }
    }
  }

  @Test("matches that overlap themselves repeat what is before them")
  func overlaps() throws {
    for distance in 1...40 {
      for length in [3, 7, 8, 15, 16, 17, 31, 32, 33, 200] {
        let start = (0..<distance).map { UInt8($0 + 65) }
        // Literals, then 3 bytes with the distance, then the rest with the distance before.
        var opcodes = [0xE0, UInt8(max(0, distance - 16))] + start
        if distance < 16 { opcodes = [0xE0 + UInt8(distance)] + start }
        opcodes += [0x00, UInt8(distance)]
        let rest = length - 3
        if rest >= 16 {
          opcodes += [0xF0, UInt8(rest - 16)]
        } else if rest > 0 {
          opcodes += [0xF0 + UInt8(rest)]
        }
        opcodes += [6, 0, 0, 0, 0, 0, 0, 0]
        let size = distance + length
        let stream =
          Array("bvxn".utf8) + [
            UInt8(size & 255), UInt8(size >> 8), 0, 0, UInt8(opcodes.count), 0, 0, 0,
          ]
          + opcodes + Self.end
        let expected = (0..<size).map { start[$0 % distance] }
        #expect(try LZFSEDecoder().decoded(stream) == expected, "\(distance), \(length)")
      }
    }
  }

  /// A block of 10,000 matches of 2,359 bytes, 23.6 million bytes in about 150.
  private static func bomb(rawSize: Int) -> EntropyBlock {
    EntropyBlock().with {
      $0.rawSize = rawSize
      $0.matches = 10_000
      $0.frequencies[4] = 0
      $0.frequencies[EntropyBlock.literalLength(0)] = 64
      $0.frequencies[EntropyBlock.matchLength(12)] = 0
      $0.frequencies[EntropyBlock.matchLength(19)] = 64
      $0.literals = 0
      $0.matchPayload = [UInt8](repeating: 0xFF, count: 10_000 * 11 / 8)
    }
  }

  @Test("bombs end at 8 MiB", .timeLimit(.minutes(30)))
  func bombs() {
    let start = Array("bvx-".utf8) + [1, 0, 0, 0, 0x61]
    let too = LZFSEFailure.outputTooLarge(limit: 8 << 20)
    #expect(failure(start + Self.bomb(rawSize: 23_590_000).packed + Self.end) == too)
    #expect(failure(start + Self.bomb(rawSize: 8 << 20).packed + Self.end) == too)
    // A false size is found while the block is decoded.
    let header = Self.bomb(rawSize: 8 << 20 - 1).packed.count - 13_750
    #expect(
      failure(start + Self.bomb(rawSize: 8 << 20 - 1).packed + Self.end)
        == .invalid(reason: .wrongRawSize, offset: 9 + header))
    // Blocks of 1 MiB each, one byte too many in the last.
    let megabyte = Array("bvx-".utf8) + [0, 0, 16, 0] + [UInt8](repeating: 0, count: 1 << 20)
    let eight = Array(repeatElement(megabyte, count: 8).joined())
    #expect(failure(eight + Self.end) == nil)
    #expect(failure(eight + start + Self.end) == too)
  }

  @Test("blocks without output are no more work than their bytes", .timeLimit(.minutes(30)))
  func idle() {
    let idle: [(String, [UInt8])] = [
      ("raw", Array("bvx-\0\0\0\0".utf8)),
      (
        "without tables",
        EntropyBlock().with {
          $0.rawSize = 0; $0.literals = 0; $0.matches = 0; $0.matchPayload = []
        }
        .packed(tables: [])
      ),
      (
        "with tables",
        EntropyBlock().with {
          $0.rawSize = 0; $0.literals = 0; $0.matches = 0; $0.matchPayload = []
        }.packed
      ),
      ("LZVN", Array("bvxn\0\0\0\0".utf8) + [8, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]),
      (
        "plain tables",
        EntropyBlock().with {
          $0.rawSize = 0; $0.literals = 0; $0.matches = 0; $0.matchPayload = []
        }.plain
      ),
    ]
    for (name, block) in idle {
      let stream = Array(repeatElement(block, count: (1 << 17) / block.count).joined()) + Self.end
      #expect(failure(stream) == nil, "\(name)")
    }
    // Matches and literals that give nothing are a fault of the header.
    let lazy = EntropyBlock().with {
      $0.rawSize = 0; $0.matches = 10_000; $0.literals = 0
    }
    #expect(failure(lazy.packed + Self.end) == .invalid(reason: .badHeader, offset: 0))
    let wasteful = EntropyBlock().with {
      $0.rawSize = 0; $0.matches = 0; $0.literals = 40_000
    }
    #expect(failure(wasteful.packed + Self.end) == .invalid(reason: .badHeader, offset: 0))
    let nothing = [UInt8](repeating: 0x0E, count: 1 << 20) + [6, 0, 0, 0, 0, 0, 0, 0]
    let opcodes = Array("bvxn\0\0\0\0".utf8) + [8, 0, 16, 0] + nothing
    #expect(failure(opcodes + Self.end) == nil)
  }
}
