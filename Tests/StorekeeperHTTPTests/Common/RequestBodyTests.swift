import StorekeeperHTTP
import HTTPMessages
import Testing

@Suite("Request bodies")
struct RequestBodyTests {
  private func answer(_ body: [UInt8], to endpoint: Endpoint) async throws -> Refusal? {
    let scene = try APIScene()
    var headers = HTTPHeaders()
    try headers.set("Bearer \(APIScene.token)", for: .authorization)
    try headers.set("alice", for: .userID)
    return await scene.api.respond(
      to: HTTPRequestMessage(
        method: endpoint.method, url: endpoint.mount + endpoint.path, headers: headers, body: body)
    ).refusal
  }

  @Test(
    "whatever is not one JSON object in UTF-8 is 400",
    arguments: [
      "", " ", "\n", "{", "}", "{}{}", "{} x", "{},", "[{}]", "null", "true", "1", "\"{}\"",
      "{\"a\":1,}", "{'a':1}", "{a:1}", "{\"a\":01}", "{\"a\":NaN}", "{\"a\":1e}",
      "{\"a\":\"\u{0}\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\x\"}", "// c\n{}", "\u{FEFF}{}",
      String(repeating: "[", count: 100_000),
      String(repeating: "{\"a\":", count: 100_000),
      "{\"a\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
      "ftcId=alice&originalTxId=1", "<xml/>",
    ])
  func malformed(body: String) async throws {
    for endpoint in Endpoint.withBody {
      #expect(try await answer(Array(body.utf8), to: endpoint) == .badJSON)
    }
  }

  @Test(
    "bytes that are no UTF-8 are 400",
    arguments: [
      [0xFF, 0xFE], [0x00], Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8),
      Array("{\"".utf8) + [0x80] + Array("\":1}".utf8),
      Array("{\"a\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8),
      Array("{}".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), 0] },
    ] as [[UInt8]])
  func notUTF8(body: [UInt8]) async throws {
    for endpoint in Endpoint.withBody { #expect(try await answer(body, to: endpoint) == .badJSON) }
  }

  @Test(
    "unknown members are passed over, whatever they hold; white space around is allowed",
    arguments: [
      #"{"a":null}"#, #"{"a":{"b":[1,2.5e3,"x",true]},"b":[]}"#, "\r\n\t {} \n", #"{"":0}"#,
      "{\"a\":" + String(repeating: "[", count: 63) + String(repeating: "]", count: 63) + "}",
      "{\"" + String(repeating: "a\u{301}", count: 10_000) + "\":[{\"b\":1}],\"c\":2}",
      #"{"FTCID":"alice","ftcid":1,"ftcId ":2}"#, #"{"a":1e999}"#, #"{"a":[-1e999,{"b":1E+400}]}"#,
    ])
  func unknown(body: String) async throws {
    let scene = try APIScene()
    #expect(try await scene.send(.post, "/apple/link", body).refusal == .missing("ftcId"))
  }

  @Test("a known member with a number that no text or flag is, however large, is 400")
  func largeNumbers() async throws {
    let scene = try APIScene()
    for body in [
      #"{"ftcId":1e999,"originalTxId":"42"}"#, #"{"ftcId":"alice","originalTxId":-1e999}"#,
      #"{"ftcId":"alice","originalTxId":"42","force":1e999}"#,
    ] {
      #expect(try await scene.send(.post, "/apple/link", body).refusal == .badJSON)
    }
  }

  @Test("of a member that is there twice the first counts")
  func duplicates() async throws {
    let scene = try APIScene()
    #expect(
      try await scene.send(
        .post, "/apple/link", #"{"ftcId":"alice","ftcId":1,"originalTxId":"42"}"#
      ).refusal == .notFound)
    #expect(
      try await scene.send(
        .post, "/apple/link", #"{"ftcId":null,"ftcId":"alice","originalTxId":"42"}"#
      ).refusal == .missing("ftcId"))
  }

  @Test("names may be written with escapes")
  func escapes() async throws {
    let scene = try APIScene()
    #expect(
      try await scene.send(
        .post, "/apple/link", #"{"\u0066tcId":"alice","originalTxId":"\u0034\u0032"}"#
      ).refusal == .notFound)
  }
}
