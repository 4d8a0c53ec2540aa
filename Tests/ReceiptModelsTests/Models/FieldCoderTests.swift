import ReceiptModels
import Testing

@Suite("Reading and writing models")
struct FieldCoderTests {
  @Test("an account token that is no UUID is nil, and its text survives a round trip")
  func lenientAccountToken() throws {
    let json = JSONValue.object(["appAccountToken": .string("")])
    let transaction = try Transaction(json: json)
    #expect(transaction.appAccountToken == nil)
    #expect(transaction.json == json)
  }
}
