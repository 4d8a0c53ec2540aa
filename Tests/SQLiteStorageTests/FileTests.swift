import Foundation
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Testing

@Suite("Files of SQLite")
struct FileTests {
  @Test("what was written is there after reopening")
  func reopening() async throws {
    try await withTemporaryFolder { path in
      let first = try await SQLiteStore(path: path)
      try await first.save("1")
      try await first.close()
      let second = try await SQLiteStore(path: path)
      #expect(try await second.stored(["1"]) == ["1"])
      try await second.close()
    }
  }

  @Test("of eight that open a new file at once, one applies the migrations, and all can use it")
  func openers() async throws {
    try await withTemporaryFolder { path in
      try await withThrowingTaskGroup(of: SQLiteStore.self) { group in
        for _ in 0..<8 { group.addTask { try await SQLiteStore(path: path) } }
        var number = 0
        for try await store in group {
          number += 1
          try await store.save("\(number)")
          try await store.close()
        }
      }
      let other = try otherConnection(path)
      #expect(
        try other.value("SELECT COUNT(*) FROM storekeeper_migration")
          == .integer(Int64(SQLCapability.standard.map(\.migrations.count).reduce(0, +))))
      #expect(try other.value("SELECT COUNT(*) FROM apple_subscription") == .integer(8))
    }
  }

  @Test("a file of a later version is refused, and stays as it is")
  func newerSchema() async throws {
    try await withTemporaryFolder { path in
      try await SQLiteStore(path: path).close()
      try otherConnection(path).run(
        "INSERT INTO storekeeper_migration VALUES ('subscriptions', 9000, 'later', 0)")
      await #expect(throws: StorageFailure.newerSchema(9000)) { try await SQLiteStore(path: path) }
    }
  }

  @Test(
    "the file of another program is refused before anything is changed in it",
    arguments: ["PRAGMA application_id = 7", "CREATE TABLE theirs (id INTEGER)"])
  func anotherProgram(sql: String) async throws {
    try await withTemporaryFolder { path in
      let theirs = try otherConnection(path)
      try theirs.run(sql)
      await #expect(
        throws: StorageFailure.database(
          code: 26, detail: "the file is a database of another program")
      ) { try await SQLiteStore(path: path) }
      #expect(try theirs.value("PRAGMA journal_mode") == .text("delete"))
    }
  }

  @Test("a file that is no database is refused")
  func noDatabase() async throws {
    try await withTemporaryFolder { path in
      try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
      await #expect(
        throws: StorageFailure.database(code: 26, detail: "file is not a database")
      ) { try await SQLiteStore(path: path) }
    }
  }

  @Test("a folder that is not there, and a path with a zero byte, are refused")
  func noFolder() async throws {
    await #expect(
      throws: StorageFailure.unavailable(
        mayHaveCommitted: false, detail: "unable to open database file")
    ) { try await SQLiteStore(path: "/nowhere/at/all.sqlite") }
    await #expect(
      throws: StorageFailure.database(code: 14, detail: "the path has a zero byte")
    ) { try await SQLiteStore(path: "purchases\0.sqlite") }
  }

  @Test("a store in memory is refused: its readers would see nothing")
  func inMemory() async throws {
    await #expect(
      throws: StorageFailure.database(
        code: 14, detail: "the file cannot have a write-ahead log")
    ) { try await SQLiteStore(path: ":memory:") }
  }

  @Test("another process that holds the file is waited for, and after that it is a conflict")
  func busy() async throws {
    var configuration = SQLiteConfiguration()
    configuration.busyTimeout = .zero
    try await withStore(configuration) { store, path in
      let other = try otherConnection(path)
      try other.run("BEGIN IMMEDIATE")
      await #expect(throws: StorageFailure.conflict) { try await store.save("1") }
      #expect(try await store.stored(["1"]).isEmpty, "readers are not held up")
      try other.run("COMMIT")
      try await store.save("1")
      #expect(try await store.stored(["1"]) == ["1"])
    }
  }

  @Test("a full file fails the unit of work that does not fit, and none beside it")
  func full() async throws {
    var configuration = SQLiteConfiguration()
    configuration.maximumSize = 1024
    try await withStore(configuration) { store, _ in
      let receipt = StoredReceipt(
        originalTransactionID: "99", environment: .production,
        receipt: String(repeating: "A", count: 2 << 20), asOf: now)
      let ids = (0..<16).map(String.init)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in ids { group.addTask { try await store.save(id) } }
        await #expect(
          throws: StorageFailure.database(code: 13, detail: "database or disk is full")
        ) { try await store.write { try await $0.purchases.put(receipt, now: now) } }
        try await group.waitForAll()
      }
      #expect(try await store.stored(ids).count == 16)
    }
  }

  @Test("nobody but the owner may read the file and its companions")
  func mode() async throws {
    try await withStore { store, path in
      try await store.save("1")
      for name in ["", "-wal", "-shm"] {
        #expect(try attribute(.posixPermissions, of: path + name) == 0o600, "\(name)")
      }
    }
  }

  @Test("many that open new files at once find none of another program")
  func manyOpeners() async throws {
    for _ in 0..<25 {
      try await withTemporaryFolder { path in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<6 {
            group.addTask {
              var configuration = SQLiteConfiguration()
              configuration.durability = .operatingSystem
              configuration.readers = 1
              try await SQLiteStore(path: path, configuration: configuration).close()
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }

  @Test("many that wait for another process wait together, not one after the other")
  func busyTogether() async throws {
    var configuration = SQLiteConfiguration()
    configuration.busyTimeout = .milliseconds(200)
    configuration.waitLimit = .seconds(600)
    let statements = SQLiteFaults([:])
    configuration.faults = statements
    try await withStore(configuration) { store, path in
      let other = try otherConnection(path)
      try other.run("BEGIN IMMEDIATE")
      let failures = await withTaskGroup(of: StorageFailure?.self) { group in
        for _ in 0..<400 {
          group.addTask {
            do {
              try await store.save("1")
              return nil
            } catch {
              return error as? StorageFailure
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(failures == Array(repeating: .conflict, count: 400))
      // One alone tries about ten times in its 200 ms; those that waited with it try once more.
      #expect(statements.count("begin_immediate") < 400 * 5)
      try other.run("COMMIT")
      try await store.save("1")
    }
  }

  @Test("who is cancelled while another process has the file is not waited for")
  func busyCancellation() async throws {
    var configuration = SQLiteConfiguration()
    configuration.busyTimeout = .seconds(100_000)
    try await withStore(configuration) { store, path in
      let other = try otherConnection(path)
      try other.run("BEGIN IMMEDIATE")
      let waiting = (0..<4).map { _ in Task { try await store.save("1") } }
      while store.waiting < 3 { await Task.yield() }
      for task in waiting { task.cancel() }
      for task in waiting {
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      try other.run("COMMIT")
      try await store.save("2")
      #expect(try await store.stored(["1", "2"]) == ["2"])
    }
  }

  @Test("the log shrinks although somebody reads all the time", .timeLimit(.minutes(30)))
  func log() async throws {
    var configuration = SQLiteConfiguration()
    configuration.durability = .operatingSystem
    try await withStore(configuration) { store, path in
      let readers = (0..<2).map { _ in
        Task {
          while !Task.isCancelled {
            // Long enough that the other begins and ends beside it; on any machine a tenth of the
            // time that the log waits for readers.
            try await store.read { records in
              let end = ContinuousClock.now + .milliseconds(25)
              while ContinuousClock.now < end {
                _ = try await records.storedSubscriptions.find(["1"])
              }
            }
          }
        }
      }
      var sizes: [Int] = []
      let text = String(repeating: "A", count: 1 << 20)
      while (sizes.last ?? 0) >= (sizes.max() ?? 0) {
        let receipt = StoredReceipt(
          originalTransactionID: "\(sizes.count)", environment: .production, receipt: text,
          asOf: now)
        try await store.write { try await $0.purchases.put(receipt, now: now) }
        sizes.append(try attribute(.size, of: path + "-wal"))
      }
      for reader in readers { reader.cancel() }
      for reader in readers { _ = await reader.result }
      #expect(try #require(sizes.last) < #require(sizes.max()))
    }
  }
}
