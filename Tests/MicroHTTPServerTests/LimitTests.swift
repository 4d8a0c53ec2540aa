import HTTPMessages
import StorekeeperMicroHTTPServer
import Testing

@Suite("HTTP server: limits")
struct LimitTests {
  @Test("passes on a body of exactly the limit, and truncates a longer one to one byte more")
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

  @Test("truncates a body in chunks likewise, and continues with the next request")
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

  @Test("asks for the body of a client that expects 100-continue")
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
      // The server may have ended the connection before everything is sent.
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

  @Test("admits no more connections than the limit, until one ends")
  func connectionLimit() async throws {
    let gate = Gate()
    try await withServer(
      .with { $0.connectionLimit = 2 },
      respond: { request in
        await gate.pass()
        return await Echo.everything(request)
      }
    ) { server in
      let clients = try (0..<3).map { _ in try Client(port: server.port) }
      for client in clients { try await client.send(request()) }
      await gate.arrivals(2)
      #expect(server.connectionCount == 2)
      await gate.open()
      #expect(try await clients[0].answer().status == 200)
      #expect(try await clients[1].answer().status == 200)
      #expect(server.connectionCount == 2)
      #expect(await gate.arrived == 2)
      clients[0].disappear()
      #expect(try await clients[2].answer().status == 200)
    }
  }

  @Test(
    "serves many clients in turn, never more at a time than the limit, and can be stopped afterwards"
  )
  func crowd() async throws {
    let most = Most()
    let server = try HTTPServer(.with { $0.connectionLimit = 2 }) { request in
      await most.enter()
      await Task.yield()
      await most.leave()
      return await Echo.everything(request)
    }
    let clients = try (0..<400).map { _ in try Client(port: server.port) }
    for client in clients { try await client.send(request("GET / HTTP/1.1", "Connection: close")) }
    for client in clients {
      #expect(try await client.answer().status == 200)
      #expect(server.connectionCount <= 2)
    }
    #expect(await most.count <= 2)
    await server.stop()
    #expect(server.connectionCount == 0)
  }

  @Test("answers 503 to bodies that together exceed the memory, and ends their connections")
  func bodyMemory() async throws {
    let gate = Gate()
    try await withServer(
      .with {
        $0.bodyLimit = 1000
        $0.bodyMemoryLimit = 1500
      },
      respond: { request in
        await gate.pass()
        return await Echo.everything(request)
      }
    ) { server in
      let long = String(repeating: "a", count: 800)
      let first = try Client(port: server.port)
      try await first.send(request("POST / HTTP/1.1", "Content-Length: 800", body: long))
      await gate.arrivals(1)
      let second = try Client(port: server.port)
      try await second.send(request("POST / HTTP/1.1", "Content-Length: 800", body: long))
      let refusal = try await second.answer()
      #expect(refusal.status == 503)
      #expect(refusal.fields["connection"] == "close")
      #expect(try await second.ends())
      await gate.open()
      #expect(try await first.answer().body.hasPrefix("POST / 800\n"))
      let third = try Client(port: server.port)
      for _ in 1...3 {
        try await third.send(request("POST / HTTP/1.1", "Content-Length: 800", body: long))
        #expect(try await third.answer().body.hasPrefix("POST / 800\n"))
      }
    }
  }

  @Test("ends a silent connection")
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
    "ends a client that sends a byte now and then, in any part of a request",
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

  @Test("ends a client that does not read its answer")
  func lazyReader() async throws {
    let gate = Gate()
    try await withServer(
      .with { $0.requestTimeout = 1 },
      respond: { _ in
        await gate.note()
        return HTTPResponseMessage(status: .ok, body: [UInt8](repeating: 97, count: 64 << 20))
      }
    ) { server in
      let client = try Client(port: server.port)
      try await client.send(request())
      await gate.arrivals(1)
      try await until { server.connectionCount == 0 }
    }
  }
}

/// The maximum number of tasks in a place at a time.
private actor Most {
  private(set) var count = 0
  private var now = 0

  func enter() {
    now += 1
    count = max(count, now)
  }

  func leave() { now -= 1 }
}

/// Polls until a condition holds, and fails after ten minutes, which only a standstill takes on a busy machine.
func until(_ holds: () async -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(600)
  while await !holds() {
    try #require(ContinuousClock.now < deadline, "What was waited for did not come.")
    try await Task.sleep(for: .milliseconds(5))
  }
}
