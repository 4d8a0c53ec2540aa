import HTTPMessages
import Testing
import URLSessionTransport

extension OneAtATime {
  @Suite("Limits of time and size", .timeLimit(.minutes(1)))
  struct LimitTests {
    @Test("a server that says nothing is not waited for")
    func silence() async throws {
      #expect(try await failure(of: hasty) { $0.waitForClose() } == .timedOut)
    }

    @Test("a server that never stops talking is not waited for")
    func drip() async throws {
      let reason = try await failure(of: hasty) { connection in
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        while connection.write("x") {}
      }
      #expect(reason == .timedOut || reason == .responseTooLarge)
      let slow = try await failure(of: hasty) { connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
        connection.waitForClose()
      }
      #expect(slow == .timedOut)
    }

    @Test(
      "a request has its own time", arguments: [Duration.milliseconds(100), .zero, .seconds(-1)])
    func ownTimeout(timeout: Duration) async throws {
      let server = try LoopbackServer { $0.waitForClose() }
      #expect(await failure(HTTPRequest(url: server.url, timeout: timeout)) == .timedOut)
    }

    @Test("any length of time is understood")
    func longTimeout() async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
      let request = HTTPRequest(url: server.url, timeout: .seconds(Int64.max))
      #expect(try await patient.send(request).status == .noContent)
    }

    @Test("a body of the limit passes, one byte more does not", arguments: [0, 1, 70_000])
    func size(limit: Int) async throws {
      for (count, expected) in [
        (limit, nil), (limit + 1, HTTPTransportFailure.Reason.responseTooLarge),
      ] {
        let body = String(repeating: "a", count: count)
        for length in ["Content-Length: \(count)\r\n", ""] {
          let server = try LoopbackServer.answering("HTTP/1.1 200 OK\r\n\(length)\r\n\(body)")
          let request = HTTPRequest(url: server.url, responseLimit: limit)
          #expect(await failure(request) == expected)
        }
      }
    }

    @Test("a body without end is let go of")
    func endless() async throws {
      let reason = try await failure { connection in
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        while connection.write([UInt8](repeating: 65, count: 10_000)) {}
      }
      #expect(reason == .responseTooLarge)
    }

    @Test("fields without end are let go of")
    func endlessFields() async throws {
      let reason = try await failure { connection in
        connection.write("HTTP/1.1 200 OK\r\n")
        while connection.write("X: " + String(repeating: "a", count: 10_000) + "\r\n") {}
      }
      #expect(reason == .interrupted)
    }
  }
}
