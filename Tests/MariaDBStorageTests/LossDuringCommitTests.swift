import MariaDBStorage
import PurchaseStorage
import SQLStorage
import StorekeeperFixtures
import Testing

@Suite(.enabled(if: TestServer.isThere))
struct LossDuringCommitTests {
  // On a server of its own, because all ends of units wait.
  @Test(
    "an end that is ended leaves open whether the unit was kept; nothing is repeated",
    arguments: [("CONNECTION", false), ("CONNECTION", true), ("QUERY", true)])
  func lostDuringCommit(kill: String, commitsWithRows: Bool) async throws {
    try await TestServer.with { server in
      let store = try await TestDatabase(on: server.connection).storeWithItems()
      let runs = Tally()
      let processes = Series()
      let (inserted, blocked) = (Gate(), Gate())
      let failure = try await store.perform(.writing) { holder in
        let unit = Task {
          try await store.perform(.writing) { connection in
            processes.append(Int(try await connection.process()))
            let key = "run \(runs.add())"
            if commitsWithRows {
              try await connection.insertLater(key, 1)
            } else {
              try await connection.insert(key, 1)
            }
            inserted.open()
            await blocked.wait()
          }
        }
        await inserted.wait()
        try await holder.run("BACKUP STAGE START")
        try await holder.run("BACKUP STAGE BLOCK_COMMIT")
        blocked.open()
        try await Self.killWhoEnds(processes, holder, kill)
        let failure = await #expect(throws: StorageFailure.self) { try await unit.value }
        try await holder.run("BACKUP STAGE END")
        return failure
      }
      #expect(failure?.mayHaveCommitted == true)
      #expect(runs.count == 1)
      await store.close()
    }
  }

  /// Ends the connection whose end waits, or only its command, as soon as it does.
  private static func killWhoEnds(
    _ processes: Series, _ holder: any SQLConnection, _ kill: String
  ) async throws {
    let waiting = """
      SELECT id FROM information_schema.processlist WHERE id = $1
        AND (info = 'COMMIT' OR info LIKE 'BEGIN NOT ATOMIC%') AND state LIKE 'Waiting for%'
      """
    while true {
      if let process = processes.numbers.last,
        try await !holder.run(waiting, .integer(Int64(process))).isEmpty
      {
        try await holder.run("KILL \(kill) \(process)")
        return
      }
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
