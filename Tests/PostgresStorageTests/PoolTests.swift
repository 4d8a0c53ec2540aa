import PurchaseStorage
import SQLStorage
import StorekeeperFixtures
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite(.enabled(if: TestDatabase.isThere))
struct PoolTests {
  @Test("there are never more connections than the limit")
  func limit() async throws {
    let store = try await TestDatabase().store(connections: 3)
    let processes = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<50 {
        group.addTask { try await store.perform(.reading) { try await $0.process() } }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect((1...3).contains(processes.count))
    await store.close()
  }

  @Test("connections are opened when they are needed, not before")
  func lazy() async throws {
    let store = try await TestDatabase().store(connections: 3)
    var processes: Set<Int64> = []
    for _ in 0..<5 {
      processes.insert(try await store.perform(.reading) { try await $0.process() })
    }
    #expect(processes.count == 1)
    await store.close()
  }

  @Test("who came first is served first")
  func firstComeFirstServed() async throws {
    let store = try await TestDatabase().store(connections: 1)
    let order = Series()
    let tasks = try await store.perform(.reading) { _ in
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<10 {
        tasks.append(
          Task {
            try await store.perform(.reading) { _ in order.append(number) }
          })
        while store.waiting <= number { await Task.yield() }
      }
      return tasks
    }
    for task in tasks { try await task.value }
    #expect(order.numbers == Array(0..<10))
    await store.close()
  }

  @Test("who is cancelled while waiting leaves, and those behind are served")
  func cancellation() async throws {
    let store = try await TestDatabase().store(connections: 1)
    let (cancelled, served) = try await store.perform(.reading) { _ in
      let cancelled = Task { try await store.perform(.reading) { _ in true } }
      while store.waiting < 1 { await Task.yield() }
      let served = Task { try await store.perform(.reading) { _ in true } }
      while store.waiting < 2 { await Task.yield() }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      return (cancelled, served)
    }
    #expect(cancelled.isCancelled)
    #expect(try await served.value)
    await store.close()
  }

  @Test("who is cancelled beforehand gets nothing")
  func cancelledBefore() async throws {
    let store = try await TestDatabase().store(connections: 1)
    let gate = Gate()
    let task = Task {
      await gate.wait()
      return try await store.perform(.reading) { _ in true }
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    await store.close()
  }

  @Test("who waits longer than the limit is told that there is no connection")
  func waitLimit() async throws {
    let store = try await TestDatabase().store(connections: 1) {
      $0.waitLimit = .milliseconds(20)
    }
    try await store.perform(.reading) { _ in
      for _ in 0..<2 {
        let failure = await #expect(throws: StorageFailure.self) {
          try await store.perform(.reading) { _ in }
        }
        #expect(
          failure
            == .unavailable(
              mayHaveCommitted: false, detail: "no connection became free in time"))
      }
    }
    #expect(try await store.perform(.reading) { _ in true })
    await store.close()
  }

  @Test("closing waits for the units that have begun, and refuses later ones")
  func closing() async throws {
    let store = try await TestDatabase().storeWithItems(connections: 1)
    let closed = StorageFailure.unavailable(
      mayHaveCommitted: false, detail: "the store is closed")
    let (waiting, closing) = try await store.perform(.writing) { connection in
      let waiting = Task { try await store.perform(.reading) { _ in } }
      while store.waiting < 1 { await Task.yield() }
      let closing = Task { await store.close() }
      await #expect(throws: closed) { try await waiting.value }
      try await connection.insert("a", 1)
      return (waiting, closing)
    }
    await closing.value
    #expect(!waiting.isCancelled)
    await #expect(throws: closed) { try await store.perform(.reading) { _ in } }
  }
}
