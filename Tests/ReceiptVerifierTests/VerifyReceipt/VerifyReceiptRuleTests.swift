import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite("Which answers of verifyReceipt count")
struct VerifyReceiptRuleTests {
  private typealias Scene = VerifyReceiptScene

  @Test(
    "a receipt of another app is refused",
    arguments: ["com.example.other", "com.example.Reader", "com.example.reader ", "", nil])
  func bundle(found: String?) async throws {
    let failure = try await Scene.failure(
      .valid { members in
        members["receipt"] = .object(found.map { ["bundle_id": .string($0)] } ?? [:])
      })
    #expect(failure == .refused(.bundleMismatch(found: found)))
  }

  @Test("bundle ids are compared by bytes, not as Swift compares text")
  func bundleBytes() async throws {
    let composed = "com.example.caf\u{E9}"
    let decomposed = "com.example.cafe\u{301}"
    let step = ScriptedTransport.Step.valid {
      $0["receipt"] = .object(["bundle_id": .string(decomposed)])
    }
    let client = try VerifyReceiptClient(
      transport: ScriptedTransport([step]), bundleIDs: [composed])
    await #expect(throws: VerifyReceiptFailure.refused(.bundleMismatch(found: decomposed))) {
      try await client.verify(base64: Scene.receipt)
    }
  }

  @Test("an answer without receipt names no app")
  func noReceipt() async throws {
    #expect(
      try await Scene.failure(.valid { $0["receipt"] = nil })
        == .refused(.bundleMismatch(found: nil)))
  }

  @Test(
    "an answer that names no transactions is refused, unless they are not needed",
    arguments: [nil, JSONValue.array([]), .null])
  func noSubscriptions(info: JSONValue?) async throws {
    let step = ScriptedTransport.Step.valid { $0["latest_receipt_info"] = info }
    #expect(try await Scene.failure(step) == .refused(.noSubscriptions))
    let accepted = try await Scene.failure(step) { $0.missingSubscriptions = .accept }
    #expect(accepted == nil)
  }

  @Test("the object of iOS 6 in the place of the array counts")
  func object() async throws {
    let step = ScriptedTransport.Step.valid {
      $0["latest_receipt_info"] = .object(["transaction_id": .string("1")])
    }
    #expect(try await Scene.failure(step) == nil)
  }

  @Test("an empty receipt is accepted when the latest are named")
  func emptyReceipt() async throws {
    let step = ScriptedTransport.Step.valid {
      $0["receipt"] = .object(["bundle_id": .string(Scene.bundleID), "in_app": .array([])])
    }
    #expect(try await Scene.failure(step) == nil)
  }

  @Test(
    "an id of a transaction is 1 to 64 digits",
    arguments: [
      ("", false), ("1", true), (String(repeating: "9", count: 64), true),
      (String(repeating: "9", count: 65), false), ("12a", false), ("-1", false), (" 1", false),
      ("١٢", false), ("1/../2", false),
    ])
  func ids(id: String, isLawful: Bool) async throws {
    let expected: VerifyReceiptFailure? = isLawful ? nil : .incidental(.malformedTransactionID)
    for member in ["transaction_id", "original_transaction_id"] {
      let transactions = JSONValue.array([.object([member: .string(id)])])
      #expect(
        try await Scene.failure(.valid { $0["latest_receipt_info"] = transactions }) == expected)
      let receipt = JSONValue.object([
        "bundle_id": .string(Scene.bundleID), "in_app": transactions,
      ])
      #expect(try await Scene.failure(.valid { $0["receipt"] = receipt }) == expected)
    }
    let renewals = JSONValue.array([.object(["original_transaction_id": .string(id)])])
    #expect(try await Scene.failure(.valid { $0["pending_renewal_info"] = renewals }) == expected)
  }

  @Test("the Sandbox grants nothing unless it is accepted")
  func environment() async throws {
    let transport = ScriptedTransport([.status(21007), .valid()])
    let client = try Scene.client(transport) { $0.environments = [.production] }
    #expect(
      try await Scene.failure(of: client) == .refused(.environmentNotAllowed(.sandbox)))
    #expect(VerifyReceiptClient.Configuration().environments == [.production])
  }

  @Test("an answer that claims the other environment is not believed")
  func mismatch() async throws {
    #expect(
      try await Scene.failure(.valid { $0["environment"] = .string("Sandbox") })
        == .incidental(.environmentMismatch(found: .sandbox)))
    let step = ScriptedTransport.Step.valid {
      $0["receipt"] = .object([
        "bundle_id": .string(Scene.bundleID), "receipt_type": .string("ProductionSandbox"),
      ])
    }
    #expect(
      try await Scene.failure(step) == .incidental(.environmentMismatch(found: .sandbox)))
    #expect(try await Scene.failure(.valid { $0["environment"] = .string("Production") }) == nil)
    #expect(try await Scene.failure(.valid { $0["environment"] = .string("Elsewhere") }) == nil)
  }

  @Test("of several faults the first in the contract's order is told")
  func order() async throws {
    var faults: [(inout [String: JSONValue]) -> Void] = [
      { $0["environment"] = .string("Production") },
      { $0["pending_renewal_info"] = .array([.object(["original_transaction_id": .string("x")])]) },
      { $0["latest_receipt_info"] = nil },
      { $0["receipt"] = nil },
      { $0["status"] = .integer(21003) },
    ]
    var reasons: [VerifyReceiptFailure] = []
    while !faults.isEmpty {
      let step = ScriptedTransport.Step.valid { members in
        for fault in faults { fault(&members) }
      }
      let failure = try await Scene.failure(.status(21007), step) {
        $0.environments = [.production]
      }
      reasons.append(try #require(failure))
      faults.removeLast()
    }
    #expect(
      reasons == [
        .refused(.notAuthenticated), .refused(.bundleMismatch(found: nil)),
        .refused(.noSubscriptions), .incidental(.malformedTransactionID),
        .incidental(.environmentMismatch(found: .production)),
      ])
  }

  @Test("an answer is not read beyond its limit, whatever the transport delivers")
  func limit() async throws {
    let count = Scene.validResponse().body.count
    #expect(try await Scene.failure(.valid()) { $0.responseLimit = count } == nil)
    #expect(
      try await Scene.failure(.valid()) { $0.responseLimit = count - 1 }
        == .incidental(.transport(.responseTooLarge)))
  }
}
