import Foundation
import PurchaseStorage
import SQLStorage
import SQLiteStorage
import Testing

@Suite("A trial to write into a file")
struct TrialTests {
  private func size(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
  }

  private func names(beside path: String) throws -> Set<String> {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder))
  }

  @Test("passes as often as wanted, and neither the file nor its folder grows")
  func passes() async throws {
    try await withStore { store, path in
      try await store.save("1")
      let other = try otherConnection(path)
      _ = try other.value("PRAGMA wal_checkpoint(TRUNCATE)")
      let before = try size(of: path)
      let pages = try other.value("PRAGMA page_count")
      for _ in 1...3 { try await store.tryWriting() }
      #expect(try other.value("PRAGMA page_count") == pages)
      _ = try other.value("PRAGMA wal_checkpoint(TRUNCATE)")
      #expect(try size(of: path) == before)
      #expect(
        try names(beside: path)
          == ["purchases.sqlite", "purchases.sqlite-shm", "purchases.sqlite-wal"])
      #expect(try await store.stored(["1"]) == ["1"])
    }
  }

  @Test("commits something, and tells of a disk that is full")
  func full() async throws {
    let full = SQLFailure.other(code: 13, detail: "database or disk is full")
    var configuration = SQLiteConfiguration()
    configuration.faults = SQLiteFaults(["commit": [full]])
    try await withStore(configuration) { store, _ in
      await #expect(
        throws: StorageFailure.database(code: 13, detail: "database or disk is full")
      ) { try await store.tryWriting() }
      try await store.tryWriting()
    }
  }

  @Test("tells where nothing can be written beside the file")
  func noRoom() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path)
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
      try FileManager.default.removeItem(atPath: folder)
      await #expect(
        throws: StorageFailure.unavailable(
          mayHaveCommitted: false, detail: "no room beside the file: error 2")
      ) { try await store.tryWriting() }
      try await store.close()
    }
  }
}
