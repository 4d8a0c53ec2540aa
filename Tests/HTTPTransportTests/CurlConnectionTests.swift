import CurlTransport
import Foundation
import HTTPMessages
import StorekeeperLocks
import Testing

extension OneAtATime {
  /// The connections and the thread of the libcurl transport.
  @Suite("CurlHTTPTransport: connections", .timeLimit(.minutes(30)))
  struct CurlConnectionTests {
    private let transport = CurlHTTPTransport(timeout: .seconds(60))

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    @Test("a connection serves one exchange after the other")
    func kept() async throws {
      let connections = Locked(0)
      let server = try LoopbackServer { connection in
        connections.withLock { $0 += 1 }
        while connection.readRequest() != nil { connection.write(Self.ok) }
      }
      for turn in 0..<5 {
        let method: HTTPRequestMethod = turn.isMultiple(of: 2) ? .get : .post
        let response = try await transport.send(HTTPRequestMessage(method: method, url: server.url))
        #expect(response.body == Array("hi".utf8))
      }
      #expect(server.requests.count == 5)
      #expect(connections.withLock(\.self) == 1)
    }

    @Test(
      "on a kept connection that closes without a word, a request is sent once",
      arguments: [HTTPRequestMethod.get, .post, .delete], [false, true])
    func once(method: HTTPRequestMethod, isReset: Bool) async throws {
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write(Self.ok)
        guard connection.readRequest() != nil else { return }
        if isReset { connection.resetWhenClosed() }
      }
      let body: [UInt8] = method == .get ? [] : [1]
      let request = HTTPRequestMessage(method: method, url: server.url, body: body)
      #expect(await transport.failure(request) == nil)
      #expect(await transport.failure(request) == .interrupted)
      #expect(server.requests.count == 2)
      // The transport goes on with another connection.
      #expect(await transport.failure(request) == nil)
      #expect(server.requests.count == 3)
    }

    @Test("a kept connection that has closed meanwhile is not used")
    func closedMeanwhile() async throws {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write(Self.ok)
        connection.endWriting()
        connection.waitForArrival()
        ended.yield()
        connection.waitForClose()
      }
      for _ in 0..<3 {
        #expect(await transport.failure(HTTPRequestMessage(method: .post, url: server.url)) == nil)
        for await _ in ends { break }
      }
      #expect(server.requests.count == 3)
    }

    @Test("data after a response is never the response to the next request")
    func excess() async throws {
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write(Self.ok + "HTTP/1.1 500 Nobody asked\r\nContent-Length: 0\r\n\r\n")
        while connection.readRequest() != nil { connection.write(Self.ok) }
      }
      for _ in 0..<3 {
        #expect(try await transport.send(HTTPRequestMessage(url: server.url)).status == .ok)
      }
    }

    @Test("nor is data that arrives after the response was read")
    func lateExcess() async throws {
      let (answers, answered) = AsyncStream.makeStream(of: Void.self)
      let isAnswered = DispatchSemaphore(value: 0)
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write(Self.ok)
        isAnswered.wait()
        connection.write("HTTP/1.1 408 Idle for too long\r\nContent-Length: 0\r\n\r\n")
        connection.waitForArrival()
        answered.yield()
        while connection.readRequest() != nil { connection.write(Self.ok) }
      }
      for _ in 0..<3 {
        let response = try await transport.send(HTTPRequestMessage(method: .post, url: server.url))
        try #require(response.status == .ok)
        isAnswered.signal()
        for await _ in answers { break }
      }
      #expect(server.requests.count == 3)
    }

    @Test(
      "an exchange that ends early ends its connection",
      arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n" + String(repeating: "a", count: 200),
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      ])
    func early(answer: String) async throws {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let server = try LoopbackServer { connection in
        _ = connection.readRequest()
        connection.write(answer)
        connection.waitForClose()
        ended.finish()
      }
      let reason = await transport.failure(HTTPRequestMessage(url: server.url, responseLimit: 100))
      #expect(reason == .responseTooLarge || reason == .interrupted)
      for await _ in ends {}
    }

    @Test("an idle connection is closed, and the thread ends, although the transport is there")
    func idle() async throws {
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let server = try LoopbackServer { connection in
        _ = connection.readRequest()
        connection.write(Self.ok)
        connection.waitForClose()
        ended.finish()
      }
      let before = Self.threads()
      #expect(await transport.failure(HTTPRequestMessage(url: server.url)) == nil)
      // Ends only when the client closes.
      for await _ in ends {}
      await Self.waitForThreads(before)
      // The next request starts another thread.
      let other = try LoopbackServer.answering(Self.ok)
      #expect(await transport.failure(HTTPRequestMessage(url: other.url)) == nil)
    }

    @Test("a transport that is let go of ends its thread and its connections")
    func letGo() async throws {
      let (ends, ended) = AsyncStream.makeStream(of: String.self)
      let server = try LoopbackServer { connection in
        var line = ""
        while let request = connection.readRequest() {
          line = request.line
          connection.write(Self.ok)
        }
        ended.yield(line)
      }
      // An idle thread that still exists.
      #expect(await transport.failure(HTTPRequestMessage(method: .delete, url: server.url)) == nil)
      let before = Self.threads()
      for _ in 0..<20 {
        let transport = CurlHTTPTransport(timeout: .seconds(60))
        let copy = transport
        #expect(await transport.failure(HTTPRequestMessage(url: server.url)) == nil)
        #expect(await copy.failure(HTTPRequestMessage(url: server.url)) == nil)
      }
      var count = 0
      for await line in ends {
        #expect(line.hasPrefix("GET "))
        count += 1
        if count == 20 { break }
      }
      await Self.waitForThreads(before)
      #expect(server.requests.count == 41)
    }

    @Test("hundreds of exchanges are cancelled at any moment, and the others are answered")
    func cancellations() async throws {
      let server = try LoopbackServer { connection in
        while connection.readRequest() != nil { connection.write(Self.ok) }
      }
      let url = server.url
      let tasks = (0..<300).map { _ in
        Task { try await transport.send(HTTPRequestMessage(url: url)).status }
      }
      for (number, task) in tasks.enumerated() where !number.isMultiple(of: 3) {
        if number.isMultiple(of: 5) { await Task.yield() }
        task.cancel()
      }
      for (number, task) in tasks.enumerated() {
        switch await task.result {
        case .success(let status): #expect(status == .ok)
        case .failure(let error):
          #expect(error is CancellationError)
          #expect(!number.isMultiple(of: 3))
        }
      }
      #expect(try await transport.send(HTTPRequestMessage(url: url)).status == .ok)
    }

    @Test("hundreds of exchanges that wait are cancelled, and all connections are closed")
    func cancelledTogether() async throws {
      let (changes, changed) = AsyncStream.makeStream(of: Int.self)
      let server = try LoopbackServer { connection in
        _ = connection.readRequest()
        changed.yield(1)
        connection.waitForClose()
        changed.yield(-1)
      }
      let url = server.url
      let tasks = (0..<200).map { _ in
        Task { await transport.failure(HTTPRequestMessage(url: url)) }
      }
      var open = 0
      for await change in changes {
        open += change
        if open == tasks.count { break }
      }
      for task in tasks { task.cancel() }
      for task in tasks { #expect(await task.value == nil) }
      for await change in changes {
        open += change
        if open == 0 { break }
      }
    }

    /// The IDs of the threads of all transports; empty where the system does not tell.
    private static func threads() -> Set<String> {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return Set(tasks.filter { name("/proc/self/task/\($0)/comm") == "CurlTransport\n" })
    }

    /// The contents of a short file, without Foundation, which leaks if the file of an ended thread
    /// cannot be read.
    private static func name(_ path: String) -> String {
      let file = unsafe open(path, O_RDONLY)
      guard file >= 0 else { return "" }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(file, $0.baseAddress, $0.count)
      }
      return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    /// Waits until there are no threads other than these.
    private static func waitForThreads(_ known: Set<String>) async {
      while !threads().isSubset(of: known) { await Task.yield() }
    }
  }
}
