import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Servers that say nothing", .enabled(if: TestDatabase.isThere))
struct SilenceTests {
  @Test("a host that takes connections and never answers is passed over for the next")
  func silentHost() async throws {
    let server = try #require(TestDatabase.server)
    let silent = try LocalListener()
    let folder = try #require(server.split(separator: " ").first?.dropFirst("host=".count))
    var configuration = PostgresStore.Configuration()
    configuration.reconnectLimit = .seconds(600)
    let store = try PostgresStore(
      unmigrated:
        "\(server) host=127.0.0.1,\(folder) port=\(silent.port),5432 connect_timeout=4",
      configuration: configuration)
    #expect(try await store.perform(.reading) { try await $0.process() } > 0)
    await store.close()
    silent.end()
  }

  @Test("a server's process that stops is given up, and the unit runs on another connection")
  func stoppedProcess() async throws {
    let store = try await impatientStore()
    let processes = Series()
    try await store.perform(.writing) { connection in
      let process = try await connection.process()
      processes.append(Int(process))
      if processes.numbers.count == 1 { try #require(kill(pid_t(process), SIGSTOP) == 0) }
      try await connection.insert("a", 1)
    }
    #expect(Set(processes.numbers).count == 2)
    try proceed(processes)
    await store.close()
  }

  @Test("one that stops before the end of a unit leaves open whether it was kept")
  func stoppedAtEnd() async throws {
    let store = try await impatientStore()
    let processes = Series()
    let failure = await #expect(throws: StorageFailure.self) {
      try await store.perform(.writing) { connection in
        let process = try await connection.process()
        processes.append(Int(process))
        try #require(kill(pid_t(process), SIGSTOP) == 0)
      }
    }
    #expect(failure?.mayHaveCommitted == true)
    #expect(processes.numbers.count == 1)
    try proceed(processes)
    await store.close()
  }

  @Test("an answer that comes too late is none to a later question")
  func lateAnswer() async throws {
    let store = try await TestDatabase().storeWithItems(connections: 1) {
      $0.statementLimit = .seconds(2)
      $0.silenceLimit = .seconds(2)
    }
    let processes = Series()
    try await store.perform(.writing) { try await $0.insert("a", 1) }
    // The end of what only reads is answered before the next question, and nobody waits for it.
    try await store.perform(.reading) { connection in
      _ = try await connection.value(of: "a")
      processes.append(Int(try await connection.process()))
      try #require(kill(pid_t(processes.numbers[0]), SIGSTOP) == 0)
    }
    async let woken: Void = {
      // After the silence that ends a connection, and before as much again.
      try await Task.sleep(for: .seconds(6))
      try proceed(processes)
    }()
    #expect(try await store.perform(.reading) { try await $0.value(of: "a") } == 1)
    try await store.perform(.writing) { try await $0.insert("b", 2) }
    try await woken
    #expect(try await store.perform(.reading) { try await $0.value(of: "b") } == 2)
    await store.close()
  }

  private func impatientStore() async throws -> PostgresStore {
    try await TestDatabase().storeWithItems {
      $0.statementLimit = .seconds(4)
      $0.silenceLimit = .seconds(4)
    }
  }

  private func proceed(_ processes: Series) throws {
    let first = try #require(processes.numbers.first)
    #expect(kill(pid_t(first), SIGCONT) == 0)
  }
}
