import HTTPMessages
import Testing

@Suite("Header fields")
struct HTTPHeadersTests {
  @Test("finds a field in whatever case its name is written")
  func caseOfNames() {
    let headers: HTTPHeaders = ["content-TYPE": "text/plain"]
    #expect(headers[.contentType] == "text/plain")
    #expect(Set<HTTPHeaderName>(["Date", "date", "DATE"]).count == 1)
  }

  @Test("keeps the case in which a name was given")
  func textOfNames() {
    #expect(HTTPHeaderName("X-Request-ID").text == "X-Request-ID")
  }

  @Test("keeps repeated fields in order and gives the first")
  func repeatedFields() throws {
    var headers: HTTPHeaders = ["Via": "one", .date: "today"]
    try headers.append("two", for: "via")
    #expect(headers["VIA"] == "one")
    #expect(headers.values(for: "Via") == ["one", "two"])
    #expect(headers.map(\.value) == ["one", "today", "two"])
  }

  @Test("sets the only value of a name, at the position of the first")
  func set() throws {
    var headers: HTTPHeaders = ["Via": "one", .date: "today", "via": "two"]
    try headers.set("three", for: "VIA")
    #expect(headers.map(\.value) == ["three", "today"])
    try headers.set("here", for: .location)
    #expect(headers.map(\.value) == ["three", "today", "here"])
  }

  @Test("removes all fields of a name")
  func remove() {
    var headers: HTTPHeaders = ["Via": "one", .date: "today", "via": "two"]
    headers.remove("VIA")
    #expect(headers == [.date: "today"])
    #expect(headers["Via"] == nil)
  }

  @Test(
    "refuses control characters in a value",
    arguments: ["a\r\nX: y", "a\n", "\ra", "a\0b", "\u{1}", "a\u{7F}", "\u{1B}"])
  func controlCharacters(value: String) throws {
    var headers: HTTPHeaders = ["X-Field": "kept"]
    #expect(throws: HTTPSyntaxFailure.headerValue("X-Field")) {
      try headers.append(value, for: "X-Field")
    }
    #expect(throws: HTTPSyntaxFailure.headerValue("X-Field")) {
      try headers.set(value, for: "X-Field")
    }
    #expect(headers == ["X-Field": "kept"])
  }

  @Test(
    "drops white space around a value and keeps it inside",
    arguments: [("  a b ", "a b"), ("\ta\tb\t", "a\tb"), ("   ", ""), ("", ""), ("é ü", "é ü")])
  func whiteSpace(given: String, kept: String) throws {
    var headers = HTTPHeaders()
    try headers.append(given, for: "X-Field")
    #expect(headers["X-Field"] == kept)
  }

  @Test(
    "refuses a name that is no token",
    arguments: ["", "a b", "a:", "a\r\n", "a\0", "é", "a\t", "a\"", "(a)"])
  func names(text: String) {
    #expect(throws: HTTPSyntaxFailure.headerName) { try HTTPHeaderName(text) }
    #expect(throws: HTTPSyntaxFailure.methodName) { try HTTPRequestMethod(text) }
  }

  @Test("stops the program on a literal with a line break")
  func literalName() async {
    await #expect(processExitsWith: .failure) { _ = "a\r\n" as HTTPHeaderName }
    await #expect(processExitsWith: .failure) { _ = ["X-Field": "a\r\n"] as HTTPHeaders }
    await #expect(processExitsWith: .failure) { _ = "GET /" as HTTPRequestMethod }
  }
}
