import JSONValues
import StorekeeperFixtures
import Testing

/// Random values; `STOREKEEPER_SEED` in the environment repeats a run.
@Suite("Random JSON")
struct JSONRandomTests {
  @Test("every value that is written reads back equal")
  func roundTrip() throws {
    print("JSON round trip: STOREKEEPER_SEED=\(SplitMix.seed)")
    var generator = SplitMix(state: SplitMix.seed)
    for round in 0..<2000 {
      let value = JSONValue.random(depth: 5, using: &generator)
      let read = try JSONValue(parsing: value.serialized)
      try #require(read == value, "seed \(SplitMix.seed), round \(round)")
    }
  }

  @Test("a damaged text is read or refused, but never crashes the reader")
  func damagedTexts() {
    print("Damaged JSON: STOREKEEPER_SEED=\(SplitMix.seed)")
    var generator = SplitMix(state: SplitMix.seed)
    for _ in 0..<5000 {
      var bytes = JSONValue.random(depth: 3, using: &generator).serialized
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.removeSubrange(index...)
        }
      }
      // What was read must be a value like any other.
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      #expect(
        (try? JSONValue(parsing: value.serialized)).map(\.serialized) == value.serialized,
        "seed \(SplitMix.seed)")
    }
  }
}

extension JSONValue {
  /// A value in the form that the reader gives: whole numbers of 64 bits are integers.
  static func random(depth: Int, using generator: inout SplitMix) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &generator))
    case 2: return .integer(Int(truncatingIfNeeded: generator.next()) >> Int(generator.next() % 64))
    case 3: return .number(randomNumber(using: &generator))
    case 4, 5: return .string(randomString(using: &generator))
    case 6:
      let count = Int.random(in: 0..<5, using: &generator)
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<Int.random(in: 0..<5, using: &generator) {
        members[randomString(using: &generator)] = random(depth: depth - 1, using: &generator)
      }
      return .object(members)
    }
  }

  /// Any bit pattern that is finite and that is not written as an integer.
  private static func randomNumber(using generator: inout SplitMix) -> Double {
    while true {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite, Int(exactly: number) == nil || abs(number) >= 0x1p53 else { continue }
      return number
    }
  }

  private static func randomString(using generator: inout SplitMix) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x20...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF,
      0x1_0000...0x10_FFFF,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0..<8, using: &generator) {
      let range = ranges[Int.random(in: ranges.indices, using: &generator)]
      guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) else {
        continue
      }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
