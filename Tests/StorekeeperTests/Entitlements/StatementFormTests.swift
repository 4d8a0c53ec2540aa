import Foundation
import InMemoryStorage
import JWSVerifier
import Storekeeper
import StorekeeperOnDevice
import StorekeeperTesting
import Testing

@Suite("The form of a signed statement")
struct StatementFormTests {
  /// The signed statement of a user who bought products with such identifiers.
  private func signed(
    _ productIDs: [String], by key: StatementKey? = nil
  ) throws -> (EntitlementStatement, token: String) {
    let key = try key ?? StatementScene.key(.ed25519)
    let entitlements = Entitlements(
      of: Holdings(purchases: AppPurchases(bundleID: "com.example.draw", productIDs: productIDs)),
      catalog: try ProductCatalog(json: Array("[]".utf8)),
      at: Date(timeIntervalSince1970: 1_777_334_400))
    let limit = key.payloadLimit(
      ofTokensUpTo: EntitlementStatement.maximumSize, type: EntitlementStatement.type)
    let statement = try EntitlementStatement(of: entitlements, for: "u-1", fitting: limit)
    return (
      statement,
      try key.token(of: statement.json.serialized, type: EntitlementStatement.type)
    )
  }

  @Test("one of exactly 1,024 bytes is complete, and with one byte more a product is left out")
  func exact() throws {
    var complete: [Int] = []
    for length in 1...120 {
      // The last identifier grows byte by byte.
      let ids = (1...4).map { "com.example.draw.\($0)" + String(repeating: "x", count: 60) }
      let (statement, token) = try signed(
        ids + ["com.example.draw.5" + String(repeating: "x", count: length)])
      #expect(token.utf8.count <= 1024)
      #expect(statement.products.count == (statement.isComplete ? 5 : 4))
      // The next length that base64 has would be beyond the limit.
      guard statement.isComplete else { return #expect(complete.last == 1024) }
      complete.append(token.utf8.count)
    }
    Issue.record("every length fitted")
  }

  @Test("of 5,000 products, those fit that come first, and the rest is said to be missing")
  func many() throws {
    let ids = (0..<5_000).map { "com.example.draw.\(10_000 + $0)" }
    let (statement, token) = try signed(ids)
    #expect(!statement.isComplete)
    #expect(statement.products.map(\.productID) == Array(ids.prefix(statement.products.count)))
    #expect(token.utf8.count <= 1024)
    #expect(statement.products.count == 13)
  }

  @Test("none of 20 statements is accepted with any bit of any byte changed", arguments: 0..<20)
  func flips(number: Int) throws {
    let key = try StatementScene.key(number.isMultiple(of: 2) ? .ed25519 : .p256)
    let (statement, token) = try signed((0..<number / 4).map { "com.example.draw.\($0)" }, by: key)
    let device = try StatementChecker(
      keys: Data(try StatementKeys([key]).published.json.serialized), user: "u-1",
      app: "com.example.draw", environments: ["Production"])
    #expect(device.refusal(of: token, at: statement.madeDate) == nil)
    let bytes = Array(token.utf8)
    // A bit of each byte, and a character that might stand for the same.
    let others: [UInt8: UInt8] = [
      UInt8(ascii: "-"): UInt8(ascii: "+"), UInt8(ascii: "_"): UInt8(ascii: "/"),
    ]
    var accepted: [String] = []
    for index in bytes.indices {
      let changes = (0..<8).map { bytes[index] ^ 1 << UInt8($0) } + [others[bytes[index]] ?? 0x3D]
      for byte in changes {
        var changed = bytes
        changed[index] = byte
        let text = String(decoding: changed, as: UTF8.self)
        if device.refusal(of: text, at: statement.madeDate) == nil {
          accepted.append("byte \(index): \(byte)")
        }
      }
    }
    #expect(accepted.isEmpty)
  }

  @Test("bytes before, after or between the parts are no part of a statement")
  func additions() throws {
    let key = try StatementScene.key(.p256)
    let (statement, token) = try signed(["com.example.draw.paper"], by: key)
    let device = try StatementChecker(
      keys: Data(try StatementKeys([key]).published.json.serialized), user: "u-1",
      app: "com.example.draw", environments: ["Production"])
    let parts = token.split(separator: ".")
    for text in [
      " " + token, token + " ", token + "=", token + "\n", token + ".", "." + token, token + "AA",
      "\(parts[0]).\(parts[1])", "\(parts[0])..\(parts[2])", "\(parts[1]).\(parts[0]).\(parts[2])",
      "\(parts[0])=.\(parts[1]).\(parts[2])",
    ] {
      #expect(device.refusal(of: text, at: statement.madeDate) != nil, "\(text)")
    }
  }
}
