import HTTPMessages
import StorekeeperTesting
import Testing

/// Route, method, token, user, size, coding, parsing, fields, look-up (contract on linking, section
/// 6.1).
@Suite("The order of checks")
struct OrderOfChecksTests {
  @Test("a body over the cap is 413, before it is parsed", arguments: Endpoint.withBody)
  func tooLarge(endpoint: Endpoint) async throws {
    let scene = try APIScene(bodyLimit: 100)
    let long = String(repeating: "x", count: 101)
    #expect(try await scene.send(to: endpoint, long).refusal == .tooLarge)
    let most = try await scene.send(to: endpoint, String(repeating: "x", count: 100))
    #expect(most.refusal == .badJSON)
    #expect(
      try await scene.send(to: endpoint, long, headers: [.contentEncoding: "gzip"]).refusal
        == .tooLarge)
  }

  @Test(
    "what the length says counts before what was read",
    arguments: [
      ("101", true), ("100", false), ("99999999999999999999999", true), ("0", false),
      ("-99999999999999999999999", false), ("many", false), ("", false),
    ])
  func declared(length: String, isTooLarge: Bool) async throws {
    let scene = try APIScene(bodyLimit: 100)
    let response = try await scene.send(
      .post, "/apple/link", "{}", headers: [.contentLength: length])
    #expect(response.refusal == (isTooLarge ? .tooLarge : .missing("ftcId")))
  }

  @Test("of two lengths the greater counts")
  func twoLengths() async throws {
    let scene = try APIScene(bodyLimit: 100)
    #expect(
      try await scene.send(
        .post, "/apple/link", "{}", headers: [.contentLength: "2", .contentLength: "101"]
      ).refusal == .tooLarge)
  }

  @Test("a token, then a user, is asked for before the size", arguments: Endpoint.withBody)
  func tokenFirst(endpoint: Endpoint) async throws {
    let scene = try APIScene(bodyLimit: 0)
    if endpoint.hasBearer {
      #expect(try await scene.send(to: endpoint, "xx", token: nil).refusal == .invalidToken)
    }
    let expected: Refusal = endpoint.needsUser ? .noUser : .tooLarge
    #expect(try await scene.send(to: endpoint, "xx", hasUser: false).refusal == expected)
  }

  @Test(
    "a coded body is 415 wherever one is read, and says what is understood",
    arguments: Endpoint.withBody)
  func coded(endpoint: Endpoint) async throws {
    let scene = try APIScene()
    for coding in ["gzip", "br", "GZIP", "identity, gzip", "x"] {
      let response = try await scene.send(to: endpoint, "{}", headers: [.contentEncoding: coding])
      #expect(response.refusal == .coded)
      #expect(response.headers[.acceptEncoding] == "identity")
    }
    let two = try await scene.send(
      to: endpoint, "{}", headers: [.contentEncoding: "identity", .contentEncoding: "gzip"])
    #expect(two.refusal == .coded)
    for coding in ["identity", "Identity", "", "identity, identity"] {
      let response = try await scene.send(to: endpoint, "{", headers: [.contentEncoding: coding])
      #expect(response.refusal == .badJSON)
    }
  }

  @Test("where no body is read, neither its size nor its coding matters")
  func bodiless() async throws {
    let scene = try APIScene(bodyLimit: 0)
    for endpoint in Endpoint.current where !endpoint.readsBody {
      let response = try await scene.send(
        to: endpoint, "some text", headers: [.contentEncoding: "gzip", .contentLength: "9"])
      #expect(response.status == (endpoint.needsUser ? 200 : 404))
    }
  }

  @Test("the type that a body declares does not matter")
  func types() async throws {
    let scene = try APIScene()
    for type in [
      "application/x-www-form-urlencoded", "text/plain", "multipart/form-data", "nonsense",
    ] {
      #expect(
        try await scene.send(.post, "/apple/link", "{}", headers: [.contentType: type]).refusal
          == .missing("ftcId"))
    }
  }

  @Test("fields are validated before anything is looked up")
  func fieldsFirst() async throws {
    let scene = try APIScene(store: brokenStore())
    #expect(
      try await scene.send(.post, "/apple/link", #"{"ftcId":"nobody"}"#).refusal
        == .missing("originalTxId"))
    #expect(
      try await scene.send(.get, "/apple/subs?page=0", headers: [.primaryID: "nobody"]).refusal?
        .field
        == "page")
  }
}
