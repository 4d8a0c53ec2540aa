import JSONValues
import Testing

@Suite("Numbers that are too large")
struct LargeNumberTests {
  @Test(
    "are refused, unless only known members are wanted; then they are infinite",
    arguments: [("1e999", Double.infinity), ("-1e999", -.infinity), ("1.5E+400", .infinity)])
  func large(text: String, value: Double) throws {
    let bytes = Array(#"{"a":\#(text)}"#.utf8)
    #expect(throws: JSONValue.SyntaxFailure.numberOutOfRange(offset: 5)) {
      try JSONValue(parsing: bytes)
    }
    #expect(try JSONValue(known: bytes) == .object(["a": .number(value)]))
  }

  @Test("have to be JSON all the same", arguments: ["1e", "01e999", "1e999x", ".1e999"])
  func broken(text: String) {
    let bytes = Array(#"{"a":\#(text)}"#.utf8)
    #expect(throws: JSONValue.SyntaxFailure.self) { try JSONValue(known: bytes) }
  }
}
