import JSONValues
import ReceiptModels
import Testing

/// The code of the catalogue's first page, so that it stays true.
@Suite("Examples of the catalogue")
struct CatalogueExampleTests {
  @Test("reading a transaction")
  func transaction() throws {
    let bytes = Array(#"{"productId": "pro", "price": 9990, "campaign": "spring"}"#.utf8)
    let transaction = try Transaction(json: JSONValue(parsing: bytes))

    #expect(transaction.productID == "pro")
    #expect(transaction.price == 9990)
    #expect(transaction.additionalMembers == ["campaign": .string("spring")])
    #expect(
      transaction.json.serialized
        == Array(#"{"campaign":"spring","price":9990,"productId":"pro"}"#.utf8))
  }

  @Test(
    "switching over an open vocabulary",
    arguments: [
      (#"{"notificationType":"DID_RENEW"}"#, "extend"), (#"{"notificationType":"REFUND"}"#, "end"),
      (#"{"notificationType":"BRAND_NEW"}"#, ""), ("{}", ""),
    ])
  func notification(text: String, action: String) throws {
    var taken = ""
    func extendAccess() { taken = "extend" }
    func endAccess() { taken = "end" }
    let payload = Array(text.utf8)

    let notification = try ServerNotification(json: JSONValue(parsing: payload))
    switch notification.notificationType {
    case .subscribed, .didRenew: extendAccess()
    case .refund, .revoke: endAccess()
    default: break  // also the types that Apple adds later
    }

    #expect(taken == action)
  }
}
