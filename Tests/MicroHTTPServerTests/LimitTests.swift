import HTTPMessages
import MicroHTTPServer
import Testing

@Suite("HTTP server: limits")
struct LimitTests {
  @Test("hands on a body of exactly the limit, and cuts a longer one a byte behind it")
  func bodyLimit() async throws {
    try await withServer(.with { $0.bodyLimit = 1000 }, respond: Echo.everything) { server in
      let client = try Client(port: server.port)
      for (length, seen) in [(999, 999), (1000, 1000), (1001, 1001), (500_000, 1001)] {
        try await client.send(
          request(
            "POST / HTTP/1.1", "Content-Length: \(length)",
            body: String(repeating: "a", count: length)))
        #expect(try await client.answer().body.hasPrefix("POST / \(seen)\n"))
      }
    }
  }

  @Test("cuts a body of chunks likewise, and goes on with the next request")
  func chunkedBodyLimit() async throws {
    try await withServer(.with { $0.bodyLimit = 1000 }) { server in
      let client = try Client(port: server.port)
      let chunk = "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"
      try await client.send(
        request("POST / HTTP/1.1", "Transfer-Encoding: chunked")
          + String(repeating: chunk, count: 20) + "0\r\n\r\n")
      #expect(try await client.answer().body.hasPrefix("POST / 1001\n"))
      try await client.send(request())
      #expect(try await client.answer().body.hasPrefix("GET / 0\n"))
    }
  }

  @Test("asks for the body of a client that waits to be asked")
  func expectation() async throws {
    try await withServer(respond: Echo.body) { server in
      let client = try Client(port: server.port)
      try await client.send(
        request("POST / HTTP/1.1", "Content-Length: 5", "Expect: 100-continue"))
      #expect(try await client.answer().status == 100)
      try await client.send("hello")
      #expect(try await client.answer().body == "hello")
    }
  }

  @Test("does not ask for a body that is too long, and ends the connection after the answer")
  func refusedExpectation() async throws {
    try await withServer(.with { $0.bodyLimit = 1000 }) { server in
      let client = try Client(port: server.port)
      try await client.send(
        request("POST / HTTP/1.1", "Content-Length: 1001", "Expect: 100-continue"))
      let answer = try await client.answer()
      #expect(answer.status == 200)
      #expect(answer.body.contains("Content-Length: 1001\n"))
      #expect(answer.body.hasPrefix("POST / 0\n"))
      #expect(try await client.ends())
    }
  }

  @Test("does not read a body that is out of all proportion")
  func enormousBody() async throws {
    try await withServer(.with { $0.bodyLimit = 1000 }) { server in
      let client = try Client(port: server.port)
      try await client.send(
        request("POST / HTTP/1.1", "Content-Length: 999999999999", body: "a"))
      #expect(try await client.answer().body.hasPrefix("POST / 0\n"))
    }
  }

  @Test("refuses header fields beyond the limit", arguments: [1001, 5000, 100_000, 1_000_000])
  func headerLimit(length: Int) async throws {
    try await withServer(.with { $0.headerLimit = 1000 }) { server in
      let client = try Client(port: server.port)
      let long = "X: " + String(repeating: "a", count: length)
      // The server may have ended the connection before all of it is sent.
      try? await client.send(request("GET / HTTP/1.1", long))
      #expect(try await client.answer().status == 431)
      let other = try Client(port: server.port)
      try await other.send(request())
      #expect(try await other.answer().status == 200)
    }
  }

  @Test("refuses a target beyond all limits")
  func targetLimit() async throws {
    try await withServer(.with { $0.headerLimit = 1000 }) { server in
      let client = try Client(port: server.port)
      try? await client.send(request("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1"))
      #expect(try await client.answer().status == 414)
    }
  }

  @Test("lets no more connections in than allowed, until one ends")
  func connectionLimit() async throws {
    try await withServer(.with { $0.connectionLimit = 2 }) { server in
      let first = try Client(port: server.port)
      let second = try Client(port: server.port)
      let third = try Client(port: server.port)
      for client in [first, second, third] { try await client.send(request()) }
      #expect(try await first.answer().status == 200)
      #expect(try await second.answer().status == 200)
      first.disappear()
      #expect(try await third.answer().status == 200)
    }
  }

  @Test("ends a connection on which nothing happens")
  func idle() async throws {
    try await withServer(.with { $0.idleTimeout = 1 }) { server in
      let silent = try Client(port: server.port)
      let half = try Client(port: server.port)
      try await half.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
      #expect(try await silent.ends())
      #expect(try await half.ends())
    }
  }

  @Test(
    "ends a client that sends a byte now and then, wherever it is",
    arguments: [
      "", "GET /", "GET / HTTP/1.1\r\nHost: x\r\nX: ",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n",
    ])
  func drip(beginning: String) async throws {
    try await withServer(
      .with {
        $0.idleTimeout = 1
        $0.requestTimeout = 1
      }
    ) { server in
      let client = try Client(port: server.port)
      try await client.send(beginning)
      let dripping = Task {
        while !Task.isCancelled {
          try await client.send("a")
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      #expect(try await client.ends())
      dripping.cancel()
    }
  }

  @Test("ends a client that does not take its answer")
  func lazyReader() async throws {
    let gate = Gate()
    try await withServer(
      .with { $0.requestTimeout = 1 },
      respond: { _ in
        await gate.note()
        return HTTPResponse(status: .ok, body: [UInt8](repeating: 97, count: 64 << 20))
      }
    ) { server in
      let client = try Client(port: server.port)
      try await client.send(request())
      await gate.arrivals(1)
      try await until { server.connectionCount == 0 }
    }
  }
}

/// Looks again and again until something holds.
func until(_ holds: () async -> Bool) async throws {
  while await !holds() { try await Task.sleep(for: .milliseconds(5)) }
}
