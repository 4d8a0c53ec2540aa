import HTTPMessages
import Testing

extension OneAtATime {
  @Suite("Failures on the way", .timeLimit(.minutes(30)))
  struct FailureTests {
    @Test("the connection is refused", arguments: Client.allCases)
    func refused(client: Client) async throws {
      let reason = try await LoopbackServer.withClosedAddress {
        await client.patient.failure(HTTPRequestMessage(url: $0))
      }
      #expect(reason == .notConnected)
    }

    @Test("no host has that name", arguments: Client.allCases)
    func unknownHost(client: Client) async {
      // RFC 6761 section 6.4: no name below "invalid" is ever given.
      #expect(
        await client.patient.failure(HTTPRequestMessage(url: "http://host.invalid/"))
          == .notConnected)
    }

    @Test("the connection closes before an answer", arguments: Client.allCases)
    func closed(client: Client) async throws {
      #expect(try await client.patient.failure { _ in } == .interrupted)
    }

    @Test(
      "the connection is reset before or within an answer", arguments: Client.allCases,
      ["", partialAnswer])
    func reset(client: Client, answer: String) async throws {
      let reason = try await client.patient.failure { connection in
        connection.write(answer)
        connection.resetWhenClosed()
      }
      #expect(reason == .interrupted)
    }

    @Test("the body ends early", arguments: Client.allCases, [partialAnswer, partialChunk])
    func earlyEnd(client: Client, answer: String) async throws {
      #expect(try await client.patient.failure { $0.write(answer) } == .interrupted)
    }

    @Test(
      "what comes is no HTTP",
      arguments: Client.allCases,
      ["nonsense\r\n\r\n", "\u{0}\u{1}\u{2}", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"])
    func garbage(client: Client, answer: String) async throws {
      #expect(try await client.patient.failure { $0.write(answer) } == .interrupted)
    }

    @Test("the content coding is broken", arguments: Client.allCases)
    func brokenCoding(client: Client) async throws {
      let answer = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi"
      #expect(try await client.patient.failure { $0.write(answer) } == .interrupted)
    }

    @Test(
      "a body that does not arrive leaves the status and the fields", arguments: Client.allCases,
      [
        "Content-Length: 200\r\n\r\nhi", "Transfer-Encoding: chunked\r\n\r\n5\r\nhi",
        "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
      ])
    func head(client: Client, rest: String) async throws {
      for isSlow in [false, true] {
        let server = try LoopbackServer { connection in
          _ = connection.readRequest()
          connection.write("HTTP/1.1 200 OK\r\nX-A: 1\r\n" + rest)
          if isSlow { connection.waitForClose() }
        }
        let failure = try await #require(throws: HTTPTransportFailure.self) {
          try await client.patient.send(
            HTTPRequestMessage(url: server.url, timeout: .seconds(isSlow ? 1 : 60)))
        }
        let head = try #require(failure.response)
        #expect(head.status == .ok && head.body == [] && head.headers["X-A"] == "1")
      }
    }

    @Test("the server speaks no TLS", arguments: Client.allCases)
    func plainText(client: Client) async throws {
      let server = try LoopbackServer { connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        connection.waitForClose()
      }
      let reason = await client.patient.failure(
        HTTPRequestMessage(url: "https" + server.url.dropFirst(4)))
      switch client {
      case .curl: #expect(reason == .notConnected)
      case .urlSession:
        #if canImport(FoundationNetworking)
          #expect(reason == .interrupted)
        #else
          #expect(reason == .untrustedPeer)
        #endif
      }
    }

    @Test(
      "a failure says what the client said, and its description does not",
      arguments: Client.allCases)
    func cause(client: Client) async throws {
      let failure = try await #require(throws: HTTPTransportFailure.self) {
        try await LoopbackServer.withClosedAddress { url in
          try await client.patient.send(HTTPRequestMessage(url: url + "/?secret"))
        }
      }
      #expect(failure.cause != nil)
      #expect(failure.description == "HTTP exchange failed: notConnected")
    }

    private static let partialAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\nhi"
    private static let partialChunk =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi"
  }
}
