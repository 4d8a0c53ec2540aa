import Foundation
import PurchaseStorage
import SQLStorage
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite(.enabled(if: TestServer.isThere))
struct RestartTests {
  @Test("a server restarted under load: every unit happens once or not at all, and all goes on")
  func restartUnderLoad() async throws {
    try await TestServer.with { try await restartUnderLoad($0) }
  }

  private func restartUnderLoad(_ server: TestServer) async throws {
    let database = try await TestDatabase(on: server.connection)
    let store = try await database.storeWithItems(connections: 8)
    let load = Load(store: store)
    async let outcomes = load.run(callers: 8)
    for mode in ["immediate", "fast", "immediate"] {
      try await load.progress(by: 50)
      try await server.restart(mode)
    }
    try await load.progress(by: 50)
    load.stop()
    try await expect(await outcomes, in: store)
    await store.close()
  }

  private func expect(_ outcomes: [Outcome], in store: TestStore) async throws {
    let rows = try await store.perform(.reading) { try await $0.run("SELECT \"key\" FROM item") }
    let kept = Set(rows.compactMap { $0.first })
    for outcome in outcomes {
      switch outcome.failure {
      case nil: #expect(kept.contains(.text(outcome.key)), "an acknowledged unit is lost")
      case .unavailable(mayHaveCommitted: true, _)?: break
      case .unavailable(mayHaveCommitted: false, _)?:
        #expect(!kept.contains(.text(outcome.key)), "a refused unit is kept")
      case let failure?: Issue.record("not a clean failure: \(failure)")
      }
    }
    #expect(kept.count <= outcomes.count)
  }
}

/// A unit of work that inserted one key, and how it ended.
struct Outcome: Sendable {
  let key: String
  let failure: StorageFailure?
}

/// Callers that insert one key after the other until they are stopped.
final class Load: Sendable {
  private let store: TestStore
  private let done = Tally()
  private let stopped = Tally()

  init(store: TestStore) { self.store = store }

  func stop() { stopped.add() }

  /// Waits until so many more units have succeeded.
  func progress(by count: Int) async throws {
    let goal = done.count + count
    while done.count < goal { try await Task.sleep(for: .milliseconds(1)) }
  }

  func run(callers: Int) async -> [Outcome] {
    await withTaskGroup(of: [Outcome].self) { group in
      for caller in 0..<callers { group.addTask { await self.insert(caller) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func insert(_ caller: Int) async -> [Outcome] {
    var outcomes: [Outcome] = []
    while stopped.count == 0 {
      let key = "\(caller) \(outcomes.count)"
      outcomes.append(Outcome(key: key, failure: await insert(key)))
    }
    return outcomes
  }

  private func insert(_ key: String) async -> StorageFailure? {
    do {
      // The second statement fails if the unit happened already.
      try await store.perform(.writing) { connection in
        try await connection.insert(key, 0)
        try await connection.run("UPDATE item SET value = value + 1 WHERE \"key\" = $1", .text(key))
      }
      done.add()
      return nil
    } catch {
      return error as? StorageFailure ?? .conflict
    }
  }
}
