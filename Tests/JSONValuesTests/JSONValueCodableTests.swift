import Foundation
import JSONValues
import Testing

@Suite("JSON values through Codable")
struct JSONValueCodableTests {
  static let texts = [
    "null", "true", "false", "0", "-7", "9223372036854775807", "-9223372036854775808", "1.5",
    "18446744073709551616", #""""#, #""a\n\"é😀""#, "[]", "{}", "[null,[true,{}],1.25]",
    #"{"a":{"b":[{"c":null}]},"true":false}"#,
  ]

  @Test("a decoder gives what the parser gives", arguments: texts)
  func decoding(text: String) throws {
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
  }

  @Test("an encoder writes what the serializer writes", arguments: texts)
  func encoding(text: String) throws {
    let value = try JSONValue(parsing: Array(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    #expect(try JSONValue(parsing: Array(encoder.encode(value))) == value)
  }

  @Test("has the kind of its case and the members of an object")
  func kinds() throws {
    let value = try JSONValue(parsing: Array(#"{"a":[1,1.5,"x",true,null]}"#.utf8))
    #expect(value.kind == .object)
    #expect(value["a"]?.kind == .array)
    #expect(value["b"] == nil)
    #expect(value["a"]?["a"] == nil)
    guard case .array(let elements)? = value["a"] else {
      Issue.record("no array")
      return
    }
    #expect(elements.map(\.kind) == [.integer, .number, .string, .boolean, .null])
  }
}
