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
    try await store.holdEnds(of: "item")
    let runs = Tally()
    let failure = try await store.perform(.writing) { holder in
      // The end of the other unit waits for this lock.
      try await holder.holdEnd()
      let unit = Task {
        try await store.perform(.writing) { connection in
          try await connection.insert("run \(runs.add())", 1)
        }
      }
      try await holder.terminateWhoEnds()
      return await #expect(throws: StorageFailure.self) { try await unit.value }
    }
    #expect(failure?.mayHaveCommitted == true)
    #expect(runs.count == 1)
    await store.close()
  }
}
