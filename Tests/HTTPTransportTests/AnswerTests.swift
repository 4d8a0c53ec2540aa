import HTTPMessages
import Testing

extension OneAtATime {
  @Suite("Answers", .timeLimit(.minutes(30)))
  struct AnswerTests {
    private func answer(
      _ text: String, for client: Client, to method: HTTPRequestMethod = .get, body: [UInt8] = []
    ) async throws -> HTTPResponseMessage {
      let server = try LoopbackServer.answering(text)
      return try await client.patient.send(
        HTTPRequestMessage(method: method, url: server.url, body: body))
    }

    @Test("gives status, fields and body", arguments: Client.allCases)
    func whole(client: Client) async throws {
      let response = try await answer(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nDate:  today \r\nX-One: 1\r\n\r\nhi",
        for: client)
      let headers: HTTPHeaders = [.contentLength: "2", .date: "today", "X-One": "1"]
      #expect(
        response == HTTPResponseMessage(status: .ok, headers: headers, body: Array("hi".utf8)))
    }

    @Test(
      "any status is an answer",
      arguments: Client.allCases,
      [201, 204, 300, 304, 400, 401, 403, 404, 407, 418, 429, 500, 503, 599, 999])
    func statuses(client: Client, code: Int) async throws {
      let body = [204, 304].contains(code) ? "" : "hi"
      let response = try await answer(
        "HTTP/1.1 \(code) Some reason\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
        for: client)
      #expect(response.status == HTTPStatusCode(code))
      #expect(response.body == Array(body.utf8))
    }

    @Test(
      "a demand for a password is an answer", arguments: Client.allCases,
      ["Basic", "Digest", "Bearer", "NTLM"])
    func challenges(client: Client, scheme: String) async throws {
      let response = try await answer(
        "HTTP/1.1 401 No\r\nWWW-Authenticate: \(scheme) realm=\"r\", nonce=\"n\"\r\n"
          + "Content-Length: 2\r\n\r\nhi", for: client)
      #expect(response.status == .unauthorized)
      #expect(response.body == Array("hi".utf8))
    }

    @Test(
      "a redirect is not followed", arguments: Client.allCases, [301, 302, 303, 307, 308])
    func redirects(client: Client, code: Int) async throws {
      for method in [HTTPRequestMethod.get, .post] {
        let other = try LoopbackServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let response = try await answer(
          "HTTP/1.1 \(code) Elsewhere\r\nLocation: \(other.url)/\r\nContent-Length: 2\r\n\r\nhi",
          for: client, to: method, body: method == .post ? [1] : [])
        #expect(response.status == HTTPStatusCode(code))
        #expect(response.headers[.location] == other.url + "/")
        #expect(response.body == Array("hi".utf8))
        #expect(other.requests.isEmpty)
      }
    }

    @Test(
      "reads a body in whatever way its length is told",
      arguments: Client.allCases,
      [
        "Content-Length: 5\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        "\r\nhello",
      ])
    func framing(client: Client, rest: String) async throws {
      #expect(
        try await answer("HTTP/1.1 200 OK\r\n" + rest, for: client).body == Array("hello".utf8))
    }

    @Test("reads no body with HEAD", arguments: Client.allCases)
    func head(client: Client) async throws {
      let response = try await answer(
        "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n", for: client, to: .head)
      #expect(response.body.isEmpty)
      #expect(response.headers[.contentLength] == "200000")
    }

    @Test("undoes the content coding", arguments: Client.allCases)
    func contentCoding(client: Client) async throws {
      // "hi", compressed by gzip.
      let bytes: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 203, 200, 4, 0, 172, 42, 147, 216, 2, 0, 0, 0,
      ]
      let server = try LoopbackServer { connection in
        _ = connection.readRequest()
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
        connection.write(bytes)
      }
      #expect(
        try await client.patient.send(HTTPRequestMessage(url: server.url)).body == Array("hi".utf8))
    }

    @Test("passes over an interim answer", arguments: Client.allCases)
    func interim(client: Client) async throws {
      let response = try await answer(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        for: client)
      #expect(response.status == .ok)
    }

    @Test("keeps no cookies", arguments: Client.allCases)
    func cookies(client: Client) async throws {
      let server = try LoopbackServer.answering(
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; path=/\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
      )
      for _ in 0..<2 { _ = try await client.patient.send(HTTPRequestMessage(url: server.url)) }
      #expect(server.requests.map { $0.values("cookie") } == [[], []])
    }

    @Test(
      "sends every request, regardless of the caching fields of responses",
      arguments: Client.allCases)
    func caching(client: Client) async throws {
      let server = try LoopbackServer.answering(
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
      )
      for _ in 0..<2 { _ = try await client.patient.send(HTTPRequestMessage(url: server.url)) }
      #expect(server.requests.count == 2)
    }
  }
}
