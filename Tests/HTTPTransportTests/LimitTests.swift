import Foundation
import HTTPMessages
import Testing

extension OneAtATime {
  @Suite("Limits of time and size", .timeLimit(.minutes(30)))
  struct LimitTests {
    @Test("a silent server is not waited for", arguments: Client.allCases)
    func silence(client: Client) async throws {
      #expect(try await client.hasty.failure { $0.waitForClose() } == .timedOut)
    }

    @Test("a server that never stops talking is not waited for", arguments: Client.allCases)
    func drip(client: Client) async throws {
      let reason = try await client.hasty.failure { connection in
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        // One byte at a time, so that the limit of 16 MiB is never reached.
        while connection.write("x") { Thread.sleep(forTimeInterval: 0.01) }
      }
      #expect(reason == .timedOut)
      let slow = try await client.hasty.failure { connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
        connection.waitForClose()
      }
      #expect(slow == .timedOut)
    }

    @Test(
      "a request has its own time", arguments: Client.allCases,
      [Duration.milliseconds(100), .zero, .seconds(-1)])
    func ownTimeout(client: Client, timeout: Duration) async throws {
      let server = try LoopbackServer { $0.waitForClose() }
      #expect(
        await client.patient.failure(HTTPRequestMessage(url: server.url, timeout: timeout))
          == .timedOut)
    }

    @Test("any length of time is understood", arguments: Client.allCases)
    func longTimeout(client: Client) async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
      let request = HTTPRequestMessage(url: server.url, timeout: .seconds(Int64.max))
      #expect(try await client.patient.send(request).status == .noContent)
    }

    @Test(
      "a body of the limit passes, one byte more does not", arguments: Client.allCases,
      [0, 1, 70_000])
    func size(client: Client, limit: Int) async throws {
      for (count, expected) in [
        (limit, nil), (limit + 1, HTTPTransportFailure.Reason.responseTooLarge),
      ] {
        let body = String(repeating: "a", count: count)
        for length in ["Content-Length: \(count)\r\n", ""] {
          let server = try LoopbackServer.answering("HTTP/1.1 200 OK\r\n\(length)\r\n\(body)")
          let request = HTTPRequestMessage(url: server.url, responseLimit: limit)
          #expect(await client.patient.failure(request) == expected)
        }
      }
    }

    @Test(
      "a body that is announced as too large is not waited for", arguments: Client.allCases,
      ["200 OK", "404 No", "503 Busy"])
    func announced(client: Client, status: String) async throws {
      let reason = try await client.patient.failure { connection in
        connection.write("HTTP/1.1 \(status)\r\nContent-Length: 100001\r\n\r\n")
        connection.waitForClose()
      }
      #expect(reason == .responseTooLarge)
    }

    @Test(
      "the announced length of a body that never comes has no limit", arguments: Client.allCases,
      [204, 304])
    func bodyless(client: Client, code: Int) async throws {
      let server = try LoopbackServer.answering(
        "HTTP/1.1 \(code) X\r\nContent-Length: 100001\r\nConnection: close\r\n\r\n")
      for (method, body) in [(HTTPRequestMethod.get, []), (.post, [UInt8(1)]), (.head, [])] {
        let request = HTTPRequestMessage(method: method, url: server.url, body: body)
        #expect(try await client.patient.send(request).status.code == code)
      }
      let other = try LoopbackServer.answering(
        "HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n")
      #expect(
        try await client.patient.send(HTTPRequestMessage(method: .head, url: other.url)).status
          == .ok)
    }

    @Test(
      "the announced length of a coded body is not that of its content", arguments: Client.allCases)
    func coded(client: Client) async throws {
      // "hi", compressed by gzip.
      let bytes: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 203, 200, 4, 0, 172, 42, 147, 216, 2, 0, 0, 0,
      ]
      let server = try LoopbackServer { connection in
        _ = connection.readRequest()
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
        connection.write(bytes)
      }
      let request = HTTPRequestMessage(url: server.url, responseLimit: 2)
      #expect(try await client.patient.send(request).body == Array("hi".utf8))
    }

    @Test(
      "a body that is too large leaves the status and the fields", arguments: Client.allCases,
      [
        "HTTP/1.1 503 Busy\r\nX-A: 1\r\nContent-Length: 6\r\n\r\nabcdef",
        "HTTP/1.1 503 Busy\r\nX-A: 1\r\n\r\nabcdef",
        "HTTP/1.1 302 Found\r\nX-A: 1\r\nLocation: /b\r\nContent-Length: 6\r\n\r\nabcdef",
        "HTTP/1.1 307 Found\r\nX-A: 1\r\nLocation: /b\r\n\r\nabcdef",
      ])
    func head(client: Client, text: String) async throws {
      let server = try LoopbackServer.answering(text)
      let failure = try await #require(throws: HTTPTransportFailure.self) {
        try await client.patient.send(HTTPRequestMessage(url: server.url, responseLimit: 5))
      }
      #expect(failure.reason == .responseTooLarge)
      let head = try #require(failure.response)
      #expect(text.contains(" \(head.status.code) "))
      #expect(head.headers["X-A"] == "1" && head.body == [])
      #expect((head.headers[.location] == "/b") == text.contains("Location"))
    }

    @Test("a body without end is let go of", arguments: Client.allCases)
    func endless(client: Client) async throws {
      let reason = try await client.patient.failure { connection in
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        while connection.write([UInt8](repeating: 65, count: 10_000)) {}
      }
      #expect(reason == .responseTooLarge)
    }

    @Test("fields without end are let go of", arguments: Client.allCases)
    func endlessFields(client: Client) async throws {
      let reason = try await client.patient.failure { connection in
        connection.write("HTTP/1.1 200 OK\r\n")
        while connection.write("X: " + String(repeating: "a", count: 10_000) + "\r\n") {}
      }
      #expect(reason == .interrupted)
    }

    private static let redirects = ["302 Found\r\nLocation: /a", "302 Found", "308 Found"]

    @Test("the body of a redirect without end is let go of", arguments: Client.allCases, redirects)
    func endlessRedirect(client: Client, head: String) async throws {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let reason = try await client.hasty.failure { connection in
        connection.write("HTTP/1.1 \(head)\r\n\r\n")
        while connection.write([UInt8](repeating: 65, count: 1000)) {
          Thread.sleep(forTimeInterval: 0.01)
        }
        ended.finish()
      }
      // URLSession on Linux does not report the length of the body before its end.
      #expect(reason == .timedOut)
      // Ends only when the client closes.
      for await _ in ends {}
    }

    @Test(
      "a server that keeps the client busy keeps nobody beyond their time",
      arguments: Client.allCases, ["302 Found\r\nLocation: /a", "200 OK"])
    func flood(client: Client, head: String) async throws {
      let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
      let isEnough = Flag()
      let busy = try LoopbackServer { connection in
        _ = connection.readRequest()
        connection.write("HTTP/1.1 \(head)\r\n\r\n")
        // Not endless, because URLSession on Linux cannot cancel a redirect meanwhile, but longer
        // than any exchange here may take.
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        let bytes = [UInt8](repeating: 65, count: 65_536)
        while !isEnough.isSet, ContinuousClock.now < end, connection.write(bytes) {}
        ended.yield(ContinuousClock.now < end)
        ended.finish()
      }
      let healthy = try LoopbackServer.answering(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
      let url = busy.url
      async let flooded = client.patient.failure(
        HTTPRequestMessage(url: url, timeout: .milliseconds(500), responseLimit: 1 << 30))
      while busy.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      let request = HTTPRequestMessage(url: healthy.url, timeout: .milliseconds(500))
      let reason = await client.patient.failure(request)
      #expect(reason == nil || reason == .timedOut)
      let cancelled = Task { await client.patient.failure(HTTPRequestMessage(url: healthy.url)) }
      cancelled.cancel()
      _ = await cancelled.value
      _ = await flooded
      isEnough.set()
      // All exchanges ended while the server was still sending.
      for await wasInTime in ends { #expect(wasInTime) }
      #expect(await client.patient.failure(HTTPRequestMessage(url: healthy.url)) == nil)
    }
  }
}

/// A single event that is reported to another thread.
private final class Flag: @unchecked Sendable {
  // Sendable because the value is accessed only under the lock.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
