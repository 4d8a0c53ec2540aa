import ReceiptModels
import PurchaseStorage
import SQLStorage
import SQLiteStorage
import Testing

@Suite("Statements of SQLite that fail")
struct FaultTests {
  private func withFaults(
    _ failures: [String: [SQLFailure?]],
    _ body: nonisolated(nonsending) (_ store: SQLiteStore, _ path: String) async throws -> Void
  ) async throws {
    var configuration = SQLiteConfiguration()
    configuration.readers = 1
    configuration.busyTimeout = .zero
    configuration.faults = SQLiteFaults(failures)
    try await withStore(configuration, body)
  }

  private static let diskError = SQLFailure.other(code: 778, detail: "disk I/O error")

  @Test("a commit of one unit of work that the disk failed may have happened")
  func commitOfOne() async throws {
    try await withFaults(["commit": [Self.diskError]]) { store, _ in
      await #expect(
        throws: StorageFailure.unavailable(mayHaveCommitted: true, detail: "disk I/O error")
      ) { try await store.save("1") }
      #expect(try await store.stored(["1"]).isEmpty)
      try await store.save("1")
      #expect(try await store.stored(["1"]) == ["1"])
    }
  }

  private func save(_ id: String) -> QueuedUnit {
    { try await $0.storedSubscriptions.save(subscription(id), asOf: now, now: now) }
  }

  @Test("units of work whose common commit the disk failed are kept when each is repeated")
  func commitOfSeveral() async throws {
    try await withFaults(["commit": [Self.diskError]]) { store, _ in
      let failures = try await store.writeTogether([save("1"), save("2"), save("3")])
      #expect(failures == [nil, nil, nil])
      #expect(try await store.stored(["1", "2", "3"]) == ["1", "2", "3"])
    }
  }

  @Test("where the repetition after such a commit fails as well, it may have happened")
  func repetition() async throws {
    let full = SQLFailure.other(code: 13, detail: "database or disk is full")
    try await withFaults(["commit": [Self.diskError], "begin_immediate": [nil, full]]) {
      store, _ in
      // Two share a commit for certain; a third may come too late for it.
      let failures = try await store.writeTogether([save("1"), save("2")])
      #expect(
        failures.compactMap(\.self) == [
          .unavailable(
            mayHaveCommitted: true, detail: "a commit failed, and so did its repetition")
        ])
      #expect(try await store.stored(["1", "2"]).count == 1)
    }
  }

  @Test("a commit that another process is in the way of is repeated")
  func conflictingCommit() async throws {
    try await withFaults(["commit": [.conflict, .conflict, .conflict]]) { store, _ in
      try await store.save("1")
      #expect(try await store.stored(["1"]) == ["1"])
    }
    try await withFaults(["commit": [.conflict, .conflict, .conflict, .conflict]]) { store, _ in
      await #expect(throws: StorageFailure.conflict) { try await store.save("1") }
      let stored = try await store.stored(["1"])
      #expect(stored.isEmpty)
    }
  }

  @Test("a store that could not roll back opens the file again")
  func rollback() async throws {
    try await withFaults(["rollback": [Self.diskError]]) { store, _ in
      await #expect(throws: StorageFailure.duplicate(.originalTransactionID)) {
        try await store.write { records in
          _ = try await records.memberships.insert(membership("ann", apple: "1"))
          _ = try await records.memberships.insert(membership("bob", apple: "1"))
        }
      }
      try await store.save("1")
      #expect(try await store.stored(["1"]) == ["1"])
    }
  }

  @Test("a reader that could not end its transaction is replaced, and sees what came after")
  func readerRollback() async throws {
    try await withFaults(["end": [Self.diskError]]) { store, _ in
      #expect(try await store.stored(["1"]).isEmpty)
      try await store.save("1")
      #expect(try await store.stored(["1"]) == ["1"])
    }
  }

  @Test("a unit of work that reads and conflicts is repeated three times at most")
  func conflictingRead() async throws {
    try await withFaults(["begin": [.conflict, .conflict, .conflict]]) { store, _ in
      let stored = try await store.stored(["1"])
      #expect(stored.isEmpty)
    }
    try await withFaults(["begin": [.conflict, .conflict, .conflict, .conflict]]) { store, _ in
      await #expect(throws: StorageFailure.conflict) { try await store.stored(["1"]) }
      let stored = try await store.stored(["1"])
      #expect(stored.isEmpty)
    }
  }
}
