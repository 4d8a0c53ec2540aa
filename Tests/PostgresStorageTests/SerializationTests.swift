import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct SerializationTests {
  @Test("a unit that read too early sees the other's write when it runs again")
  func serializationFailure() async throws {
    let store = try await TestDatabase().storeWithItems()
    try await store.perform(.writing) { try await $0.insert("a", 0) }
    let runs = Tally()
    try await store.perform(.writing) { connection in
      let run = runs.add()
      try await connection.run("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
      let value = try await connection.value(of: "a") ?? -1
      if run == 1 {
        try await store.perform(.writing) { try await $0.run("UPDATE item SET value = 10") }
      }
      try await connection.run("UPDATE item SET value = $1", .integer(value + 1))
    }
    #expect(runs.count == 2)
    let value = try await store.perform(.reading) { try await $0.value(of: "a") }
    #expect(value == 11)
    await store.close()
  }
}
