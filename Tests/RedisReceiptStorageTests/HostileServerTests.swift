import RedisReceiptStorage
import Testing

@Suite("A server that is none", .timeLimit(.minutes(30)))
struct HostileServerTests {
  @Test(
    "whose replies are malformed, too deep, too many or of another kind is not believed",
    arguments: [
      "HTTP/1.1 400 Bad Request\r\n\r\n", "\u{0}\u{0}\u{0}\u{0}\r\n", "$x\r\n", "*x\r\n", "$-2\r\n",
      "+OK\r\n", ":5\r\n", "$4\r\nMIIB\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "*1\r\n$-1\r\n",
      "*3\r\n$-1\r\n$-1\r\n$-1\r\n", "*2\r\n:1\r\n:2\r\n", "*2\r\n*0\r\n*0\r\n",
      "*2\r\n-ERR\r\n-ERR\r\n",
      String(repeating: "*1\r\n", count: 20) + "$-1\r\n",
      "*1000000000\r\n", "*2147483647\r\n", "*4294967297\r\n", "*9223372036854775807\r\n",
      "$9223372036854775807\r\n", "*2\r\n$-1\r\n$-1\r\n+more\r\n*2\r\n$-1\r\n$-1\r\n",
    ])
  func malformed(reply: String) async throws {
    let standIn = try StandIn.replying(reply)
    let store = standIn.store(deadline: .seconds(3))
    var failures: Set<Failure> = []
    // A reply that is whole with something behind it is found out before the next command.
    while failures.isEmpty {
      if let failure = try await failure({ _ = try await store.receipt() }) {
        failures.insert(failure)
      }
    }
    // The announcement of a text that long is believed until the reply is late.
    #expect(failures == [reply.hasPrefix("$9") ? .timeUp : .malformedReply])
  }

  @Test(
    "that sends without end is given up after the longest reply",
    arguments: ["$1073741824\r\n", "+"])
  func endless(beginning: String) async throws {
    let standIn = try StandIn { connection in
      var isTaken = StandIn.write(Array(beginning.utf8), to: connection)
      let piece = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
      while isTaken { isTaken = StandIn.write(piece, to: connection) }
      return false
    }
    let store = standIn.store()
    #expect(try await failure { _ = try await store.receipt() } == .malformedReply)
  }

  @Test("that ends the connection in a reply is away", arguments: ["", "*2\r\n$4\r\nMI"])
  func half(reply: String) async throws {
    let standIn = try StandIn { connection in
      _ = StandIn.write(Array(reply.utf8), to: connection)
      return false
    }
    let store = standIn.store()
    #expect(try await failure { _ = try await store.receipt() } == .notConnected)
  }

  @Test("that sends half a reply, or a byte now and then, does not hold up a call")
  func late() async throws {
    let half = try StandIn.replying("*2\r\n$4\r\nMI")
    let store = half.store(deadline: .milliseconds(500))
    #expect(try await failure { _ = try await store.receipt() } == .timeUp)
    let drops = try StandIn { connection in
      guard StandIn.write(Array("*2\r\n$8388608\r\n".utf8), to: connection) else { return false }
      while StandIn.write([UInt8(ascii: "A")], to: connection) {}
      return false
    }
    let other = drops.store(deadline: .milliseconds(500))
    #expect(try await failure { _ = try await other.receipt() } == .timeUp)
  }

  @Test("that greets nobody is away, and no call waits for a second greeting")
  func silent() async throws {
    let socket = try ListeningSocket()
    var configuration = RedisReceiptStore.Configuration(host: "127.0.0.1", port: socket.port)
    configuration.deadline = .seconds(2)
    let store = RedisReceiptStore(configuration)
    // On a very busy machine the attempt to connect may be over before the call is resumed.
    let first = try #require(try await failure { _ = try await store.receipt() })
    #expect([.timeUp, .notConnected].contains(first))
    let clock = ContinuousClock()
    let time = try await clock.measure { () async throws in
      for _ in 0..<50 {
        #expect(try await failure { try await store.put("MIIB") } == .notConnected)
      }
    }
    #expect(time < .seconds(60))
  }

  @Test("is told by the first word of its error, and nothing else of it is shown")
  func errors() async throws {
    for (reply, code) in [
      ("-OOM secret\r\n", RedisErrorCode.outOfMemory), ("-MISCONF secret\r\n", .cannotSave),
      ("-LOADING secret\r\n", .loading), ("-ERR secret\r\n", .unspecified),
      ("-SECRET secret\r\n", .other), ("-\r\n", .other), ("-oom secret\r\n", .other),
      ("-OOMsecret\r\n", .other),
    ] {
      let standIn = try StandIn.replying(reply)
      let store = standIn.store()
      let failure = try await failure { _ = try await store.receipt() }
      #expect(failure == .refused(code), "\(reply.debugDescription)")
      let text = "\(String(describing: failure)) \(String(reflecting: failure))"
      #expect(!text.lowercased().contains("secret"))
    }
  }

  @Test(
    "that refuses connections, or does not exist, is away",
    arguments: ["127.0.0.1", "no-host.invalid"])
  func absent(host: String) async throws {
    let port = try ListeningSocket().port
    var configuration = RedisReceiptStore.Configuration(host: host, port: port)
    configuration.deadline = .seconds(300)
    let store = RedisReceiptStore(configuration)
    #expect(try await failure { _ = try await store.receipt() } == .notConnected)
    #expect(try await failure { try await store.put("MIIB") } == .notConnected)
  }
}
