import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Reads from a standby", .enabled(if: TestServer.isThere))
struct StandbyTests {
  private static let isStandby = "SELECT pg_is_in_recovery()"

  private func store(_ hosts: TestServer..., reads: String) async throws -> PostgresStore {
    let list = hosts.map(\.folder).joined(separator: ",")
    return try await PostgresStore(
      connection: "host=\(list) dbname=storekeeper user=storekeeper\(reads)",
      configuration: TestDatabase.patient)
  }

  /// Whether a read of records ran on a standby.
  private func readsStandby(_ store: PostgresStore) async throws -> Bool {
    try await store.performFromStandby { try await $0.run(Self.isStandby) } == [[.integer(1)]]
  }

  @Test("they go there where the connection string allows it; decisions and writes never do")
  func allowed() async throws {
    try await TestServer.with { leader in
      try await leader.withStandby { standby in
        let store = try await store(leader, standby, reads: " reads=standby")
        #expect(try await readsStandby(store))
        for access in [SQLRecords.Access.reading, .writing] {
          let rows = try await store.perform(access) { try await $0.run(Self.isStandby) }
          #expect(rows == [[.integer(0)]])
        }
        await store.close()
        let other = try await self.store(leader, standby, reads: "")
        #expect(try await !readsStandby(other))
        await other.close()
      }
    }
  }

  @Test("they go to the leader where no standby is left")
  func none() async throws {
    try await TestServer.with { leader in
      var store: PostgresStore?
      try await leader.withStandby { standby in
        store = try await self.store(leader, standby, reads: " reads=standby")
        let opened = try #require(store)
        #expect(try await readsStandby(opened))
      }
      let left = try #require(store)
      #expect(try await !readsStandby(left))
      await left.close()
    }
  }

  @Test("they go to the leader where the standby refuses them, or says nothing")
  func silentStandby() async throws {
    try await TestServer.with { leader in
      try await leader.withStandby { standby in
        let store = try await store(leader, standby, reads: " reads=standby")
        // The log's end is a question that a standby refuses.
        let isLeader = "SELECT CASE WHEN pg_current_wal_lsn() IS NULL THEN 0 ELSE 1 END"
        #expect(
          try await store.performFromStandby { try await $0.run(isLeader) } == [[.integer(1)]])
        // The standby stands still: the processes that serve this store, and the one that would begin others.
        let all = try await store.performFromStandby {
          try await $0.run("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
        }
        let file = "\(standby.folder)/data/postmaster.pid"
        let first = try String(contentsOfFile: file, encoding: .utf8).prefix { $0 != "\n" }
        let stopped =
          [try #require(pid_t(first))]
          + all.compactMap { row in
            if case .integer(let process)? = row.first { pid_t(process) } else { nil }
          }
        for process in stopped { try #require(kill(process, SIGSTOP) == 0) }
        #expect(try await !readsStandby(store))
        for process in stopped { try #require(kill(process, SIGCONT) == 0) }
        await store.close()
      }
    }
  }

  @Test(
    "a URL may allow them beside other options",
    arguments: [
      "?reads=standby", "?reads=standby&application_name=a", "?application_name=a&reads=standby",
    ])
  func url(query: String) throws {
    _ = try PostgresStore(unmigrated: "postgres://a,b/db\(query)")
    #expect(throws: StorageFailure.invalidValue(field: "connection string")) {
      _ = try PostgresStore(unmigrated: "postgres://a,b/db?reads=anywhere")
    }
  }
}
