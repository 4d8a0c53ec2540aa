import HTTPMessages
import StorekeeperMicroHTTPServer
import Testing

@Suite("HTTP server: messages")
struct MessageTests {
  @Test("answers one request after another on the same connection")
  func keepAlive() async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      for number in 1...3 {
        try await client.send(request("GET /\(number) HTTP/1.1"))
        let answer = try await client.answer()
        #expect(answer.status == 200)
        #expect(answer.body == "GET /\(number) 0\nHost: x\n")
      }
    }
  }

  @Test("answers pipelined requests in their order")
  func pipelined() async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      let requests = (1...20).map { number in
        request("POST /\(number) HTTP/1.1", "Content-Length: 3", body: "abc")
      }
      try await client.send(requests.joined())
      for number in 1...20 {
        let answer = try await client.answer()
        #expect(answer.body.hasPrefix("POST /\(number) 3\n"))
      }
    }
  }

  @Test(
    "passes on the target as it was sent",
    arguments: [
      "/a%2Fb?x=%20y&z", "/a?q=1+2&&=&%", "/", "/%FF?%FF", "http://example.org/absolute?x",
      "/a//b/../c", "*",
    ])
  func target(text: String) async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send(request("GET \(text) HTTP/1.1"))
      #expect(try await client.answer().body == "GET \(text) 0\nHost: x\n")
    }
  }

  @Test("passes on header fields in order, including duplicates, without surrounding white space")
  func fields() async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send(
        request("GET / HTTP/1.1", "X-One: 1", "x-one:2  ", "X-Empty:", "X-Two: ä", "X-One: 1"))
      #expect(
        try await client.answer().body
          == "GET / 0\nHost: x\nX-One: 1\nx-one: 2\nX-Empty: \nX-Two: ä\nX-One: 1\n")
    }
  }

  @Test("joins the chunks of a body")
  func chunked() async throws {
    try await withServer(respond: Echo.body) { server in
      let client = try Client(port: server.port)
      let head = request("POST / HTTP/1.1", "Transfer-Encoding: chunked")
      try await client.send(head + "5\r\nhello\r\n1;extension=x\r\n \r\n")
      try await client.send("5\r\nworld\r\n0\r\nTrailer: x\r\n\r\n")
      #expect(try await client.answer().body == "hello world")
      try await client.send(request())
      #expect(try await client.answer().status == 200)
    }
  }

  @Test(
    "passes on a body of any bytes, also with GET and DELETE", arguments: ["GET", "DELETE", "X"])
  func bytes(method: String) async throws {
    try await withServer(respond: { request in
      Echo.text("\(request.method) \(request.body.map(Int.init))")
    }) { server in
      let client = try Client(port: server.port)
      let head = request("\(method) / HTTP/1.1", "Content-Length: 4")
      try await client.send(Array(head.utf8) + [0, 255, 10, 13])
      #expect(try await client.answer().body == "\(method) [0, 255, 10, 13]")
    }
  }

  @Test("sends no body to HEAD, and no length with status 204")
  func withoutBody() async throws {
    try await withServer(respond: { request in
      request.url == "/" ? Echo.text("twelve bytes") : HTTPResponseMessage(status: .noContent)
    }) { server in
      let client = try Client(port: server.port)
      try await client.send(request("HEAD / HTTP/1.1"))
      let head = try await client.answer(toHead: true)
      #expect(head.fields["content-length"] == "12")
      try await client.send(request("GET /none HTTP/1.1"))
      let none = try await client.answer()
      #expect(none.status == 204)
      #expect(none.fields["content-length"] == nil)
    }
  }

  @Test("sends the handler's header fields in order, and adds the length")
  func answerFields() async throws {
    try await withServer(respond: { _ in
      HTTPResponseMessage(
        status: 418, headers: ["X-One": "1", "Content-Length": "77", "X-One": "2"],
        body: Array("tea".utf8))
    }) { server in
      let client = try Client(port: server.port)
      try await client.send(request())
      let answer = try await client.answer()
      #expect(answer.status == 418)
      #expect(answer.fields["x-one"] == "1, 2")
      #expect(answer.fields["content-length"] == "3")
      #expect(answer.body == "tea")
    }
  }

  @Test("answers 500 if the handler's status is invalid")
  func wrongStatus() async throws {
    try await withServer(respond: { _ in HTTPResponseMessage(status: 42) }) { server in
      let client = try Client(port: server.port)
      try await client.send(request())
      #expect(try await client.answer().status == 500)
    }
  }

  @Test("ends the connection when the client asks for it")
  func close() async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send(request("GET / HTTP/1.1", "Connection: close"))
      #expect(try await client.answer().status == 200)
      #expect(try await client.ends())
    }
  }
}
