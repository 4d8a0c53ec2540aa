import Foundation
import HTTPMessages
import Testing

extension OneAtATime {
  @Suite("Cancellation and concurrency", .timeLimit(.minutes(30)))
  struct CancellationTests {
    @Test("a cancelled exchange throws and lets go of the connection", arguments: Client.allCases)
    func cancelled(client: Client) async throws {
      let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let server = try LoopbackServer { connection in
        _ = connection.readRequest()
        arrived.finish()
        connection.waitForClose()
        ended.finish()
      }
      let task = Task { try await client.patient.send(HTTPRequestMessage(url: server.url)) }
      for await _ in arrivals {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      // The server ends only when the client closes.
      for await _ in ends {}
    }

    @Test("an exchange whose time limit passed releases the connection", arguments: Client.allCases)
    func timedOut(client: Client) async throws {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let reason = try await client.hasty.failure { connection in
        connection.waitForClose()
        ended.finish()
      }
      #expect(reason == .timedOut)
      for await _ in ends {}
    }

    @Test("a task that is cancelled already sends nothing", arguments: Client.allCases)
    func cancelledBefore(client: Client) async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
      let url = server.url
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await client.patient.send(HTTPRequestMessage(url: url))
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(server.requests.isEmpty)
    }

    @Test("several exchanges at a time get each their own answer", arguments: Client.allCases)
    func concurrency(client: Client) async throws {
      let server = try LoopbackServer { connection in
        guard let body = connection.readRequest()?.body else { return }
        connection.write(
          "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.write(body)
      }
      let url = server.url
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<10 {
          group.addTask {
            let body = Array("number \(number)".utf8)
            let request = HTTPRequestMessage(method: .post, url: url, body: body)
            return try await client.patient.send(request).body == body
          }
        }
        for try await isOwn in group { #expect(isOwn) }
      }
    }

    @Test(
      "cancelling at any moment ends in an answer or in cancellation", arguments: Client.allCases)
    func races(client: Client) async throws {
      let server = try LoopbackServer.answering(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
      let url = server.url
      for turn in 0..<50 {
        let task = Task { try await client.patient.send(HTTPRequestMessage(url: url)) }
        for _ in 0..<(turn * 20) { await Task.yield() }
        task.cancel()
        do {
          #expect(try await task.value.status == .ok)
        } catch {
          #expect(error is CancellationError)
        }
      }
    }
  }
}
