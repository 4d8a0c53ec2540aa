import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct LossDuringCommitTests {
  @Test(
    "a connection that is lost during the end leaves open whether it was kept; nothing is repeated")
  func lostDuringCommit() async throws {
    let database = try await TestDatabase()
    let store = try await database.storeWithItems()
    try await holdEnds(of: "item", in: store)
    let runs = Tally()
    let failure = try await store.perform(.writing) { holder in
      // The end of the other unit waits for this lock.
      try await holder.run("SELECT pg_advisory_xact_lock(hashtext(current_schema()))")
      let unit = Task {
        try await store.perform(.writing) { connection in
          try await connection.insert("run \(runs.add())", 1)
        }
      }
      try await terminateWhoEnds(holder)
      return await #expect(throws: StorageFailure.self) { try await unit.value }
    }
    #expect(failure?.mayHaveCommitted == true)
    #expect(runs.count == 1)
    await store.close()
  }

  /// Makes the end of a transaction that inserts into a table wait for a lock.
  private func holdEnds(of table: String, in store: TestStore) async throws {
    try await store.perform(.writing) { connection in
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

  /// Ends the connection that waits for the holder's lock, as soon as there is one.
  private func terminateWhoEnds(_ holder: any SQLConnection) async throws {
    let terminate = """
      SELECT pg_terminate_backend(waiting.pid)
      FROM pg_locks waiting
      WHERE waiting.locktype = 'advisory' AND NOT waiting.granted
        AND pg_backend_pid() = ANY (pg_blocking_pids(waiting.pid))
      """
    while try await holder.run(terminate).isEmpty { await Task.yield() }
  }
}
