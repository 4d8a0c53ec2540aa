import CurlTransport
import HTTPMessages
import Testing

extension OneAtATime {
  /// The bytes that the libcurl transport sends.
  @Suite("CurlHTTPTransport: requests", .timeLimit(.minutes(30)))
  struct CurlRequestTests {
    private let transport = CurlHTTPTransport(timeout: .seconds(60))

    private func headers(_ fields: [(HTTPHeaderName, String)]) throws -> HTTPHeaders {
      var headers = HTTPHeaders()
      for (name, value) in fields { try headers.append(value, for: name) }
      return headers
    }

    @Test(
      "adds nothing but the host, the codings that it undoes, and the length of a body",
      arguments: [
        (HTTPRequestMethod.get, 0, []), (.head, 0, []), (.delete, 0, []), (.options, 0, []),
        ("M-SEARCH", 0, []), ("get", 0, []), ("post", 0, []),
        (.post, 0, ["content-length"]), (.put, 0, ["content-length"]),
        (.patch, 0, ["content-length"]), (.post, 1, ["content-length"]),
        (.post, 3_000_000, ["content-length"]), (.delete, 1, ["content-length"]),
        ("M-SEARCH", 1, ["content-length"]), ("post", 1, ["content-length"]),
      ])
    func additions(method: HTTPRequestMethod, count: Int, others: [String]) async throws {
      let body = [UInt8](repeating: 7, count: count)
      let request = try await transport.received(
        HTTPRequestMessage(method: method, url: "", body: body))
      #expect(request.line == "\(method.name) / HTTP/1.1")
      let names = request.fields.map { $0.prefix { $0 != ":" }.lowercased() }
      #expect(names.sorted() == (["accept-encoding", "host"] + others).sorted())
      #expect(request.values("content-length") == others.map { _ in String(count) })
      #expect(request.body == body)
    }

    @Test("fields keep their order, their repetition and the case of their names")
    func fields() async throws {
      let fields: [(HTTPHeaderName, String)] = [
        ("X-b", "2"), ("accept", "a"), ("X-Empty", ""), ("x-B", "1"), ("Cookie", "a=b; c=d"),
        ("User-Agent", "me"), ("Accept-Encoding", "identity"), ("Connection", "close"),
        ("Content-Type", ""), ("X-Odd", "; : @ \\ ä"), ("Cookie", "e=f"), ("TE", "trailers"),
        ("Authorization", "Basic YTpi"), ("Proxy-Authorization", "x"), ("Range", "bytes=0-1"),
        ("If-None-Match", "\"a\""),
      ]
      let request = try await transport.received(
        HTTPRequestMessage(url: "", headers: headers(fields)))
      let sent = request.fields.filter { !$0.hasPrefix("Host:") }
      let given = fields.map { $1.isEmpty ? "\($0.text):" : "\($0.text): \($1)" }
      // Curl inserts the codings in its own position.
      let codings = "Accept-Encoding: identity"
      #expect(sent.filter { $0 != codings } == given.filter { $0 != codings })
      #expect(sent.filter { $0 == codings }.count == 1)
    }

    @Test("a host of the caller's own is sent instead")
    func host() async throws {
      let request = try await transport.received(
        HTTPRequestMessage(url: "", headers: ["Host": "example.org"]))
      #expect(request.values("host") == ["example.org"])
    }

    @Test("a length that is the body's may be given")
    func givenLength() async throws {
      let request = try await transport.received(
        HTTPRequestMessage(method: .post, url: "", headers: [.contentLength: "2"], body: [1, 2]))
      #expect(request.values("content-length") == ["2"])
      #expect(request.body == [1, 2])
    }

    @Test(
      "refuses fields by which two servers could read different requests",
      arguments: [
        [("Content-Length", "1")], [("Content-Length", "3")], [("Content-Length", "+2")],
        [("Content-Length", "2"), ("content-length", "2")], [("Content-Length", "")],
        [("Transfer-Encoding", "chunked")], [("transfer-encoding", "identity")],
        [("Host", "a"), ("Host", "b")], [("Host", "")], [("Expect", "100-continue")],
      ] as [[(HTTPHeaderName, String)]])
    func framing(fields: [(HTTPHeaderName, String)]) async throws {
      let request = HTTPRequestMessage(
        method: .post, url: "http://127.0.0.1/", headers: try headers(fields), body: [1, 2])
      #expect(await transport.failure(request) == .invalidRequest)
    }

    @Test(
      "sends the address as it is, but for a fragment",
      arguments: [
        ("/a/../b", "/a/../b"), ("/.", "/."), ("/./a/..", "/./a/.."),
        ("/%2e%2E/%c3", "/%2e%2E/%c3"),
        ("", "/"), ("?a", "/?a"), ("?", "/?"), ("/?", "/?"), ("/a?b?c/../d", "/a?b?c/../d"),
        ("#secret", "/"), ("/a#secret", "/a"), ("/a?b#secret", "/a?b"), ("?b#s?/t", "/?b"),
        ("/a{b}|\\^`\"<>", "/a{b}|\\^`\"<>"), ("/*'();:@&=+$,[]", "/*'();:@&=+$,[]"),
      ])
    func addresses(rest: String, target: String) async throws {
      let request = try await transport.received(HTTPRequestMessage(url: ""), path: rest)
      #expect(request.line == "GET \(target) HTTP/1.1")
    }

    @Test(
      "refuses a host that it would change",
      arguments: [
        "http://%31/", "http://h%00/", "http://h\\@i/", "http://h\"/", "http://a@b@c/",
        "http://h^/", "http://[]/", "http://h:80:80/", "http://h:/a b",
      ])
    func hosts(url: String) async {
      #expect(await transport.failure(HTTPRequestMessage(url: url)) == .invalidRequest)
    }
  }
}
