import CurlTransport
import HTTPMessages
import Testing

extension OneAtATime {
  /// Responses that only the libcurl transport handles in full.
  @Suite("CurlHTTPTransport: answers", .timeLimit(.minutes(30)))
  struct CurlAnswerTests {
    private let transport = CurlHTTPTransport(timeout: .seconds(60), responseLimit: 100_000)

    private func answer(_ text: String) async throws -> HTTPResponseMessage {
      let server = try LoopbackServer.answering(text)
      return try await transport.send(HTTPRequestMessage(url: server.url))
    }

    private func reason(_ text: String) async throws -> HTTPTransportFailure.Reason? {
      try await transport.failure { $0.write(text) }
    }

    @Test("fields keep their order, their repetition and the case of their names")
    func fields() async throws {
      let response = try await answer(
        "HTTP/1.1 200 OK\r\nX-B: 2\r\nset-cookie: a, b\r\nX-A:\r\nSet-Cookie: c\r\n"
          + "X-B:1 : 2\r\nX-Z: ä\r\nContent-Length: 0\r\n\r\n")
      #expect(
        response.headers.map { "\($0.name.text)=\($0.value)" } == [
          "X-B=2", "set-cookie=a, b", "X-A=", "Set-Cookie=c", "X-B=1 : 2", "X-Z=ä",
          "Content-Length=0",
        ])
    }

    @Test("fields of interim answers are passed over")
    func interim() async throws {
      let response = try await answer(
        "HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nX-Late: 1\r\nContent-Length: 2\r\n\r\nhi")
      #expect(response.status == .ok)
      #expect(response.headers.map(\.name) == ["X-Late", "Content-Length"])
      #expect(response.body == Array("hi".utf8))
    }

    @Test("trailers are no fields of the answer", arguments: ["2\r\nhi\r\n", ""])
    func trailers(chunks: String) async throws {
      let response = try await answer(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"
          + chunks + "0\r\nX-T: 1\r\nContent-Type: text/evil\r\n\r\n")
      #expect(response.headers.map(\.name) == ["Transfer-Encoding", "Trailer"])
      #expect(response.body == (chunks.isEmpty ? [] : Array("hi".utf8)))
    }

    @Test("a value may go on in the next line")
    func folded() async throws {
      let response = try await answer(
        "HTTP/1.1 200 OK\r\nX-A: 1\r\n  2\r\n\t3\r\nContent-Length: 0\r\n\r\n")
      #expect(response.headers["X-A"] == "1 2 3")
    }

    @Test("a redirect to a malformed place is an answer", arguments: malformedPlaces)
    func malformedLocation(location: String) async throws {
      let response = try await answer(
        "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
      #expect(response.status == 302)
      #expect(response.headers[.location] == location)
    }

    @Test(
      "a head that is none is an interruption",
      arguments: [
        "X: a\u{0}b", "X: a\u{1}b", "X: a\rb", "X y: 1", "X : 1", ": 1", "Ä: 1", "no colon",
        "X: 1\r\nHTTP/1.1 200 OK",
      ])
    func hostile(line: String) async throws {
      #expect(
        try await reason("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n") == .interrupted)
    }

    @Test("a field that is no UTF-8 is an interruption")
    func encoding() async throws {
      let reason = try await transport.failure { connection in
        connection.write(Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [0xE4] + Array("\r\n\r\n".utf8))
      }
      #expect(reason == .interrupted)
    }

    @Test(
      "a head that breaks off is an interruption",
      arguments: [
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: 1\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
      ])
    func brokenHead(text: String) async throws {
      #expect(try await reason(text) == .interrupted)
    }

    @Test("a response in HTTP/0.9 is refused", arguments: ["hi", "<html></html>\n"])
    func oldest(text: String) async throws {
      #expect(try await reason(text) == .interrupted)
    }

    @Test("an unknown content coding is an interruption")
    func unknownCoding() async throws {
      #expect(
        try await reason("HTTP/1.1 200 OK\r\nContent-Encoding: x\r\nContent-Length: 2\r\n\r\nhi")
          == .interrupted)
    }

    @Test(
      "lines without end are let go of, whatever they are",
      arguments: [
        ("HTTP/1.1 200 OK\r\n", "X: 1\r\n"),
        ("HTTP/1.1 200 OK\r\nX: 1", "1"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: 1\r\n"),
      ])
    func endless(start: String, rest: String) async throws {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let reason = try await transport.failure { connection in
        connection.write(start)
        let bytes = Array(String(repeating: rest, count: 1000).utf8)
        while connection.write(bytes) {}
        ended.finish()
      }
      #expect(reason == .interrupted)
      for await _ in ends {}
    }

    @Test("the limit counts bytes that were decoded")
    func bomb() async throws {
      let server = try LoopbackServer { connection in
        _ = connection.readRequest()
        connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
        connection.write(Self.zeros)
      }
      #expect(
        await transport.failure(HTTPRequestMessage(url: server.url, responseLimit: 199_999))
          == .responseTooLarge)
      let whole = try await transport.send(
        HTTPRequestMessage(url: server.url, responseLimit: 200_000))
      #expect(whole.body == [UInt8](repeating: 0, count: 200_000))
    }

    @Test("a failure names the error of libcurl")
    func cause() async throws {
      let failure = try await #require(throws: HTTPTransportFailure.self) {
        try await LoopbackServer.withClosedAddress { url in
          try await transport.send(HTTPRequestMessage(url: url + "/?secret"))
        }
      }
      let cause = try #require(failure.cause as? CurlFailure)
      #expect(cause.code == 7)
      #expect(cause.description.hasPrefix("libcurl error 7: "))
      #expect(!cause.description.contains("127.0.0.1"))
    }

    /// 200,000 zeros, compressed by `gzip -9n`.
    private static let zeros: [UInt8] =
      [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 6, 127,
        160,
      ]
      + [UInt8](repeating: 0, count: 193) + [128, 215, 0, 123, 88, 224, 92, 64, 13, 3, 0]
  }
}
