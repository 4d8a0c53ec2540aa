import JSONValues
import Testing

@Suite("Members of a JSON object that are read by name")
struct JSONMembersTests {
  private typealias Members = JSONMembers<Refusal>

  private struct Refusal: MemberFailure, Equatable {
    let text: String

    init(_ text: String) { self.text = text }

    init(_ fault: MemberFault) {
      let reason =
        switch fault.detail {
        case .notJSON(let failure): "no JSON at \(failure.offset)"
        case .notOneOf(let words): "none of \(words)"
        case .outOfRange: "out of range"
        case nil: fault.isMissing ? "missing" : "\(fault.failure)"
        }
      self.init("\(fault.name)|\(fault.failure.path)|\(reason)")
    }
  }

  private enum Word: String, CaseIterable { case one, two }

  private func members(_ json: String) throws -> Members {
    try Members(parsing: Array(json.utf8))
  }

  @Test("Members are read in their types, and null counts as absent")
  func types() throws {
    let members = try members(
      #"{"t":"a","e":"","b":true,"i":-3,"w":"two","l":["x"],"o":{"p":[{"q":1}]},"n":null}"#)
    #expect(try members.text("t") == "a")
    #expect(try members.text("e") == "")
    #expect(try members.nonEmptyText("e") == nil)
    #expect(try members.flag("b") == true)
    #expect(try members.integer("i") == -3)
    #expect(try members.choice("w") == Word.two)
    #expect(try members.texts("l") == ["x"])
    #expect(try members.object("o")?.objects("p").first?.integer("q") == 1)
    #expect(try members.text("n") == nil)
    #expect(try members.flag("x") == nil)
    #expect(try members.texts("n") == [])
    #expect(members.names == ["b", "e", "i", "l", "o", "t", "w"])
    #expect(members.values.count == 7)
  }

  @Test("A fault names the member, its path and both kinds")
  func faults() throws {
    let members = try members(
      #"{"t":1,"e":"","i":9,"w":"three","l":["x",2],"o":{"p":[{"q":"1"}]}}"#)
    #expect(throws: Refusal("t|t|t: expected string, found integer")) { try members.text("t") }
    #expect(throws: Refusal("e|e|missing")) { try members.requiredText("e") }
    #expect(throws: Refusal("i|i|out of range")) { try members.integer("i", in: 1...8) }
    #expect(throws: Refusal(#"w|w|none of ["one", "two"]"#)) {
      let _: Word? = try members.choice("w")
    }
    #expect(throws: Refusal("l|l[1]|l[1]: expected string, found integer")) {
      try members.texts("l")
    }
    #expect(throws: Refusal("q|o.p[0].q|o.p[0].q: expected integer, found string")) {
      try members.object("o")?.objects("p").first?.integer("q")
    }
    #expect(throws: Refusal("n|n|missing")) {
      try members.required("n", .boolean, members.flag("n"))
    }
  }

  @Test("A text that is no object is refused as a whole")
  func noObjects() {
    #expect(throws: Refusal("||no JSON at 1")) { try members("{") }
    #expect(throws: Refusal("||the value: expected object, found array")) { try members("[]") }
  }

  @Test(
    "Members are unique only if no two of the outermost object have one name",
    arguments: [
      (#"{"a":1,"b":{"c":1,"c":2}}"#, 2), (#"{"a":1,"\u0061":2}"#, nil), ("{}", 0), ("[]", nil),
      (#"{"a":":","b":":"}"#, 2), ("{", nil),
    ] as [(String, Int?)])
  func unique(json: String, count: Int?) {
    #expect(JSONValue.uniqueMembers(of: Array(json.utf8))?.count == count)
  }
}
