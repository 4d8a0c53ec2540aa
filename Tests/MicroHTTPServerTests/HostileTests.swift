import HTTPMessages
import StorekeeperMicroHTTPServer
import Testing

@Suite("HTTP server: malformed requests")
struct HostileTests {
  private static let refusal = #"{"message":"Problems parsing JSON"}"#

  /// Malformed bytes between the first line and the end of the header fields.
  private static let wrongFields: [[UInt8]] = [
    Array("X: ".utf8) + [0xFF],
    Array("X: ".utf8) + [0xC3, 0x28],
    Array("X: a".utf8) + [0x01],
    Array("X: a".utf8) + [0x7F],
    Array("X\u{E9}: a".utf8),
    Array("X(: a".utf8),
    Array("Content-Length: 3\r\nContent-Length: 4".utf8),
    Array("Content-Length: 3\r\nTransfer-Encoding: chunked".utf8),
    Array("Transfer-Encoding: gzip".utf8),
    Array("Transfer-Encoding: gzip, chunked".utf8),
    Array("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked".utf8),
    Array("Host: x".utf8),
    Array("Host: y".utf8),
  ]

  @Test("refuses malformed header fields, and ends the connection", arguments: wrongFields)
  func wrongField(field: [UInt8]) async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send(
        Array("POST / HTTP/1.1\r\nHost: x\r\n".utf8) + field + Array("\r\n\r\n".utf8))
      let answer = try await client.answer()
      #expect(answer.status == 400)
      #expect(answer.body == Self.refusal)
      #expect(answer.fields["content-type"] == "application/json; charset=utf-8")
      #expect(try await client.ends())
    }
  }

  @Test(
    "refuses a request without a Host, and a coding before version 1.1, with one answer",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
  func wrongHead(text: String) async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send(text)
      let answer = try await client.answer()
      #expect(answer.status == 400)
      #expect(answer.body == Self.refusal)
      #expect(try await client.ends())
    }
  }

  @Test("needs no Host with version 1.0")
  func oldVersion() async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send("GET / HTTP/1.0\r\n\r\n")
      #expect(try await client.answer().body == "GET / 0\n")
      #expect(try await client.ends())
    }
  }

  @Test(
    "refuses an invalid method or target", arguments: ["G(T /", "GET /\u{E9}", "GET /\u{1}"])
  func wrongLine(line: String) async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send(request("\(line) HTTP/1.1"))
      #expect(try await client.answer().status == 400)
    }
  }

  @Test(
    "ends a connection without a request",
    arguments: [
      "\u{16}\u{3}\u{1}\u{2}", "GET\r\n\r\n", "\r\n\r\nhello\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nNa me: x\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
    ])
  func noRequest(text: String) async throws {
    try await withServer { server in
      let client = try Client(port: server.port)
      try await client.send(text)
      client.endSending()
      if let answer = try? await client.answer() { #expect(answer.status >= 400) }
      #expect(try await client.ends())
      let other = try Client(port: server.port)
      try await other.send(request())
      #expect(try await other.answer().status == 200)
    }
  }

  @Test(
    "ends a connection with an invalid length, after an answer whose head may come twice",
    arguments: ["-1", "5, 5", "5 5", "2x", "0x2", "99999999999999999999"])
  func noLength(text: String) async throws {
    try await withServer(respond: { _ in
      Issue.record("The handler was called.")
      return HTTPResponseMessage(status: .ok)
    }) { server in
      let client = try Client(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(text)\r\n\r\n")
      #expect([400, 413].contains(try await client.answer().status))
      try await client.takeRest()
    }
  }

  @Test(
    "drops a client that disconnects before its request is complete",
    arguments: [
      "", "GE", "GET / HTTP/1.1\r\nHo",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
    ])
  func half(text: String) async throws {
    try await withServer(respond: { _ in
      Issue.record("The handler was called.")
      return HTTPResponseMessage(status: .ok)
    }) { server in
      let client = try Client(port: server.port)
      try await client.send(text)
      client.endSending()
      #expect(try await client.ends())
      try await until { server.connectionCount == 0 }
    }
  }

  @Test("answers a client that closes its side after the request")
  func halfClosed() async throws {
    let gate = Gate()
    try await withServer(respond: { _ in
      await gate.pass()
      return Echo.text("still here")
    }) { server in
      let client = try Client(port: server.port)
      try await client.send(request())
      client.endSending()
      await gate.arrivals(1)
      await gate.open()
      #expect(try await client.answer().body == "still here")
      #expect(try await client.ends())
    }
  }

  @Test("drops the answer to a client that disconnected while the handler worked")
  func disappeared() async throws {
    let gate = Gate()
    try await withServer(respond: { _ in
      await gate.pass()
      return HTTPResponseMessage(status: .ok, body: [UInt8](repeating: 97, count: 1 << 20))
    }) { server in
      for number in 1...20 {
        let client = try Client(port: server.port)
        try await client.send(request())
        await gate.arrivals(number)
        client.disappear()
      }
      await gate.open()
      try await until { server.connectionCount == 0 }
      let other = try Client(port: server.port)
      try await other.send(request())
      #expect(try await other.answer().status == 200)
    }
  }

  @Test("drops a client that disconnects in the middle of its answer")
  func disappearsWhileReading() async throws {
    try await withServer(respond: { _ in
      HTTPResponseMessage(status: .ok, body: [UInt8](repeating: 97, count: 8 << 20))
    }) { server in
      let client = try Client(port: server.port)
      try await client.send(request())
      await client.firstBytes()
      client.disappear()
      try await until { server.connectionCount == 0 }
    }
  }
}
