import JSONValues
import Testing

@Suite("Names of members that are too long")
struct LongNameTests {
  private func text(_ length: Int) -> [UInt8] {
    Array(#"{"a":1,"\#(String(repeating: "x", count: length))":[{"b":2}],"c":3}"#.utf8)
  }

  @Test("are refused, unless only known members are wanted; then the member is left out")
  func long() throws {
    let tooLong = text(129)
    #expect(throws: JSONValue.SyntaxFailure.nameTooLong(offset: 7, limit: 128)) {
      try JSONValue(parsing: tooLong)
    }
    #expect(
      try JSONValue(known: tooLong) == .object(["a": .integer(1), "c": .integer(3)]))
  }

  @Test("at the limit nothing is left out")
  func atTheLimit() throws {
    let most = text(128)
    #expect(try JSONValue(known: most) == JSONValue(parsing: most))
    guard case .object(let members) = try JSONValue(known: most) else {
      Issue.record("no object")
      return
    }
    #expect(members.count == 3)
  }

  @Test("what is left out has to be JSON all the same")
  func broken() {
    let name = String(repeating: "x", count: 129)
    #expect(throws: JSONValue.SyntaxFailure.unexpectedByte(offset: 133)) {
      try JSONValue(known: Array(#"{"\#(name)":}"#.utf8))
    }
  }
}
