import StorekeeperFixtures
import Testing

import JSONValues

@Suite("JSON text that is read without a tree")
struct JSONTextTests {
  @Test(
    "Text that breaks the grammar is refused at the first byte at fault",
    arguments: [
      ("", 0), (" ", 1), ("[", 1), ("[1,]", 3), ("[1 2]", 3), ("{", 1), ("{1:2}", 1),
      (#"{"a"}"#, 4),
      (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), ("]", 0), ("[}", 1), ("{]", 1), ("[1}", 2),
      (#"{"a":1]"#, 6),
      ("01", 1), ("-", 1), ("-a", 1), ("1.", 2), ("1.e3", 2), ("1e", 2), ("1e+", 3), (".5", 0),
      ("+1", 0),
      ("tru", 3), ("nulL", 3), ("falsey", 5), ("'a'", 0), (#"""#, 1), (#""a"#, 2), ("\"a\nb\"", 2),
      (#""\x""#, 2), (#""\"#, 2), (#""\u12"#, 5), (#""\u12G4""#, 5), ("[] []", 3), ("\u{FEFF}1", 0),
      ("[[[", 3), ("/**/1", 0), ("NaN", 0),
    ])
  func unexpectedBytes(json: String, offset: Int) {
    #expect(throws: JSONValue.SyntaxFailure.unexpectedByte(offset: offset)) {
      try JSONText(checking: Array(json.utf8))
    }
  }

  @Test(
    "Strings that are no Unicode are refused",
    arguments: [
      ([0x80], 1), ([0x61, 0xC3], 2), ([0xC0, 0x80], 1), ([0xC1, 0xBF], 1),
      ([0xE0, 0x9F, 0xBF], 1),
      ([0xED, 0xA0, 0x80], 1), ([0xF0, 0x8F, 0xBF, 0xBF], 1), ([0xF4, 0x90, 0x80, 0x80], 1),
      ([0xF5, 0x80, 0x80, 0x80], 1), ([0xE2, 0x82], 1), ([0xFF], 1), (Array(#"\uD800"#.utf8), 1),
      (Array(#"a\uDC00"#.utf8), 2), (Array(#"\uD800\u0061"#.utf8), 1),
      (Array(#"\uD800\n"#.utf8), 1),
    ] as [([UInt8], Int)])
  func strings(content: [UInt8], offset: Int) {
    #expect(throws: JSONValue.SyntaxFailure.invalidString(offset: offset)) {
      try JSONText(checking: [0x22] + content + [0x22])
    }
  }

  @Test("A text is JSON for the walker if it is for the parser", arguments: 0..<200)
  func agreement(seed: Int) throws {
    var generator = SplitMix(state: UInt64(seed))
    let pieces = [
      "[", "]", "{", "}", ",", ":", " ", "\n", #""a""#, #""""#, #""\u00e9\n""#, #""é😀""#, "0",
      "-1.5e3", "12",
      "true", "false", "null", "\"", "\\", "1e999",
    ]
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 1...9, using: &generator))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
      let bytes = Array(text.utf8)
      let tree = try? JSONValue(known: bytes)
      let walked = (try? JSONText(checking: bytes)).map { value(of: $0, at: $0.root) }
      #expect(walked == tree, "\(text)")
    }
  }

  @Test("Depth has no limit")
  func depth() throws {
    let bytes =
      [UInt8](repeating: 0x5B, count: 1_000_000) + [UInt8](repeating: 0x5D, count: 1_000_000)
    let text = try JSONText(checking: bytes)
    let inner = Array(text.elements(at: text.root))
    #expect(inner.count == 1)
    #expect(throws: JSONValue.SyntaxFailure.unexpectedByte(offset: 1_999_999)) {
      try JSONText(checking: bytes.dropLast())
    }
  }

  @Test("The strings of an array are found without notes, and cut behind the limit")
  func strings() throws {
    let text = try JSONText(
      checking: Array(#"{"a":[ "" ,"\"]","b\u00e9]" , "12345678","1234é67"]}"#.utf8))
    let place = try #require(text.place(of: "a", in: text.root))
    #expect(Array(text.strings(at: place, limit: 99)) == ["", "\"]", "bé]", "12345678", "1234é67"])
    #expect(Array(text.strings(at: place, limit: 4)) == ["", "\"]", "bé]", "12345", "1234é"])
    let empty = try JSONText(checking: Array("[ ]".utf8))
    #expect(Array(empty.strings(at: empty.root, limit: 9)) == [])
  }

  @Test(
    "A string of 1 to 18 digits is a number, and no other",
    arguments: [
      (#""0""#, 0), (#""007""#, 7), (#""123456789012345678""#, 123_456_789_012_345_678),
      (#""1234567890123456789""#, nil), (#""""#, nil), (#""-1""#, nil), (#""1 ""#, nil), ("1", nil),
      (#""\u0031""#, nil),
    ] as [(String, Int?)])
  func digits(json: String, value: Int?) throws {
    let text = try JSONText(checking: Array(json.utf8))
    #expect(text.digits(at: text.root) == value)
  }

  @Test("Members are walked in the order of the text, with duplicates")
  func members() throws {
    let text = try JSONText(checking: Array(#" {"b":[1,"]"],"\u0061":{"c":"}"} , "b":2} "#.utf8))
    let members = Array(text.members(at: text.root))
    #expect(members.map { text.string(at: $0.name) } == ["b", "a", "b"])
    #expect(members.map { text.kind(at: $0.value) } == [.array, .object, .number])
    #expect(Array(text.elements(at: text.root)).isEmpty)
  }

  @Test(
    "Integers fit 64 bits and have no fraction",
    arguments: [
      ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("1.0", nil), ("1e3", nil), (#""1""#, nil), ("null", nil),
    ] as [(String, Int?)])
  func integers(json: String, expected: Int?) throws {
    let text = try JSONText(checking: Array(json.utf8))
    #expect(text.integer(at: text.root) == expected)
  }

  @Test(
    "A limit leaves out the rest of a string, but no part of a character",
    arguments: [
      (#""abcdef""#, 3, "abcd"), (#""abc""#, 3, "abc"), (#""abcé""#, 3, "abcé"),
      (#""ab\u0063def""#, 3, "abcd"),
      (#""ab\u00e9\u00e9""#, 3, "abé"), (#""\ud83d\ude00\ud83d\ude00""#, 3, "😀"),
      (#""😀😀""#, 3, "😀"), (#""""#, 0, ""),
    ])
  func limit(json: String, limit: Int, expected: String) throws {
    let text = try JSONText(checking: Array(json.utf8))
    #expect(text.string(at: text.root, limit: limit) == expected)
  }

  private func value(of text: JSONText, at place: JSONText.Place) -> JSONValue {
    switch text.kind(at: place) {
    case .object:
      let members = text.members(at: place).map { member in
        (text.string(at: member.name) ?? "", value(of: text, at: member.value))
      }
      return .object(Dictionary(members) { first, _ in first })
    case .array: return .array(text.elements(at: place).map { value(of: text, at: $0) })
    case .string: return .string(text.string(at: place) ?? "")
    case .boolean: return .boolean(text.boolean(at: place) ?? false)
    case .null: return .null
    default:
      if let integer = text.integer(at: place) { return .integer(integer) }
      return .number(text.number(at: place).flatMap { Double($0) } ?? .nan)
    }
  }
}
