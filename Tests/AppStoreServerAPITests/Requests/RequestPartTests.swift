import AppStoreServerAPI
import Foundation
import Testing

@Suite("Parts of paths and queries")
struct RequestPartTests {
  @Test("transaction identifiers are 1 to 64 ASCII digits", arguments: ["0", "2000000123456789"])
  func digits(id: String) throws {
    #expect(try RequestPart.transactionID(id, field: "transactionId") == id)
    let longest = String(repeating: "9", count: 64)
    #expect(try RequestPart.transactionID(longest, field: "transactionId") == longest)
  }

  @Test(
    "anything else is no transaction identifier",
    arguments: [
      "", String(repeating: "9", count: 65), "1 ", "-1", "+1", "1/2", "..", "1%2F", "1?a=b", "1#",
      "١٢", "１２", "12\n", "12\0", "a",
    ])
  func noDigits(id: String) {
    #expect(throws: InvalidRequest("originalTransactionId", .notDigits)) {
      try RequestPart.transactionID(id, field: "originalTransactionId")
    }
  }

  @Test("UUIDs are written in lower case")
  func uuid() throws {
    #expect(
      try RequestPart.uuid("7E3FB20B-4CDB-47CC-936D-99D65F608138", field: "u")
        == "7e3fb20b-4cdb-47cc-936d-99d65f608138")
    for text in ["", "7e3fb20b", "7e3fb20b4cdb47cc936d99d65f608138", "../"] {
      #expect(throws: InvalidRequest("u", .notUUID)) { try RequestPart.uuid(text, field: "u") }
    }
  }

  @Test("other identifiers are one part", arguments: ["com.example.p", "a b", "日本", "a.", ".a"])
  func part(text: String) throws {
    #expect(try RequestPart.pathPart(text, field: "productId") == text)
  }

  @Test(
    "what is not one part is refused",
    arguments: [
      "/", "a/b", "a\\b", "..", "a..b", ".", "a\n", "a\r\n", "\0", "\u{7F}", "\u{85}", "a\u{2028}",
      "a\u{2029}", "\t", "..\u{301}", "a/\u{301}b",
    ])
  func noPart(text: String) {
    #expect(throws: InvalidRequest("productId", .notPathPart)) {
      try RequestPart.pathPart(text, field: "productId")
    }
  }

  @Test("an empty part is refused")
  func emptyPart() {
    #expect(throws: InvalidRequest("orderId", .empty)) {
      try RequestPart.pathPart("", field: "orderId")
    }
  }
}
