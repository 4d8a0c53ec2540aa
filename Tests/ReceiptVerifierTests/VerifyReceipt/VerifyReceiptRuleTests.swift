import HTTPMessages
import JSONValues
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite("Which answers of verifyReceipt count")
struct VerifyReceiptRuleTests {
  private typealias Scene = VerifyReceiptScene

  @Test(
    "a receipt of another app is refused",
    arguments: ["com.example.other", "com.example.Reader", "com.example.reader "])
  func bundle(found: String) async throws {
    let failure = try await Scene.failure(
      .valid { members in
        members["receipt"] = .object(["bundle_id": .string(found)])
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
    #expect(
      await reason { try await client.verify(base64: Scene.receipt) }
        == .refused(.bundleMismatch(found: decomposed)))
  }

  @Test(
    "an answer that does not name the app is cut off, and says no to nothing",
    arguments: [
      #"{"status":0}"#, #"{"status":0,"receipt":null}"#,
      #"{"status":0,"receipt":{}}"#, #"{"status":0,"receipt":{"bundle_id":""}}"#,
      #"{"status":0,"receipt":{"bundle_id":["com.example.reader"]}}"#,
      #"{"status":21006,"receipt":{"bid":{}}}"#,
    ])
  func noBundleID(answer: String) async throws {
    #expect(try await Scene.failure(.body(answer)) == .incidental(.noBundleID))
  }

  @Test(
    "21006 without a receipt says nothing of any app",
    arguments: [#"{"status":21006}"#, #"{"status":"21006","receipt":null,"is_retryable":false}"#])
  func bareExpired(answer: String) async throws {
    #expect(
      try await Scene.failure(.body(answer)) == .incidental(.receiptMissing(.subscriptionExpired)))
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
      $0["latest_receipt_info"] = .object([
        "transaction_id": .string("1"), "original_transaction_id": .string("1"),
        "product_id": .string("p"),
      ])
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
      var transaction: [String: JSONValue] = [
        "transaction_id": .string("1"), "original_transaction_id": .string("1"),
        "product_id": .string("p"),
      ]
      transaction[member] = .string(id)
      let transactions = JSONValue.array([.object(transaction)])
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

  @Test(
    "no transaction vanishes because its id cannot be read",
    arguments: ["12345678901234567890", "{}", "[]", "1.5e300"])
  func unreadableIDs(id: String) async throws {
    let app = #""status":0,"receipt":{"bundle_id":"\#(Scene.bundleID)""#
    let fine = #"{"transaction_id":"1","original_transaction_id":"1","product_id":"p"}"#
    for member in ["transaction_id", "original_transaction_id"] {
      let odd = fine.replacing(#""\#(member)":"1""#, with: #""\#(member)":\#(id)"#)
      for answer in [
        #"{\#(app)},"latest_receipt_info":[\#(fine),\#(odd)]}"#,
        #"{\#(app)},"latest_receipt_info":\#(odd)}"#,
        #"{\#(app)},"latest_expired_receipt_info":\#(odd)}"#,
        #"{\#(app),"in_app":[\#(odd)]},"latest_receipt_info":[\#(fine)]}"#,
        #"{"status":0,"receipt":{"bid":"\#(Scene.bundleID)","\#(member)":\#(id)},"#
          + #""latest_receipt_info":\#(fine)}"#,
      ] {
        #expect(try await Scene.failure(.body(answer)) == .incidental(.malformedTransactionID))
      }
    }
    let renewal = #""pending_renewal_info":[{"original_transaction_id":\#(id)}]"#
    let answer = #"{\#(app)},"latest_receipt_info":[\#(fine)],\#(renewal)}"#
    #expect(try await Scene.failure(.body(answer)) == .incidental(.malformedTransactionID))
  }

  @Test(
    "a latest transaction names what it is", arguments: [nil, JSONValue.null, .object([:])],
    ["latest_receipt_info", "latest_expired_receipt_info"])
  func incompleteTransactions(value: JSONValue?, list: String) async throws {
    let whole: [String: JSONValue] = [
      "transaction_id": .string("1"), "original_transaction_id": .string("1"),
      "product_id": .string("p"),
    ]
    for member in whole.keys {
      var transaction = whole
      transaction[member] = value
      let step = ScriptedTransport.Step.valid { $0[list] = .array([.object(transaction)]) }
      let found: JSONKind = value == .object([:]) ? .object : .absent
      let expected: VerifyReceiptIncident =
        member == "product_id"
        ? .answerMalformed(
          FieldTypeFailure(path: "\(list)[0].product_id", expected: .string, found: found))
        : .malformedTransactionID
      #expect(try await Scene.failure(step) == .incidental(expected))
    }
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
      { $0["receipt"] = .object(["bundle_id": .string("a.b")]) },
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
        .refused(.notAuthenticated), .refused(.bundleMismatch(found: "a.b")),
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
