import Dispatch
import HTTPMessages
import StorekeeperMicroHTTPServer
import Testing

@Suite("HTTP server: requests judged by their head")
struct AdmissionTests {
  private static let small = ServerConfiguration.with {
    $0.bodyLimit = 1000
    $0.bodyMemoryLimit = 4000
    $0.addressBodyMemoryLimit = 1001
  }

  private func post(_ path: String, sending count: Int = 1000) -> String {
    request(
      "POST \(path) HTTP/1.1", "Content-Length: 1000", body: String(repeating: "a", count: count))
  }

  @Test(
    "refused bodies are dropped; their clients send them, and are answered afterwards")
  func refused() async throws {
    try await withJudgingServer(Self.small) { server in
      let refused = try (0..<10).map { _ in try Client(port: server.port) }
      for client in refused { try await client.send(post("/refused", sending: 900)) }
      // If refused bodies were kept, there would be no memory left by now.
      let honest = try Client(port: server.port)
      for _ in 1...3 {
        try await honest.send(post("/known"))
        #expect(try await honest.answer().body == "1000")
      }
      for client in refused {
        try await client.send(String(repeating: "a", count: 100))
        #expect(try await client.answer().status == 401)
        try await client.send(post("/known"))
        #expect(try await client.answer().body == "1000")
      }
    }
  }

  @Test("a client that expects 100-continue is refused at once")
  func expectation() async throws {
    try await withJudgingServer(Self.small) { server in
      let client = try Client(port: server.port)
      try await client.send(
        request("POST /refused HTTP/1.1", "Content-Length: 5", "Expect: 100-continue"))
      #expect(try await client.answer().status == 401)
      #expect(try await client.ends())
    }
  }

  @Test("nothing is kept of an unwanted body")
  func unwanted() async throws {
    try await withJudgingServer(Self.small) { server in
      let client = try Client(port: server.port)
      try await client.send(post("/bodiless"))
      #expect(try await client.answer().body == "0")
      try await client.send(request("GET /known HTTP/1.1"))
      #expect(try await client.answer().body == "0")
    }
  }

  @Test("anonymous clients share a part of the memory for bodies, each address a part of that")
  func strangers() async throws {
    let gate = Gate()
    try await withJudgingServer(Self.small, gate: gate) { server in
      let first = try Client(port: server.port)
      try await first.send(post("/stranger/held"))
      await gate.arrivals(1)
      let second = try Client(port: server.port)
      try await second.send(post("/stranger"))
      let refusal = try await second.answer()
      #expect(refusal.status == 503)
      #expect(refusal.body == "no room")
      #expect(try await second.ends())
      let known = try Client(port: server.port)
      try await known.send(post("/known"))
      #expect(try await known.answer().body == "1000")
      let other = try Client(port: server.port, from: 2)
      try await other.send(post("/stranger/held"))
      await gate.arrivals(2)
      // All anonymous clients together have half of the memory.
      let third = try Client(port: server.port, from: 3)
      try await third.send(post("/stranger"))
      #expect(try await third.answer().status == 503)
      try await known.send(post("/known"))
      #expect(try await known.answer().body == "1000")
      await gate.open()
      #expect(try await first.answer().body == "1000")
      #expect(try await other.answer().body == "1000")
      for _ in 1...3 {
        try await first.send(post("/stranger"))
        #expect(try await first.answer().body == "1000")
      }
    }
  }

  @Test("without a limit by address, anonymous clients at one address may use the whole part")
  func noAddressLimit() async throws {
    let gate = Gate()
    let configuration = ServerConfiguration.with {
      $0.bodyLimit = 1000
      $0.bodyMemoryLimit = 4000
      $0.addressBodyMemoryLimit = 0
      $0.addressConnectionLimit = 0
    }
    try await withJudgingServer(configuration, gate: gate) { server in
      let clients = try (0..<2).map { _ in try Client(port: server.port) }
      for client in clients { try await client.send(post("/stranger/held")) }
      await gate.arrivals(2)
      await gate.open()
      for client in clients { #expect(try await client.answer().body == "1000") }
    }
  }

  @Test("a handler may suspend before it judges, and the body waits meanwhile")
  func late() async throws {
    let gate = Gate()
    try await withJudgingServer(Self.small, gate: gate) { server in
      let client = try Client(port: server.port)
      try await client.send(post("/late", sending: 500))
      await gate.arrivals(1)
      try await client.send(String(repeating: "a", count: 500))
      await gate.open()
      #expect(try await client.answer().body == "1000")
      try await client.send(post("/late"))
      #expect(try await client.answer().body == "1000")
    }
  }

  @Test("a request that is not judged when the server stops is answered with 503")
  func stopped() async throws {
    let gate = Gate()
    var configuration = Self.small
    configuration.stopTimeout = 0
    let server = try HTTPServer(configuration, judging: JudgingHandler(gate: gate).judge)
    let client = try Client(port: server.port)
    try await client.send(post("/late"))
    await gate.arrivals(1)
    await server.stop()
    #expect(try await client.answer().status == 503)
    await gate.open()
  }

  @Test("a request that is judged, or read, while the server stops is answered with 503")
  func stoppedMeanwhile() async throws {
    let (gate, latch) = (Gate(), Latch())
    let (heads, head) = AsyncStream.makeStream(of: String.self)
    var configuration = Self.small
    configuration.stopTimeout = 0
    configuration.threads = 2
    let handler = JudgingHandler(gate: gate)
    let server = try HTTPServer(configuration) { request in
      head.yield(request.url)
      // Holds the thread of the server, as a busy machine may.
      if request.url == "/blocked" { latch.wait() }
      return await handler.judge(request)
    }
    var arrivals = heads.makeAsyncIterator()
    // Clients are given to the threads in turn.
    let witness = try Client(port: server.port)
    try await witness.send(post("/late"))
    #expect(await arrivals.next() == "/late")
    await gate.arrivals(1)
    let blocked = try Client(port: server.port)
    try await blocked.send(post("/blocked"))
    #expect(await arrivals.next() == "/blocked")
    let sending = try Client(port: server.port)
    try await sending.send(post("/known", sending: 500))
    #expect(await arrivals.next() == "/known")
    async let stop: Void = server.stop()
    // Once this one is answered, no request is begun any more.
    #expect(try await witness.answer().status == 503)
    try await sending.send(String(repeating: "a", count: 500))
    latch.open()
    #expect(try await blocked.answer().status == 503)
    #expect(try await sending.answer().status == 503)
    await stop
    await gate.open()
  }

  /// More than the server reads and drops, in chunks, without an end.
  private static let endless: [UInt8] = {
    let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 97, count: 0x10000) + [13, 10]
    return Array([[UInt8]](repeating: chunk, count: 320).joined())  // 20 MiB
  }()

  @Test(
    "a body in chunks without an end is answered early, and the client reads the answer",
    arguments: [("/known", 413), ("/stranger", 413), ("/refused", 401), ("/bodiless", 200)])
  func endless(path: String, status: Int) async throws {
    try await withJudgingServer(Self.small) { server in
      let client = try Client(port: server.port)
      try await client.send(request("POST \(path) HTTP/1.1", "Transfer-Encoding: chunked"))
      try await client.send(Self.endless)
      let answer = try await client.answer()
      #expect(answer.status == status)
      #expect(answer.fields["connection"] == "close")
      #expect(answer.fields["date"]?.hasSuffix(" GMT") == true)
      // The client may keep sending, and is read from.
      try await client.send(Self.endless)
      client.endSending()
      #expect(try await client.ends())
      try await until { server.connectionCount == 0 }
    }
  }

  @Test("a body in chunks that is too long but ends is answered, and the connection stays open")
  func long() async throws {
    try await withJudgingServer(Self.small) { server in
      let client = try Client(port: server.port)
      let part = Array(Self.endless.prefix(8 << 20))
      let whole = Array(part[..<(part.count / 0x10009 * 0x10009)]) + Array("0\r\n\r\n".utf8)
      for (path, status) in [("/known", 413), ("/refused", 401)] {
        try await client.send(request("POST \(path) HTTP/1.1", "Transfer-Encoding: chunked"))
        try await client.send(whole)
        #expect(try await client.answer().status == status)
      }
      try await client.send(post("/known"))
      #expect(try await client.answer().status == 200)
    }
  }

  @Test(
    "an excessive declared length is answered, and a client that sends everything reads the answer",
    arguments: [("/known", 200), ("/refused", 401)])
  func declared(path: String, status: Int) async throws {
    try await withJudgingServer(Self.small) { server in
      let client = try Client(port: server.port)
      let body = [UInt8](repeating: 97, count: 20 << 20)
      try await client.send(request("POST \(path) HTTP/1.1", "Content-Length: \(body.count)"))
      try await client.send(body)
      #expect(try await client.answer().status == status)
      #expect(try await client.ends())
    }
  }

  @Test("a client that keeps sending after an early answer is ended at the timeout")
  func lingering() async throws {
    var configuration = Self.small
    configuration.requestTimeout = 1
    configuration.idleTimeout = 600
    try await withJudgingServer(configuration) { server in
      let client = try Client(port: server.port)
      try await client.send(
        request("POST /refused HTTP/1.1", "Content-Length: 999999999", body: "a"))
      #expect(try await client.answer().status == 401)
      try await until { server.connectionCount == 0 }
    }
  }
}

/// A latch at which a thread waits until it is opened.
private struct Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }
  func open() { semaphore.signal() }
}
