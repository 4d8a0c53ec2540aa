import HTTPMessages
import Testing

extension OneAtATime {
  @Suite("Requests", .timeLimit(.minutes(30)))
  struct RequestTests {
    @Test(
      "sends the method as it is",
      arguments: Client.allCases,
      [HTTPRequestMethod.get, .head, .post, .put, .patch, .delete, .options, "M-SEARCH"])
    func methods(client: Client, method: HTTPRequestMethod) async throws {
      let request = try await client.patient.received(HTTPRequestMessage(method: method, url: ""))
      #expect(request.line == "\(method.name) / HTTP/1.1")
    }

    @Test(
      "sends the address as it is", arguments: Client.allCases,
      ["/a%20b?c=%2B+d&e", "/?", "/a..b/...", "/a//b;c=d"])
    func addresses(client: Client, path: String) async throws {
      let request = try await client.patient.received(HTTPRequestMessage(url: ""), path: path)
      #expect(request.line == "GET \(path) HTTP/1.1")
    }

    @Test("sends fields and body as they are", arguments: Client.allCases, [0, 1, 2_000_000])
    func body(client: Client, count: Int) async throws {
      let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let request = try await client.patient.received(
        HTTPRequestMessage(
          method: .post, url: "",
          headers: [.contentType: "application/json", .authorization: "Bearer a, b=c", "X-A": "1"],
          body: body))
      #expect(request.body == body)
      #expect(request.values("content-type") == ["application/json"])
      #expect(request.values("authorization") == ["Bearer a, b=c"])
      #expect(request.values("x-a") == ["1"])
      #expect(request.values("content-length") == [String(count)])
      #expect(request.values("expect").isEmpty)
    }

    @Test("joins fields of one name", arguments: Client.allCases)
    func repeatedFields(client: Client) async throws {
      var headers = HTTPHeaders()
      try headers.append("1", for: "X-A")
      try headers.append("2", for: "x-a")
      let values = try await client.patient.received(HTTPRequestMessage(url: "", headers: headers))
        .values(
          "x-a")
      #expect(values.joined(separator: ",").filter { $0 != " " } == "1,2")
    }

    @Test(
      "sends a request once, also when the server closes without a word", arguments: Client.allCases
    )
    func once(client: Client) async throws {
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        _ = connection.readRequest()
      }
      for _ in 0..<3 {
        _ = try await client.patient.send(
          HTTPRequestMessage(method: .post, url: server.url, body: [1]))
      }
      #expect(server.requests.count == 3)

      let silent = try LoopbackServer { connection in _ = connection.readRequest() }
      let request = HTTPRequestMessage(method: .post, url: silent.url, body: [1])
      #expect(await client.patient.failure(request) == .interrupted)
      #expect(silent.requests.count == 1)
    }

    @Test(
      "refuses an address that it cannot use as it is",
      arguments: Client.allCases,
      [
        "", "x", "/path", "http:", "http://", "https:///a", "ftp://h/", "file:///etc/passwd",
        "data:,a",
        "http://user@h/", "http://user:secret@h/", "http://h/a b", "http://h/ä", "http://h:99999/",
        "http://h:-1/", "http://[::1", "http://h/\r\nX: y", "http://h\u{0}/",
        "http://us%65r@h/", "http://@h/", "http:///h/", "http:/h/", "http:h", "http://:80/",
        "http://h:x/",
        " http://h/", "http://h/\u{7F}", "http://h/\t",
      ])
    func badAddresses(client: Client, url: String) async {
      #expect(await client.patient.failure(HTTPRequestMessage(url: url)) == .invalidRequest)
    }

    @Test("takes the scheme in any case", arguments: Client.allCases)
    func scheme(client: Client) async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
      let url = "HTTP" + server.url.dropFirst(4)
      #expect(try await client.patient.send(HTTPRequestMessage(url: url)).status == .noContent)
    }

    @Test(
      "refuses a body where there is none", arguments: Client.allCases,
      [HTTPRequestMethod.get, .head])
    func bodyless(client: Client, method: HTTPRequestMethod) async {
      let request = HTTPRequestMessage(method: method, url: "http://127.0.0.1/", body: [1])
      #expect(await client.patient.failure(request) == .invalidRequest)
    }
  }
}
