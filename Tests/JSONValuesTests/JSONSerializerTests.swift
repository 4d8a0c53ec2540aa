import JSONValues
import Testing

@Suite("Writing JSON")
struct JSONSerializerTests {
  static let forms: [ParserCase] = [
    ParserCase("null", .null),
    ParserCase("true", .boolean(true)),
    ParserCase("false", .boolean(false)),
    ParserCase("0", .integer(0)),
    ParserCase("-7", .integer(-7)),
    ParserCase("9223372036854775807", .integer(.max)),
    ParserCase("-9223372036854775808", .integer(.min)),
    ParserCase("1.5", .number(1.5)),
    ParserCase("0.1", .number(0.1)),
    ParserCase(#""""#, .string("")),
    ParserCase(#""a/b""#, .string("a/b")),
    ParserCase(#""\"\\""#, .string("\"\\")),
    ParserCase("\"é€😀\u{7F}\"", .string("é€😀\u{7F}")),
    ParserCase("[]", .array([])),
    ParserCase("{}", .object([:])),
    ParserCase(
      #"[1,"a",null,[true]]"#,
      .array([
        .integer(1), .string("a"), .null, .array([.boolean(true)]),
      ])),
    ParserCase(
      #"{"":3,"a":{"c":2},"b":1}"#,
      .object(["b": .integer(1), "a": .object(["c": .integer(2)]), "": .integer(3)])),
    ParserCase(#"{"a\"b":1}"#, .object(["a\"b": .integer(1)])),
  ]

  @Test("writes the compact form with sorted members, and reads it again", arguments: forms)
  func compactForm(_ one: ParserCase) throws {
    #expect(String(decoding: one.value.serialized, as: UTF8.self) == one.text)
    #expect(try JSONValue(parsing: one.value.serialized) == one.value)
  }

  @Test("escapes each control character", arguments: 0..<UInt8(0x20))
  func controlCharacters(byte: UInt8) throws {
    let hexadecimal = Array("0123456789abcdef".utf8)
    let escape: [UInt8] =
      Array(#"\u00"#.utf8) + [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
    let value = JSONValue.string(String(Unicode.Scalar(byte)))
    #expect(value.serialized == Array("\"".utf8) + escape + Array("\"".utf8))
    #expect(try JSONValue(parsing: value.serialized) == value)
  }

  @Test(
    "a number survives exactly",
    arguments: [
      0.1, -0.1, 1.5, 1e21, 1e22, 1e300, -1e300, .leastNonzeroMagnitude, 0x1p53, -0x1p53, 0x1p63,
      0x1p64,
      1_698_148_900_123.456, .greatestFiniteMagnitude, .leastNormalMagnitude, .pi,
    ])
  func numbers(number: Double) throws {
    #expect(try JSONValue(parsing: JSONValue.number(number).serialized) == .number(number))
  }

  @Test("a whole number loses its fraction of zero", arguments: [(1.0, "1"), (-0.0, "0")])
  func wholeNumbers(number: Double, text: String) {
    #expect(String(decoding: JSONValue.number(number).serialized, as: UTF8.self) == text)
  }

  @Test(
    "a number that JSON has no form for is written as null",
    arguments: [Double.nan, .infinity, -.infinity])
  func nonFinite(number: Double) {
    #expect(JSONValue.number(number).serialized == Array("null".utf8))
  }

  @Test("equal objects give equal bytes, whatever the order of their members was")
  func canonicalOrder() throws {
    let one = try JSONValue(parsing: Array(#"{"b":1,"a":2,"c":3}"#.utf8))
    let other = try JSONValue(parsing: Array(#"{"c":3,"a":2,"b":1}"#.utf8))
    #expect(one.serialized == other.serialized)
    #expect(one.serialized == Array(#"{"a":2,"b":1,"c":3}"#.utf8))
  }
}
