import HTTPMessages
import Testing
import URLSessionTransport

extension OneAtATime {
  @Suite("Failures on the way", .timeLimit(.minutes(10)))
  struct FailureTests {
    @Test("nobody listens")
    func refused() async throws {
      let reason = try await LoopbackServer.withClosedAddress {
        await failure(HTTPRequest(url: $0))
      }
      #expect(reason == .notConnected)
    }

    @Test("no host has that name")
    func unknownHost() async {
      // RFC 6761 section 6.4: no name below "invalid" is ever given.
      #expect(await failure(HTTPRequest(url: "http://host.invalid/")) == .notConnected)
    }

    @Test("the connection closes before an answer")
    func closed() async throws {
      #expect(try await failure { _ in } == .interrupted)
    }

    @Test("the connection is reset before or within an answer", arguments: ["", partialAnswer])
    func reset(answer: String) async throws {
      let reason = try await failure { connection in
        connection.write(answer)
        connection.resetWhenClosed()
      }
      #expect(reason == .interrupted)
    }

    @Test("the body ends early", arguments: [partialAnswer, partialChunk])
    func earlyEnd(answer: String) async throws {
      #expect(try await failure { $0.write(answer) } == .interrupted)
    }

    @Test(
      "what comes is no HTTP",
      arguments: ["nonsense\r\n\r\n", "\u{0}\u{1}\u{2}", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"])
    func garbage(answer: String) async throws {
      #expect(try await failure { $0.write(answer) } == .interrupted)
    }

    @Test("the content coding is broken")
    func brokenCoding() async throws {
      let answer = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi"
      #expect(try await failure { $0.write(answer) } == .interrupted)
    }

    @Test("the server speaks no TLS")
    func plainText() async throws {
      let server = try LoopbackServer { connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        connection.waitForClose()
      }
      let reason = await failure(HTTPRequest(url: "https" + server.url.dropFirst(4)))
      #if canImport(FoundationNetworking)
        #expect(reason == .interrupted)
      #else
        #expect(reason == .untrustedPeer)
      #endif
    }

    @Test("a failure says what URLSession said, and its description does not")
    func cause() async throws {
      let failure = try await #require(throws: HTTPTransportFailure.self) {
        try await LoopbackServer.withClosedAddress { url in
          try await patient.send(HTTPRequest(url: url + "/?secret"))
        }
      }
      #expect(failure.cause != nil)
      #expect(failure.description == "HTTP exchange failed: notConnected")
    }

    #if canImport(FoundationNetworking)
      @Test(
        "a redirect to a malformed host stops the process on Linux, as documented",
        arguments: ["//%00/", "//a%2Fb/"])
      func malformedLocation(location: String) async {
        await #expect(processExitsWith: .failure) { [location] in
          let server = try LoopbackServer.answering(
            "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
          _ = try? await patient.send(HTTPRequest(url: server.url))
        }
      }
    #endif

    private static let partialAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\nhi"
    private static let partialChunk =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi"
  }
}
