import Foundation
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Testing

private struct Regret: Error, Equatable {}

@Suite("Units of work in SQLite")
struct UnitOfWorkTests {
  @Test("of units that are committed together, one that throws takes nothing with it")
  func savepoints() async throws {
    try await withStore { store, _ in
      let kept = await withTaskGroup(of: String?.self) { group in
        for number in 0..<64 {
          group.addTask {
            do {
              try await store.write { records in
                try await records.storedSubscriptions.save(
                  subscription("\(number)"), asOf: now, now: now)
                if number.isMultiple(of: 3) { throw Regret() }
              }
              return "\(number)"
            } catch {
              return nil
            }
          }
        }
        return await group.reduce(into: Set<String>()) { ids, id in if let id { ids.insert(id) } }
      }
      let expected = Set((0..<64).filter { !$0.isMultiple(of: 3) }.map(String.init))
      #expect(kept == expected)
      let stored = try await store.stored((0..<64).map(String.init))
      #expect(Set(stored) == expected)
    }
  }

  @Test("nothing is kept where the closure goes on after a statement that failed")
  func swallowed() async throws {
    try await withStore { store, _ in
      await #expect(throws: StorageFailure.duplicate(.originalTransactionID)) {
        try await store.write { records in
          _ = try await records.memberships.insert(membership("ann", apple: "1"))
          _ = try? await records.memberships.insert(membership("bob", apple: "1"))
        }
      }
      let found = try await store.read {
        try await $0.memberships.find(account: nil, appleSubscriptionIDs: ["1"])
      }
      #expect(found.isEmpty)
    }
  }

  @Test("a closure that waits lets no other unit of work into its transaction")
  func suspension() async throws {
    try await withStore { store, _ in
      let (opened, open) = AsyncStream<Void>.makeStream()
      let (released, release) = AsyncStream<Void>.makeStream()
      let first = Task {
        try await store.write { records in
          try await records.storedSubscriptions.save(subscription("1"), asOf: now, now: now)
          open.finish()
          for await _ in released {}
          throw Regret()
        }
      }
      for await _ in opened {}
      async let second: Void = store.save("2")
      #expect(
        try await store.stored(["1", "2"]).isEmpty, "readers do not wait, and see nothing of it")
      release.finish()
      await #expect(throws: Regret()) { try await first.value }
      try await second
      #expect(try await store.stored(["1", "2"]) == ["2"])
    }
  }

  @Test("who is cancelled while waiting for the turn has no turn")
  func cancellation() async throws {
    try await withStore { store, _ in
      let (opened, open) = AsyncStream<Void>.makeStream()
      let (released, release) = AsyncStream<Void>.makeStream()
      async let first: Void = store.write { _ in
        open.finish()
        for await _ in released {}
      }
      for await _ in opened {}
      let waiting = Task { try await store.save("2") }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      release.finish()
      try await first
      #expect(try await store.stored(["2"]).isEmpty)
    }
  }

  @Test("a unit of work that always conflicts runs four times")
  func conflicts() async throws {
    try await withStore { store, _ in
      let runs = Counter()
      await #expect(throws: StorageFailure.conflict) {
        try await store.write { _ in
          await runs.count()
          throw StorageFailure.conflict
        }
      }
      #expect(await runs.number == 4)
    }
  }

  @Test("who throws because of a row hears of it when the row is kept, not before")
  func dirtyRead() async throws {
    try await withStore { store, _ in
      let told = Counter()
      let failures = try await store.writeTogether(
        [
          { try await $0.storedSubscriptions.save(subscription("1"), asOf: now, now: now) },
          { records in
            if try await !records.storedSubscriptions.find(["1"]).isEmpty {
              throw StorageFailure.duplicate(.other)
            }
          },
          { _ in
            // The second has thrown before. Usually the transaction is open as long as this takes; on a
            // busy machine it may have been committed after the second.
            for _ in 0..<50 {
              let number = await told.number
              let stored = try await store.stored(["1"])
              #expect(number == 0 || !stored.isEmpty, "told before the row was kept")
            }
          },
        ], onFailure: { await told.count() })
      #expect(failures == [nil, .duplicate(.other), nil])
      #expect(await told.number == 1)
    }
  }

  @Test("who throws because of a row that is not kept runs again")
  func lostRow() async throws {
    var configuration = SQLiteConfiguration()
    configuration.faults = SQLiteFaults(["commit": [.other(code: 778, detail: "disk I/O error")]])
    try await withStore(configuration) { store, _ in
      let runs = Counter()
      let failures = try await store.writeTogether([
        { try await $0.storedSubscriptions.save(subscription("1"), asOf: now, now: now) },
        { records in
          await runs.count()
          let isThere = try await !records.storedSubscriptions.find(["1"]).isEmpty
          if isThere { throw StorageFailure.duplicate(.other) }
        },
      ])
      #expect(
        failures == [.unavailable(mayHaveCommitted: true, detail: "disk I/O error"), nil])
      #expect(await runs.number == 2)
      #expect(try await store.stored(["1"]).isEmpty)
    }
  }

  @Test("a wait for the turn has a limit")
  func waitLimit() async throws {
    var configuration = SQLiteConfiguration()
    configuration.waitLimit = .milliseconds(1)
    configuration.readers = 1
    let waitedTooLong = StorageFailure.unavailable(
      mayHaveCommitted: false, detail: "the turn did not come in time")
    try await withStore(configuration) { store, _ in
      try await store.write { _ in
        _ = await #expect(throws: waitedTooLong) { try await store.save("1") }
      }
      try await store.read { _ in
        _ = await #expect(throws: waitedTooLong) { try await store.stored(["1"]) }
      }
      try await store.save("1")
      #expect(try await store.stored(["1"]) == ["1"])
    }
  }

  @Test("a store may be closed several times at once, and again")
  func closing() async throws {
    for _ in 0..<20 {
      try await withTemporaryFolder { path in
        let store = try await SQLiteStore(path: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { try await store.close() } }
          try await group.waitForAll()
        }
        try await store.close()
      }
    }
  }

  @Test("a store whose closing was cancelled is closed all the same, after what is at work")
  func cancelledClosing() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path)
      let (opened, open) = AsyncStream<Void>.makeStream()
      let (released, release) = AsyncStream<Void>.makeStream()
      async let reading: Void = store.read { _ in
        open.finish()
        for await _ in released {}
      }
      for await _ in opened {}
      let closing = Task { try await store.close() }
      closing.cancel()
      await #expect(throws: CancellationError.self) { try await closing.value }
      let closed = StorageFailure.unavailable(
        mayHaveCommitted: false, detail: "the store is closed")
      await #expect(throws: closed) { try await store.save("1") }
      await #expect(throws: closed) { try await store.stored(["1"]) }
      release.finish()
      try await reading
      try await store.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "no connection is left")
    }
  }

  @Test("a closed store says so")
  func closed() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path)
      try await store.close()
      let closed = StorageFailure.unavailable(
        mayHaveCommitted: false, detail: "the store is closed")
      await #expect(throws: closed) { try await store.save("1") }
      await #expect(throws: closed) { try await store.stored(["1"]) }
    }
  }
}

private actor Counter {
  private(set) var number = 0
  func count() { number += 1 }
}
