import Foundation
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Testing

@Suite("Transactions that SQLite loses")
struct LossTests {
  @Test("a unit of work whose transaction is taken back because of another runs again and is kept")
  func lostGroup() async throws {
    try await withStore { store, path in
      try otherConnection(path).run(
        """
        CREATE TRIGGER fault BEFORE INSERT ON apple_subscription
        WHEN NEW.original_transaction_id = '13'
        BEGIN SELECT RAISE(ROLLBACK, 'fault'); END
        """)
      let runs = Runs()
      let (opened, open) = AsyncStream<Void>.makeStream()
      let (released, release) = AsyncStream<Void>.makeStream()
      async let first: Void = store.write { records in
        await runs.count()
        try await records.storedSubscriptions.save(subscription("1"), asOf: now, now: now)
        open.finish()
        for await _ in released {}
      }
      for await _ in opened {}
      let fault = Task { try await store.save("13") }
      while store.waiting < 1 { await Task.yield() }
      async let last: Void = store.save("2")
      while store.waiting < 2 { await Task.yield() }
      release.finish()
      await #expect(throws: StorageFailure.database(code: 1811, detail: "fault")) {
        try await fault.value
      }
      _ = try await (first, last)
      #expect(await runs.number == 2)
      #expect(try await store.stored(["1", "2", "13"]) == ["1", "2"])
    }
  }

  @Test("of commits that the disk refuses nothing is kept; all that was acknowledged is")
  func refusedCommit() async throws {
    try await withTemporaryFolder { path in
      await #expect(processExitsWith: .success) { [path = path as String] in
        let store = try await SQLiteStore(path: path)
        signal(SIGXFSZ, SIG_IGN)
        try limitFiles(to: 1 << 20)
        var kept: [String] = []
        let uncertain = await withTaskGroup(of: (String, (any Error)?).self) { group in
          for number in 0..<40 {
            group.addTask {
              do {
                try await store.put("\(number)")
                return ("\(number)", nil)
              } catch {
                return ("\(number)", error)
              }
            }
          }
          return await group.reduce(into: 0) { uncertain, result in
            if result.1 == nil { kept.append(result.0) }
            if case StorageFailure.unavailable(mayHaveCommitted: true, _)? = result.1 {
              uncertain += 1
            }
          }
        }
        #expect(!kept.isEmpty)
        #expect(uncertain > 0)
        #expect(kept.count + uncertain == 40)
        try limitFiles(to: nil)
        for id in kept { try await store.save(id) }
      }
      let store = try await SQLiteStore(path: path)
      let ids = (0..<40).map(String.init)
      let kept = try await store.stored(ids)
      #expect(try await store.receipts(ids) == Set(kept))
      try await store.close()
    }
  }

  @Test("a process that writes is waited for by others, and beyond the patience it is a conflict")
  func otherProcess() async throws {
    try await withStore { store, path in
      let holder = try otherConnection(path)
      try holder.run("BEGIN IMMEDIATE")
      await #expect(processExitsWith: .success) { [path = path as String] in
        var configuration = SQLiteConfiguration()
        configuration.busyTimeout = .zero
        await #expect(throws: StorageFailure.conflict) {
          try await SQLiteStore(path: path, configuration: configuration)
        }
      }
      try holder.run("COMMIT")
      await withTaskGroup { group in
        for process in 1...3 {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [path = path as String, process = process as Int] in
              var configuration = SQLiteConfiguration()
              configuration.busyTimeout = .seconds(600)
              let store = try await SQLiteStore(path: path, configuration: configuration)
              for number in 0..<20 { try await store.save("\(process * 100 + number)") }
              try await store.close()
            }
          }
        }
      }
      let ids = (1...3).flatMap { process in (0..<20).map { String(process * 100 + $0) } }
      #expect(try await store.stored(ids) == ids)
    }
  }
}

private actor Runs {
  private(set) var number = 0
  func count() { number += 1 }
}

private struct LimitFailure: Error {}

/// Bounds the size of every file that this process writes.
private func limitFiles(to size: Int?) throws {
  var limit = rlimit()
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
    let resource = RLIMIT_FSIZE
  #endif
  guard unsafe getrlimit(resource, &limit) == 0 else { throw LimitFailure() }
  limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
  guard unsafe setrlimit(resource, &limit) == 0 else { throw LimitFailure() }
}

extension SQLiteStore {
  /// Keeps a receipt of 64 KiB under this id.
  fileprivate func put(_ id: String) async throws {
    let receipt = StoredReceipt(
      originalTransactionID: id, environment: .production,
      receipt: String(repeating: "A", count: 1 << 16), asOf: now)
    try await write { try await $0.purchases.put(receipt, now: now) }
  }

  /// Those of the ids that have a receipt.
  fileprivate func receipts(_ ids: [String]) async throws -> Set<String> {
    try await read { records in
      var found: Set<String> = []
      for id in ids {
        let receipt = try await records.purchases.receipt(of: id, environment: .production)
        if receipt != nil { found.insert(id) }
      }
      return found
    }
  }
}
