import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite(
  "Commits whose answer was lost", .enabled(if: TestServer.isThere), .timeLimit(.minutes(30)))
struct OutcomeTests {
  /// A server, a proxy before it, and a store that knows both as hosts and marks its commits.
  private func withStore(
    _ change: (inout PostgresStore.Configuration) -> Void = { _ in },
    _ test: (TestServer, TestProxy, PostgresStore) async throws -> Void
  ) async throws {
    try await TestServer.with { server in
      let proxy = try TestProxy(to: server.folder)
      var configuration = TestDatabase.patient
      configuration.outcomeLimit = .seconds(600)
      configuration.commitLimit = nil
      change(&configuration)
      let store = try PostgresStore(
        unmigrated: """
          host=127.0.0.1,127.0.0.1 port=1,\(proxy.port) dbname=storekeeper user=storekeeper \
          sslmode=disable gssencmode=disable
          """, configuration: configuration)
      try await store.markCommits()
      try await store.perform(.writing) {
        try await $0.run("CREATE TABLE item (key TEXT PRIMARY KEY, value BIGINT)")
      }
      try await test(server, proxy, store)
      await store.close()
      proxy.end()
    }
  }

  private func keys(on server: TestServer) async throws -> [SQLRow] {
    let store = try PostgresStore(
      unmigrated: server.connection, configuration: TestDatabase.patient)
    let rows = try await store.perform(.reading) {
      try await $0.run("SELECT key FROM item ORDER BY key")
    }
    await store.close()
    return rows
  }

  @Test("one that was kept is told as kept, and its unit does not run again")
  func kept() async throws {
    try await withStore { server, proxy, store in
      let runs = Tally()
      let result = try await store.perform(.writing) { connection in
        runs.add()
        try await connection.insert("a", 1)
        proxy.set(.endedAtCommit)
        return "done"
      }
      #expect(result == "done")
      #expect(runs.count == 1)
      #expect(try await keys(on: server) == [[.text("a")]])
    }
  }

  @Test("one that was not kept cannot be kept any more, and its unit runs again")
  func notKept() async throws {
    try await withStore { server, _, store in
      let other = try PostgresStore(
        unmigrated: server.connection, configuration: TestDatabase.patient)
      try await other.holdEnds(of: "item")
      let runs = Tally()
      let unit = try await other.perform(.writing) { holder in
        try await holder.holdEnd()
        let unit = Task {
          try await store.perform(.writing) { try await $0.insert("run \(runs.add())", 1) }
        }
        try await holder.terminateWhoEnds()
        return unit
      }
      try await unit.value
      #expect(runs.count == 2)
      #expect(try await keys(on: server) == [[.text("run 2")]])
      await other.close()
    }
  }

  @Test("one that is still under way is waited for, and its connection can commit no more")
  func underWay() async throws {
    try await withStore({ $0.commitLimit = .milliseconds(200) }) { server, _, store in
      let other = try PostgresStore(
        unmigrated: server.connection, configuration: TestDatabase.patient)
      try await other.holdEnds(of: "item")
      let runs = Tally()
      let unit = try await other.perform(.writing) { holder in
        try await holder.holdEnd()
        let unit = Task {
          try await store.perform(.writing) { try await $0.insert("run \(runs.add())", 1) }
        }
        // The question for the outcome waits for the commit, which waits for this unit.
        while try await holder.run(
          "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
        ).isEmpty {
          await Task.yield()
        }
        return unit
      }
      try await unit.value
      #expect(runs.count == 1)
      #expect(try await keys(on: server) == [[.text("run 1")]])
      await other.close()
    }
  }

  @Test("one whose wait for a standby is cancelled may have been kept, until a standby confirms it")
  func unconfirmed() async throws {
    try await withStore({ $0.outcomeLimit = .seconds(1) }) { server, _, store in
      let other = try PostgresStore(
        unmigrated: server.connection, configuration: TestDatabase.patient)
      try await server.set("synchronous_standby_names", to: "nobody")
      let runs = Tally()
      let unit = Task {
        // Commits wait for the standby as soon as a process of the server has read the setting.
        while true {
          try await store.perform(.writing) { try await $0.insert("\(runs.add())", 1) }
        }
      }
      let cancel = """
        SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
        """
      while try await other.perform(.reading, { try await $0.run(cancel) }).isEmpty {
        await Task.yield()
      }
      let failure = await #expect(throws: StorageFailure.self) { try await unit.value }
      #expect(failure?.mayHaveCommitted == true)
      try await server.set("synchronous_standby_names", to: "")
      #expect(try await keys(on: server).contains([.text("\(runs.count)")]))
      // The question for the outcome was not confirmed either, so that units are refused until a trial is.
      while true {
        do {
          try await store.perform(.writing) { try await $0.insert("later", 1) }
          break
        } catch StorageFailure.unavailable(mayHaveCommitted: false, _) {
          await Task.yield()
        }
      }
      await other.close()
    }
  }

  @Test("while none is confirmed, a unit that waits for a row of one is refused as out of reach")
  func stalled() async throws {
    try await withStore({
      // The setup has as long for its commits.
      ($0.commitLimit, $0.lockLimit) = (.seconds(4), .seconds(5))
      $0.outcomeLimit = .milliseconds(1)
    }) { server, _, store in
      let other = try PostgresStore(
        unmigrated: server.connection, configuration: TestDatabase.patient)
      try await store.perform(.writing) { try await $0.insert("x", 1) }
      let update = "UPDATE item SET value = value + 1 WHERE key = 'x'"
      try await server.set("synchronous_standby_names", to: "nobody")
      let holder = Task {
        while !Task.isCancelled {
          try await store.perform(.writing) { try await $0.run(update) }
        }
      }
      let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      while try await other.perform(.reading, { try await $0.run(waiting) }).isEmpty {
        await Task.yield()
      }
      let failure = await #expect(throws: StorageFailure.self) {
        try await store.perform(.writing) { try await $0.run(update) }
      }
      if case .unavailable(mayHaveCommitted: false, _)? = failure {
      } else {
        Issue.record("refused otherwise: \(String(describing: failure))")
      }
      try await server.set("synchronous_standby_names", to: "")
      holder.cancel()
      _ = await holder.result
      await other.close()
    }
  }

  @Test("units that only read, or write nothing, leave no mark")
  func unmarked() async throws {
    try await withStore { _, _, store in
      let count = "SELECT count(*) FROM storekeeper_commit WHERE number > 1"
      let before = try await store.perform(.writing) { try await $0.run(count) }
      for _ in 0..<3 {
        try await store.perform(.writing) { _ = try await $0.process() }
        try await store.perform(.reading) { _ = try await $0.process() }
      }
      #expect(try await store.perform(.reading) { try await $0.run(count) } == before)
    }
  }
}

extension PostgresStore {
  /// Makes the end of a transaction that inserts into a table wait for a lock.
  func holdEnds(of table: String) async throws {
    try await perform(.writing) { connection in
      try await connection.run(
        """
        CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          PERFORM pg_advisory_xact_lock(hashtext(current_schema()));
          RETURN NULL;
        END $body$
        """)
      try await connection.run(
        """
        CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON \(table)
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold()
        """)
    }
  }
}

extension SQLConnection {
  /// Takes the lock for which the ends wait.
  func holdEnd() async throws {
    try await run("SELECT pg_advisory_xact_lock(hashtext(current_schema()))")
  }

  /// Ends the connection that waits for the lock of this one, as soon as there is one.
  func terminateWhoEnds() async throws {
    let terminate = """
      SELECT pg_terminate_backend(waiting.pid)
      FROM pg_locks waiting
      WHERE waiting.locktype = 'advisory' AND NOT waiting.granted
        AND pg_backend_pid() = ANY (pg_blocking_pids(waiting.pid))
      """
    while try await run(terminate).isEmpty { await Task.yield() }
  }
}
