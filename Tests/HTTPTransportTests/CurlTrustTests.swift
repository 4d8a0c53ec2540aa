import CStorekeeperOpenSSL
import CurlTransport
import Foundation
import HTTPMessages
import Testing

extension OneAtATime {
  /// The peers that the libcurl transport trusts.
  @Suite("CurlHTTPTransport: verified peers", .timeLimit(.minutes(30)))
  struct CurlTrustTests {
    private let certificates: TestCertificates

    init() throws { certificates = try TestCertificates() }

    /// Sends a request to a server with one of the certificates.
    private func ask(
      _ certificate: TestCertificates.Kind, trusting authorities: TestCertificates.Kind?
    ) async throws -> (reason: HTTPTransportFailure.Reason?, seen: String) {
      let server = try TLSServer(certificates, certificate)
      let transport = CurlHTTPTransport(
        timeout: .seconds(60), certificateAuthorityFile: authorities.map(certificates.path))
      let reason = await transport.failure(HTTPRequestMessage(url: server.url))
      return (reason, server.stop())
    }

    @Test("a server with a certificate for its name from a trusted authority gets the request")
    func trusted() async throws {
      let server = try TLSServer(certificates, .right)
      let transport = CurlHTTPTransport(
        timeout: .seconds(60), certificateAuthorityFile: certificates.path(.authority))
      for _ in 0..<2 {
        let response = try await transport.send(HTTPRequestMessage(url: server.url))
        #expect(response.status == .ok)
        #expect(response.body.starts(with: "hi".utf8))
      }
      #expect(server.stop().split(separator: "FILE:page").count == 3)
    }

    @Test(
      "another server does not get the request",
      arguments: [
        (TestCertificates.Kind.right, nil), (.right, .stranger), (.wrongName, .authority),
        (.expired, .authority), (.selfSigned, .authority), (.stranger, .authority),
      ] as [(TestCertificates.Kind, TestCertificates.Kind?)])
    func untrusted(
      certificate: TestCertificates.Kind, authorities: TestCertificates.Kind?
    ) async throws {
      let (reason, seen) = try await ask(certificate, trusting: authorities)
      #expect(reason == .untrustedPeer)
      #expect(!seen.contains("FILE"))
    }

    @Test(
      "without the file of authorities no peer is trusted", arguments: ["/nowhere", "/dev/null"])
    func noFile(path: String) async throws {
      let server = try TLSServer(certificates, .right)
      let transport = CurlHTTPTransport(timeout: .seconds(60), certificateAuthorityFile: path)
      #expect(await transport.failure(HTTPRequestMessage(url: server.url)) == .untrustedPeer)
      #expect(!server.stop().contains("FILE"))
    }

    @Test(
      "a kept connection whose TLS the server has ended meanwhile is not used",
      arguments: [true, false])
    func closedMeanwhile(endsConnection: Bool) async throws {
      // The server ends TLS after each response, which does not announce it.
      let server = try TLSServer(certificates, .right, .answers)
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let relay = try LoopbackServer.relay(
        toPort: server.port, endsConnection: endsConnection
      ) { ended.yield() }
      let transport = CurlHTTPTransport(
        timeout: .seconds(60), certificateAuthorityFile: certificates.path(.authority))
      for _ in 0..<3 {
        let url = "https" + relay.url.dropFirst(4) + "/answer"
        let response = try await transport.send(HTTPRequestMessage(url: url))
        #expect(response.body == Array("hi".utf8))
        for await _ in ends { break }
      }
      #expect(server.stop().split(separator: "FILE:answer").count == 4)
    }

    @Test("a process may end while exchanges are under way", arguments: 0..<10)
    func processEnd(turn: Int) async throws {
      let server = try TLSServer(certificates, .right)
      let (url, authority) = (server.url, certificates.path(.authority))
      await #expect(processExitsWith: .success) {
        [turn = turn as Int, url = url as String, authority = authority as String] in
        // As OpenSSL does by itself in any process but that of the tests.
        atexit { OPENSSL_cleanup() }
        let transports = (0..<4).map { _ in CurlHTTPTransport(certificateAuthorityFile: authority) }
        let tasks = (0..<100).map { number in
          Task { try await transports[number % 4].send(HTTPRequestMessage(url: url)).status }
        }
        for task in tasks.prefix(turn * 2) { _ = try await task.value }
      }
    }

    @Test("a connection that breaks off before TLS is set up has seen nothing")
    func broken() async throws {
      let server = try LoopbackServer { connection in
        connection.resetWhenClosed()
      }
      let url = "https" + server.url.dropFirst(4)
      #expect(await Client.curl.patient.failure(HTTPRequestMessage(url: url)) == .notConnected)
    }
  }
}
