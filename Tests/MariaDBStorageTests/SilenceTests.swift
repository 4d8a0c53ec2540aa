import Foundation
import MariaDBStorage
import PurchaseStorage
import SQLStorage
import Testing

// Each on a server of its own, because all of it stands still.
@Suite("A server that says nothing", .enabled(if: TestServer.isThere))
struct SilenceTests {
  @Test("a unit whose server stands still is given up, and runs on another connection afterwards")
  func stoppedInTheMiddle() async throws {
    try await withStore { store, server in
      let processes = Series()
      let start = ContinuousClock.now
      try await store.perform(.writing) { connection in
        processes.append(Int(try await connection.process()))
        guard processes.numbers.count == 1 else { return try await connection.insert("a", 1) }
        try await server.stop()
        defer { try? server.signal(SIGCONT) }
        let failure = await #expect(throws: SQLFailure.self) {
          try await connection.insert("a", 1)
        }
        #expect(start.duration(to: .now) >= Self.limit)
        throw try #require(failure)
      }
      #expect(Set(processes.numbers).count == 2)
      #expect(try await store.perform(.reading) { try await $0.value(of: "a") } == 1)
    }
  }

  @Test(
    "one that stands still before the end of a unit leaves open whether it was kept",
    arguments: [false, true])
  func stoppedAtEnd(commitsWithRows: Bool) async throws {
    try await withStore { store, server in
      // Prepares the command that inserts and commits: preparing it on a silent server fails before anything is kept.
      try await store.perform(.writing) { try await $0.insertLater("before", 1) }
      let runs = Tally()
      let failure = await #expect(throws: StorageFailure.self) {
        try await store.perform(.writing) { connection in
          let key = "run \(runs.add())"
          if commitsWithRows {
            try await connection.insertLater(key, 1)
          } else {
            try await connection.insert(key, 1)
          }
          try await server.stop()
        }
      }
      try server.signal(SIGCONT)
      #expect(failure?.mayHaveCommitted == true)
      #expect(runs.count == 1)
      // Whether or not: afterwards the store goes on.
      let keys = try await store.perform(.writing) { connection in
        try await connection.insert("next", 1)
        return try await connection.run("SELECT \"key\" FROM item WHERE \"key\" LIKE 'run%'")
      }
      #expect(keys.isEmpty || keys == [[.text("run 1")]])
    }
  }

  @Test("one that takes a connection and does not answer has certainly kept nothing")
  func stoppedBeforeConnection() async throws {
    try await TestServer.with { server in
      var configuration = TestDatabase.patient
      configuration.connectLimit = .seconds(1)
      configuration.reconnectLimit = .milliseconds(50)
      let store = try MariaDBStore(unmigrated: server.connection, configuration: configuration)
      try await server.stop()
      defer { try? server.signal(SIGCONT) }
      let failure = await #expect(throws: StorageFailure.self) {
        try await store.perform(.writing) { try await $0.run("SELECT 1") }
      }
      #expect(failure?.mayHaveCommitted == false)
      await store.close()
    }
  }

  private static let limit = Duration.seconds(8)

  private func withStore(_ test: (MariaDBStore, TestServer) async throws -> Void) async throws {
    try await TestServer.with { server in
      let store = try await TestDatabase(on: server.connection).storeWithItems {
        $0.statementLimit = Self.limit / 2
        $0.silenceLimit = Self.limit / 2
      }
      try await test(store, server)
      await store.close()
    }
  }
}

extension TestServer {
  private var process: pid_t {
    get throws {
      let text = try String(contentsOfFile: "\(folder)/pid", encoding: .utf8)
      return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
  }

  /// Sends a signal to the server.
  func signal(_ signal: Int32) throws { try #require(kill(try process, signal) == 0) }

  /// Makes the server stand still, and waits until the last of its threads does.
  func stop() async throws {
    try signal(SIGSTOP)
    let threads = "/proc/\(try process)/task"
    let manager = FileManager.default
    while ((try? manager.contentsOfDirectory(atPath: threads)) ?? []).contains(where: { thread in
      let status = try? String(contentsOfFile: "\(threads)/\(thread)/status", encoding: .utf8)
      return status.map { !$0.contains("State:\tT") } ?? false
    }) {
      await Task.yield()
    }
  }
}
