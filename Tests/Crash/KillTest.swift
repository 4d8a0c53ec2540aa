import Foundation
import MariaDBStorage
import PostgresStorage
import PurchaseStorage
import SQLStorage

/// A test that kills workers at random moments, and compares the store with their answers.
struct KillTest {
  let store: String
  let kills: Int

  func run() async throws -> Bool {
    var total = Ledger()
    var early = 0
    for number in 0..<kills {
      let worker = try WorkerProcess(["work", store, String(number)])
      // Now and then the worker dies while it opens the store.
      let isEarly = Int.random(in: 0..<10) == 0
      if isEarly { early += 1 } else { worker.waitForAnswers(Int.random(in: 1...40)) }
      usleep(UInt32.random(in: 0..<60_000))
      let text = worker.kill()
      var ledger = Ledger()
      ledger.read(text)
      total.read(text)
      guard try await holds(ledger, "after kill \(number + 1)") else { return false }
    }
    guard try await holds(total, "at the end") else { return false }
    print(
      "kills: \(kills) (\(early) at the start), answered requests: \(total.answered),",
      "open ones: \(total.open), lanes: \(total.lanes.count); every invariant holds")
    return true
  }

  /// Whether the store agrees with the ledger.
  private func holds(_ ledger: Ledger, _ when: String) async throws -> Bool {
    let opened = try await CrashScene.store(store)
    try await ServerSide(opened).isAlone()
    let problems = try await LaneCheck(store: opened, ledger: ledger).problems()
    await ServerSide(opened).close()
    guard problems.isEmpty else {
      print("\(when):\n" + problems.joined(separator: "\n"))
      return false
    }
    return true
  }
}

/// The part of the test that only a database server needs.
struct ServerSide {
  private let postgres: PostgresStore?
  private let mariadb: MariaDBStore?

  init(_ store: any PurchaseStore) {
    postgres = store as? PostgresStore
    mariadb = store as? MariaDBStore
  }

  /// Waits until the server has noticed the death of all other clients; until then it may still
  /// finish the last unit of work.
  func isAlone() async throws {
    while try await others() > 0 { try await Task.sleep(for: .milliseconds(5)) }
  }

  private func others() async throws -> Int64 {
    var rows = try await postgres?.perform(.reading) { try await $0.query(.othersOfPostgres, []) }
    if let mariadb {
      rows = try await mariadb.perform(.reading) { try await $0.query(.othersOfMariaDB, []) }
    }
    guard case .integer(let count)? = rows?.first?.first else { return 0 }
    return count
  }

  func close() async {
    await postgres?.close()
    await mariadb?.close()
  }
}

extension SQLStatement {
  fileprivate static let othersOfPostgres = SQLStatement(
    "crash_others",
    """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND pid <> pg_backend_pid()
    """)

  fileprivate static let othersOfMariaDB = SQLStatement(
    "crash_others_mariadb",
    """
    SELECT COUNT(*) FROM information_schema.processlist
    WHERE db = DATABASE() AND id <> CONNECTION_ID()
    """)
}
