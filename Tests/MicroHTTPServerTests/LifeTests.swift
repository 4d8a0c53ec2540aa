import Dispatch
import Foundation
import HTTPMessages
import StorekeeperLocks
import StorekeeperMicroHTTPServer
import Testing

@Suite("HTTP server: from start to stop")
struct LifeTests {
  @Test("handles many requests at a time without a thread for each")
  func manyAtATime() async throws {
    let gate = Gate()
    try await withServer(respond: { request in
      await gate.pass()
      return await Echo.everything(request)
    }) { server in
      let clients = try (0..<200).map { _ in try Client(port: server.port) }
      for (number, client) in clients.enumerated() {
        try await client.send(request("GET /\(number) HTTP/1.1"))
      }
      await gate.arrivals(200)
      await gate.open()
      for (number, client) in clients.enumerated() {
        #expect(try await client.answer().body == "GET /\(number) 0\nHost: x\n")
      }
    }
  }

  @Test(
    "begins to answer on the configured number of threads, inside the given closure",
    .timeLimit(.minutes(30)))
  func threads() async throws {
    let gate = DispatchSemaphore(value: 0)
    let begun = Locked(0)
    let server = try HTTPServer(
      .with { $0.threads = 2 },
      beginning: { begin in
        begun.withLock { $0 += 1 }
        begin()
      }
    ) { request in
      // The thread of the first request waits for that of the second.
      if request.url == "/first" { gate.waitHere() } else { gate.signal() }
      return await Echo.everything(request)
    }
    let first = try Client(port: server.port)
    try await first.send(request("GET /first HTTP/1.1"))
    let second = try Client(port: server.port)
    try await second.send(request("GET /second HTTP/1.1"))
    #expect(try await first.answer().status == 200)
    #expect(try await second.answer().status == 200)
    #expect(begun.withLock { $0 } == 2)
    try await second.send(request("POST / HTTP/1.1", "Content-Length: 1", body: "a"))
    #expect(try await second.answer().status == 200)
    #expect(begun.withLock { $0 } == 2)
    await server.stop()
  }

  @Test("finishes running requests when it is stopped, and ends idle connections")
  func gracefulStop() async throws {
    let gate = Gate()
    let server = try HTTPServer(.patient) { request in
      if request.url == "/slow" { await gate.pass() }
      return await Echo.everything(request)
    }
    let idle = try Client(port: server.port)
    try await idle.send(request())
    #expect(try await idle.answer().status == 200)
    let running = try Client(port: server.port)
    try await running.send(request("GET /slow HTTP/1.1"))
    await gate.arrivals(1)
    let stop = Task { await server.stop() }
    #expect(try await idle.ends())
    #expect(throws: Client.Broken.self) { try Client(port: server.port) }
    await gate.open()
    let answer = try await running.answer()
    #expect(answer.status == 200)
    #expect(answer.fields["connection"] == "close")
    await stop.value
  }

  @Test("answers 503 to requests that exceed the stop timeout")
  func bounded() async throws {
    let gate = Gate()
    let server = try HTTPServer(.with { $0.stopTimeout = 1 }) { _ in
      await gate.pass()
      return HTTPResponseMessage(status: .ok)
    }
    let client = try Client(port: server.port)
    try await client.send(request())
    await gate.arrivals(1)
    await server.stop()
    #expect(try await client.answer().status == 503)
    await gate.open()
  }

  @Test("cancels handlers that exceed the stop timeout")
  func cancelled() async throws {
    let started = Gate()
    let ended = Gate()
    let server = try HTTPServer(.with { $0.stopTimeout = 1 }) { _ in
      await started.note()
      while !Task.isCancelled { await Task.yield() }
      await ended.note()
      return HTTPResponseMessage(status: .ok)
    }
    let client = try Client(port: server.port)
    try await client.send(request())
    await started.arrivals(1)
    await server.stop()
    #expect(try await client.answer().status == 503)
    await ended.arrivals(1)
  }

  @Test("can be stopped twice concurrently")
  func stopTwice() async throws {
    let server = try HTTPServer(.patient, respond: Echo.everything)
    async let first: Void = server.stop()
    async let second: Void = server.stop()
    _ = await (first, second)
    #expect(throws: Client.Broken.self) { try Client(port: server.port) }
  }

  @Test("ends when it is released")
  func letGo() async throws {
    #expect(try await clientOfForgottenServer().ends())
  }

  private func clientOfForgottenServer() async throws -> Client {
    let server = try HTTPServer(.patient, respond: Echo.everything)
    let client = try Client(port: server.port)
    try await client.send(request())
    #expect(try await client.answer().status == 200)
    return client
  }

  @Test("stops while clients keep asking, and answers each request whole or not at all")
  func stopUnderLoad() async throws {
    let server = try HTTPServer(.patient, respond: Echo.everything)
    let gate = Gate()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          while let client = try? Client(port: server.port) {
            while (try? await client.send(request())) != nil {
              guard let answer = try? await client.answer() else {
                #expect(client.rest.isEmpty, "An answer broke off.")
                break
              }
              #expect(answer.body == "GET / 0\nHost: x\n")
              await gate.note()
              if answer.fields["connection"] == "close" { break }
            }
          }
        }
      }
      await gate.arrivals(500)
      await server.stop()
    }
    #expect(server.connectionCount == 0)
  }

  @Test("reports why it cannot listen")
  func cannotListen() throws {
    let server = try HTTPServer(.patient, respond: Echo.everything)
    let taken = server.port
    _ = withExtendedLifetime(server) {
      #expect(
        throws: ServerFailure.cannotListen(host: "127.0.0.1", port: taken, code: EADDRINUSE)
      ) {
        try HTTPServer(.with { $0.port = taken }, respond: Echo.everything)
      }
    }
    #expect(throws: ServerFailure.unknownHost("256.1.1.1.1")) {
      try HTTPServer(.with { $0.host = "256.1.1.1.1" }, respond: Echo.everything)
    }
  }

  @Test(
    "refuses invalid limits",
    arguments: [
      { $0.connectionLimit = 0 }, { $0.connectionLimit = -1 }, { $0.connectionLimit = .max },
      { $0.bodyLimit = -1 }, { $0.bodyLimit = .max }, { $0.headerLimit = 0 },
      { $0.headerLimit = .max }, { $0.idleTimeout = 0 }, { $0.idleTimeout = .max },
      { $0.requestTimeout = -1 }, { $0.requestTimeout = .max }, { $0.stopTimeout = -1 },
      { $0.stopTimeout = .max }, { $0.bodyMemoryLimit = .max },
      { $0.addressBodyMemoryLimit = -1 }, { $0.addressConnectionLimit = -1 },
      { $0.addressConnectionLimit = .max }, { $0.bodyMemoryLimit = $0.bodyLimit },
      { $0.threads = 0 }, { $0.threads = 1025 },
    ] as [@Sendable (inout ServerConfiguration) -> Void])
  func limits(change: @Sendable (inout ServerConfiguration) -> Void) {
    let failure = #expect(throws: ServerFailure.self) {
      try HTTPServer(.with(change), respond: Echo.everything)
    }
    guard case .unusableLimit = failure else {
      Issue.record("\(String(describing: failure)) is another reason.")
      return
    }
  }
}

extension DispatchSemaphore {
  /// Blocks the current thread, which is what the test is about.
  fileprivate func waitHere() { wait() }
}
