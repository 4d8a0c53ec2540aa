import JSONValues
import Testing

/// The expected value of a text.
struct ParserCase: Sendable, CustomTestStringConvertible {
  var text: String
  var value: JSONValue
  var testDescription: String { text }

  init(_ text: String, _ value: JSONValue) {
    self.text = text
    self.value = value
  }
}

/// The expected reason for refusing a text.
struct RefusalCase: Sendable, CustomTestStringConvertible {
  var text: String
  var failure: JSONValue.SyntaxFailure
  var testDescription: String { text.debugDescription }

  init(_ text: String, _ failure: JSONValue.SyntaxFailure) {
    self.text = text
    self.failure = failure
  }

  /// The grammar is broken at this byte.
  init(_ text: String, at offset: Int) {
    self.init(text, .unexpectedByte(offset: offset))
  }
}

@Suite("Reading JSON (RFC 8259)")
struct JSONParserTests {
  static let accepted: [ParserCase] = [
    // Section 2: any value may be the whole text, with white space around it.
    ParserCase("null", .null),
    ParserCase("true", .boolean(true)),
    ParserCase("false", .boolean(false)),
    ParserCase(" \t\r\nnull\n\r\t ", .null),
    ParserCase("[]", .array([])),
    ParserCase("{}", .object([:])),
    ParserCase("[ ]", .array([])),
    ParserCase("{ }", .object([:])),
    // Sections 4 and 5.
    ParserCase(#"{"a":1}"#, .object(["a": .integer(1)])),
    ParserCase(
      #" { "a" : 1 , "b" : [ ] } "#, .object(["a": .integer(1), "b": .array([])])),
    ParserCase(#"{"":0}"#, .object(["": .integer(0)])),
    ParserCase(
      "[1,[2,{\"a\":[3]}]]",
      .array([
        .integer(1), .array([.integer(2), .object(["a": .array([.integer(3)])])]),
      ])),
    ParserCase("[null,true,false]", .array([.null, .boolean(true), .boolean(false)])),
    // Section 6.
    ParserCase("0", .integer(0)),
    ParserCase("-0", .integer(0)),
    ParserCase("-0.0", .number(0)),
    ParserCase("7", .integer(7)),
    ParserCase("-12", .integer(-12)),
    ParserCase("1.0", .number(1)),
    ParserCase("1.5", .number(1.5)),
    ParserCase("-1.25", .number(-1.25)),
    ParserCase("1e2", .number(100)),
    ParserCase("1E2", .number(100)),
    ParserCase("1e+2", .number(100)),
    ParserCase("125e-2", .number(1.25)),
    ParserCase("0e0", .number(0)),
    ParserCase("1e007", .number(10_000_000)),
    ParserCase("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    ParserCase("9007199254740993", .integer(9_007_199_254_740_993)),
    ParserCase("9223372036854775807", .integer(9_223_372_036_854_775_807)),
    ParserCase("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ParserCase("-9223372036854775808", .integer(-9_223_372_036_854_775_808)),
    ParserCase("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
    ParserCase("18446744073709551616", .number(18_446_744_073_709_551_616)),
    // Section 7.
    ParserCase(#""""#, .string("")),
    ParserCase(#""abc""#, .string("abc")),
    ParserCase(#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
    ParserCase(#""a\nb""#, .string("a\nb")),
    ParserCase(#""\u0041\u00e9\u00E9\u20AC""#, .string("Aéé€")),
    ParserCase(#""\u0000""#, .string("\u{0}")),
    ParserCase(#""\uFFFF""#, .string("\u{FFFF}")),
    ParserCase(#""\uD83D\uDE00""#, .string("😀")),
    ParserCase(#""\ud800\udc00""#, .string("\u{10000}")),
    ParserCase(#""\udbff\udfff""#, .string("\u{10FFFF}")),
    ParserCase(#""é€😀""#, .string("é€😀")),
    ParserCase("\"\u{7F}\u{2028}\u{FEFF}\"", .string("\u{7F}\u{2028}\u{FEFF}")),
    ParserCase(#"{"\u0061":1}"#, .object(["a": .integer(1)])),
  ]

  @Test("accepts what the grammar allows", arguments: accepted)
  func accepts(_ one: ParserCase) throws {
    #expect(try JSONValue(parsing: Array(one.text.utf8)) == one.value)
  }

  static let refused: [RefusalCase] = [
    // No value, or no more than one.
    RefusalCase("", at: 0),
    RefusalCase("  ", at: 2),
    RefusalCase("1 2", at: 2),
    RefusalCase("{}{}", at: 2),
    RefusalCase("null,", at: 4),
    RefusalCase("null\u{0}", at: 4),
    // White space is the four characters of section 2.
    RefusalCase("\u{B}1", at: 0),
    RefusalCase("\u{C}1", at: 0),
    RefusalCase("\u{A0}1", at: 0),
    RefusalCase("1\u{2028}", at: 1),
    RefusalCase("\u{FEFF}null", at: 0),
    // Extensions of other readers.
    RefusalCase("// comment", at: 0),
    RefusalCase("/* */1", at: 0),
    RefusalCase("'a'", at: 0),
    RefusalCase("{a:1}", at: 1),
    RefusalCase("undefined", at: 0),
    // Section 3.
    RefusalCase("True", at: 0),
    RefusalCase("NULL", at: 0),
    RefusalCase("tru", at: 3),
    RefusalCase("truth", at: 3),
    RefusalCase("truex", at: 4),
    RefusalCase("nul", at: 3),
    RefusalCase("falsy", at: 4),
    // Sections 4 and 5.
    RefusalCase("[", at: 1),
    RefusalCase("]", at: 0),
    RefusalCase("[1", at: 2),
    RefusalCase("[1,", at: 3),
    RefusalCase("[1,]", at: 3),
    RefusalCase("[,1]", at: 1),
    RefusalCase("[1,,2]", at: 3),
    RefusalCase("[1 2]", at: 3),
    RefusalCase("[1}", at: 2),
    RefusalCase("[1]]", at: 3),
    RefusalCase("{", at: 1),
    RefusalCase("}", at: 0),
    RefusalCase(#"{"a""#, at: 4),
    RefusalCase(#"{"a"}"#, at: 4),
    RefusalCase(#"{"a":"#, at: 5),
    RefusalCase(#"{"a":}"#, at: 5),
    RefusalCase(#"{"a" 1}"#, at: 5),
    RefusalCase(#"{"a":1"#, at: 6),
    RefusalCase(#"{"a":1,}"#, at: 7),
    RefusalCase(#"{"a":1;"b":2}"#, at: 6),
    RefusalCase(#"{"a":1 "b":2}"#, at: 7),
    RefusalCase(#"{,"a":1}"#, at: 1),
    RefusalCase(#"{1:1}"#, at: 1),
    RefusalCase(#"{null:1}"#, at: 1),
    RefusalCase(#"{"a":1]"#, at: 6),
    // Section 6.
    RefusalCase("-", at: 1),
    RefusalCase("+1", at: 0),
    RefusalCase("--1", at: 1),
    RefusalCase("- 1", at: 1),
    RefusalCase("00", at: 1),
    RefusalCase("01", at: 1),
    RefusalCase("-01", at: 2),
    RefusalCase("01.5", at: 1),
    RefusalCase(".5", at: 0),
    RefusalCase("-.5", at: 1),
    RefusalCase("1.", at: 2),
    RefusalCase("1.e1", at: 2),
    RefusalCase("1e", at: 2),
    RefusalCase("1e+", at: 3),
    RefusalCase("1e-", at: 3),
    RefusalCase("1e+-1", at: 3),
    RefusalCase("1e1.5", at: 3),
    RefusalCase("0x10", at: 1),
    RefusalCase("1_000", at: 1),
    RefusalCase("1n", at: 1),
    RefusalCase("NaN", at: 0),
    RefusalCase("Infinity", at: 0),
    RefusalCase("-Infinity", at: 1),
    RefusalCase("٣", at: 0),
    RefusalCase("1e400", .numberOutOfRange(offset: 0)),
    RefusalCase("[-1e400]", .numberOutOfRange(offset: 1)),
    RefusalCase(#"{"a":1.8e308}"#, .numberOutOfRange(offset: 5)),
    RefusalCase(String(repeating: "9", count: 400), .numberOutOfRange(offset: 0)),
    // Section 7.
    RefusalCase(#"""#, at: 1),
    RefusalCase(#""abc"#, at: 4),
    RefusalCase(#""a\n"#, at: 4),
    RefusalCase(#""\"#, at: 2),
    RefusalCase(#""\x""#, at: 2),
    RefusalCase(#""\'""#, at: 2),
    RefusalCase(#""\U0041""#, at: 2),
    RefusalCase(#""\u""#, at: 3),
    RefusalCase(#""\u12""#, at: 5),
    RefusalCase(#""\u12G4""#, at: 5),
    RefusalCase(#""\u 041""#, at: 3),
    RefusalCase(#""\u+041""#, at: 3),
    RefusalCase("\"\u{0}\"", at: 1),
    RefusalCase("\"a\nb\"", at: 2),
    RefusalCase("\"\t\"", at: 1),
    RefusalCase("\"\u{1F}\"", at: 1),
    RefusalCase("\"\\n\u{1F}\"", at: 3),
    // Section 8.2: half of a surrogate pair.
    RefusalCase(#""\ud83d""#, .invalidString(offset: 1)),
    RefusalCase(#""a\ude00""#, .invalidString(offset: 2)),
    RefusalCase(#""\ude00\ud83d""#, .invalidString(offset: 1)),
    RefusalCase(#""\ud83d\ud83d""#, .invalidString(offset: 1)),
    RefusalCase(#""\ud83d\u0041""#, .invalidString(offset: 1)),
    RefusalCase(#""\ud83d\n""#, .invalidString(offset: 1)),
    RefusalCase(#""\ud83dx""#, .invalidString(offset: 1)),
    RefusalCase(#"{"\ud83d":1}"#, .invalidString(offset: 2)),
  ]

  @Test("refuses everything else, with the byte where it breaks", arguments: refused)
  func refuses(_ one: RefusalCase) {
    #expect(throws: one.failure) { try JSONValue(parsing: Array(one.text.utf8)) }
  }

  /// Sequences that are no UTF-8 (RFC 3629, section 3), inside a string.
  static let noUTF8: [[UInt8]] = [
    [0x80],  // a continuation byte alone
    [0xFF],  // never used
    [0xC3],  // cut off
    [0xE2, 0x82],  // cut off
    [0xC0, 0x80],  // overlong U+0000
    [0xE0, 0x80, 0xAF],  // overlong "/"
    [0xED, 0xA0, 0x80],  // a surrogate
    [0xF4, 0x90, 0x80, 0x80],  // beyond U+10FFFF
  ]

  @Test("refuses a string that is not UTF-8", arguments: noUTF8)
  func refusesInvalidUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(throws: JSONValue.SyntaxFailure.invalidString(offset: 1)) {
      try JSONValue(parsing: [quote] + bytes + [quote])
    }
    #expect(throws: JSONValue.SyntaxFailure.invalidString(offset: 2)) {
      try JSONValue(parsing: Array("{\"".utf8) + bytes + Array("\":1}".utf8))
    }
    #expect(throws: JSONValue.SyntaxFailure.invalidString(offset: 1)) {
      try JSONValue(parsing: Array(#""\n"#.utf8) + bytes + [quote])
    }
    #expect(throws: JSONValue.SyntaxFailure.unexpectedByte(offset: 0)) {
      try JSONValue(parsing: bytes)
    }
  }

  @Test("refuses UTF-16")
  func refusesUTF16() {
    #expect(throws: JSONValue.SyntaxFailure.unexpectedByte(offset: 1)) {
      try JSONValue(parsing: Array("1".utf8) + [0])
    }
    #expect(throws: JSONValue.SyntaxFailure.unexpectedByte(offset: 0)) {
      try JSONValue(parsing: [0] + Array("1".utf8))
    }
  }

  @Test(
    "of duplicate members the first counts",
    arguments: [
      (#"{"a":1,"a":2}"#, JSONValue.integer(1)),
      (#"{"a":1,"\u0061":2}"#, .integer(1)),
      (#"{"a":null,"a":2}"#, .null),
      (#"{"a":{"b":1},"a":{"b":2}}"#, .object(["b": .integer(1)])),
      (#"{"a":1,"a":2,"a":3}"#, .integer(1)),
    ])
  func duplicates(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == .object(["a": value]))
  }

  @Test("reads a number that is too small for a Double as the nearest one")
  func underflow() throws {
    #expect(try JSONValue(parsing: Array("1e-400".utf8)) == .number(0))
    #expect(try JSONValue(parsing: Array("5e-324".utf8)) == .number(.leastNonzeroMagnitude))
  }
}

@Suite("Nesting of JSON")
struct JSONDepthTests {
  static let shapes = [
    NestingShape(opening: "[", closing: "]"),
    NestingShape(opening: #"{"a":"#, closing: "}"),
    NestingShape(opening: #"[{"a":"#, closing: "}]", levels: 2),
  ]

  @Test("accepts 64 levels", arguments: shapes)
  func accepts64(shape: NestingShape) throws {
    var value = try JSONValue(parsing: shape.text(levels: 64))
    var depth = 0
    while let inner = value["a"] ?? value.firstElement {
      value = inner
      depth += 1
    }
    #expect(depth == 64)
    #expect(value == .integer(1))
  }

  @Test("refuses 65 levels", arguments: shapes)
  func refuses65(shape: NestingShape) {
    #expect(throws: JSONValue.SyntaxFailure.tooDeep(limit: 64)) {
      try JSONValue(parsing: shape.text(levels: 66))
    }
  }

  @Test("refuses the 65th level of arrays itself")
  func refuses65Exactly() {
    #expect(throws: JSONValue.SyntaxFailure.tooDeep(limit: 64)) {
      try JSONValue(parsing: Self.shapes[0].text(levels: 65))
    }
    #expect(throws: JSONValue.SyntaxFailure.tooDeep(limit: 64)) {
      try JSONValue(parsing: Self.shapes[1].text(levels: 65))
    }
  }

  @Test("refuses 100 000 levels without exhausting the stack", arguments: shapes)
  func refusesVeryDeep(shape: NestingShape) {
    #expect(throws: JSONValue.SyntaxFailure.tooDeep(limit: 64)) {
      try JSONValue(parsing: shape.text(levels: 100_000))
    }
    #expect(throws: JSONValue.SyntaxFailure.tooDeep(limit: 64)) {
      try JSONValue(parsing: Array(String(repeating: shape.opening, count: 100_000).utf8))
    }
  }

  @Test("counts levels, not values: siblings do not add up")
  func siblings() throws {
    let text = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(value == .array(Array(repeating: .array([.array([])]), count: 1000)))
  }
}

/// A bracket, or several, repeated around the number 1.
struct NestingShape: Sendable, CustomTestStringConvertible {
  var opening: String
  var closing: String
  var levels = 1
  var testDescription: String { opening + "…" + closing }

  func text(levels total: Int) -> [UInt8] {
    let count = total / levels
    return Array(
      (String(repeating: opening, count: count) + "1" + String(repeating: closing, count: count))
        .utf8)
  }
}

extension JSONValue {
  fileprivate var firstElement: JSONValue? {
    guard case .array(let elements) = self else { return nil }
    return elements.first
  }
}
