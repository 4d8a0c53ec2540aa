import HTTPMessages
import Testing

extension OneAtATime {
  /// The documented behavior of the URLSession transport.
  @Suite("URLSessionHTTPTransport", .timeLimit(.minutes(30)))
  struct URLSessionTests {
    private let transport = Client.urlSession.patient

    @Test("calls a body of no stated kind a row of bytes, not a form")
    func defaultType() async throws {
      let request = try await transport.received(
        HTTPRequestMessage(method: .post, url: "", body: [1]))
      #expect(request.values("content-type") == ["application/octet-stream"])
    }

    @Test(
      "a connection serves one exchange, whatever the caller says", arguments: ["keep-alive", "x"])
    func connection(value: String) async throws {
      var headers = HTTPHeaders()
      try headers.append(value, for: "connection")
      let request = try await transport.received(HTTPRequestMessage(url: "", headers: headers))
      #expect(request.values("connection") == ["close"])
    }

    @Test("refuses a method that URLSession would change")
    func methodCase() async {
      #expect(
        await transport.failure(HTTPRequestMessage(method: "get", url: "http://127.0.0.1/"))
          == .invalidRequest)
    }

    @Test(
      "refuses an address that URLSession would change",
      arguments: ["http://h/a/../b", "http://h/."])
    func badAddresses(url: String) async {
      #expect(await transport.failure(HTTPRequestMessage(url: url)) == .invalidRequest)
    }

    #if canImport(FoundationNetworking)
      @Test(
        "a redirect to a malformed host stops the process on Linux, as documented",
        arguments: malformedPlaces)
      func malformedLocation(location: String) async {
        await #expect(processExitsWith: .failure) { [location] in
          let server = try LoopbackServer.answering(
            "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
          _ = try? await Client.urlSession.patient.send(HTTPRequestMessage(url: server.url))
        }
      }
    #endif
  }
}

/// Invalid locations of redirects.
let malformedPlaces = ["//%00/", "//a%2Fb/"]
