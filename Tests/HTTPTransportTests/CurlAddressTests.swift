import CurlTransport
import HTTPMessages
import Testing

extension OneAtATime {
  @Suite("CurlHTTPTransport: addresses", .timeLimit(.minutes(30)))
  struct CurlAddressTests {
    /// The same server by several names, which all end at this machine.
    @Test(
      "with public ones only, it connects with none of this machine, by whatever name",
      arguments: [
        "127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433",
      ])
    func refused(_ host: String) async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      let port = server.url.split(separator: ":").last.map(String.init) ?? "/"
      let transport = CurlHTTPTransport(timeout: .seconds(60), addresses: .publicOnly)
      let request = HTTPRequestMessage(url: "http://\(host):\(port)")
      let failure = await #expect(throws: HTTPTransportFailure.self) {
        try await transport.send(request)
      }
      #expect(failure?.reason == .notConnected)
      #expect(server.requests.isEmpty)
    }

    @Test("without the rule it connects with this machine")
    func allowed() async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      let transport = CurlHTTPTransport(timeout: .seconds(60))
      #expect(try await transport.send(HTTPRequestMessage(url: server.url)).status == .ok)
    }
  }
}
