import HTTPMessages
import StorekeeperLocks
import StorekeeperMicroHTTPServer
import Testing

@Suite("HTTP server: connections by address")
struct ClientAddressTests {
  @Test(
    "connections beyond the limit of an address get 503, until one of them ends; others do not",
    arguments: [1, 3])
  func connections(eventLoops: Int) async throws {
    let refused = Locked(0)
    let handler = JudgingHandler(gate: Gate())
    let server = try HTTPServer(
      .with {
        $0.addressConnectionLimit = 2
        $0.threads = eventLoops
      }, refused: { refused.withLock { $0 += 1 } },
      judging: handler.judge)
    let clients = try (0..<2).map { _ in try Client(port: server.port) }
    for client in clients {
      try await client.send(request())
      #expect(try await client.answer().status == 200)
    }
    let third = try Client(port: server.port)
    let refusal = try await third.answer()
    #expect(refusal.status == 503)
    #expect(refusal.body == #"{"message":"Service Unavailable"}"#)
    #expect(refusal.fields["connection"] == "close")
    #expect(try await third.ends())
    #expect(refused.withLock { $0 } == 1)
    let other = try Client(port: server.port, from: 2)
    try await other.send(request())
    #expect(try await other.answer().status == 200)
    clients[0].disappear()
    // On a busy machine, those that are idle for long end as well.
    try await until { server.connectionCount < 3 }
    let next = try Client(port: server.port)
    try await next.send(request())
    #expect(try await next.answer().status == 200)
    #expect(refused.withLock { $0 } == 1)
    await server.stop()
  }

  @Test("the first 64 bits of an IPv6 address count, and a mapped IPv4 address is IPv4")
  func networks() {
    func ipv6(_ bytes: [Int: UInt8]) -> ClientAddress {
      ClientAddress((0..<16).map { bytes[$0] ?? 0 })
    }
    #expect(ipv6([0: 0x20, 7: 1, 8: 1]) == ipv6([0: 0x20, 7: 1, 15: 9]))
    #expect(ipv6([0: 0x20, 7: 1]) != ipv6([0: 0x20, 7: 2]))
    let mapped: [Int: UInt8] = [10: 0xFF, 11: 0xFF, 12: 192, 13: 0, 14: 2, 15: 1]
    #expect(ipv6(mapped) == ClientAddress([192, 0, 2, 1]))
    #expect(ipv6(mapped) != ClientAddress([192, 0, 2, 2]))
    #expect(ipv6([:]) != ClientAddress([0, 0, 0, 0]))
  }
}
