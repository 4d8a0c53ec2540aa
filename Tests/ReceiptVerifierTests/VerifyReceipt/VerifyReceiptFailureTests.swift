import HTTPMessages
import JSONValues
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite("Failures of verifyReceipt")
struct VerifyReceiptFailureTests {
  private typealias Scene = VerifyReceiptScene

  private static let refusals: [(VerifyReceiptRefusal, Bool)] = [
    (.input(.badEncoding), false), (.notAuthenticated, true), (.accountNotFound, true),
    (.wrongServer(.sandboxReceipt), false), (.bundleMismatch(found: "a.b"), false),
    (.noSubscriptions, false), (.environmentNotAllowed(.sandbox), false),
  ]

  private static let transientFailures: [(VerifyReceiptTransientFailure, Bool)] = [
    (.transport(.interrupted), true), (.transport(.untrustedPeer), false), (.transport(nil), true),
    (.timeUp, true), (.httpStatus(503), true), (.httpStatus(429), true), (.httpStatus(404), false),
    (.answerNotJSON, true),
    (.answerMalformed(FieldTypeFailure(expected: .object, found: .array)), false),
    (.serverUnavailable(.internalError), true), (.internalDataAccess(.valid), false),
    (.malformedReceipt, false), (.sharedSecretMismatch, false), (.unknownStatus(.valid), false),
    (.receiptMissing(.subscriptionExpired), false), (.noBundleID, false),
    (.malformedTransactionID, false),
    (.environmentMismatch(found: .sandbox), false),
  ]

  @Test("only some refusals permit a host to revoke", arguments: refusals)
  func revocation(refusal: VerifyReceiptRefusal, permits: Bool) {
    #expect(refusal.permitsRevocation == permits)
    #expect(!VerifyReceiptFailure.refused(refusal).isRetryable)
  }

  @Test("a transient failure tells whether it is retryable", arguments: transientFailures)
  func retries(failure: VerifyReceiptTransientFailure, isRetryable: Bool) {
    #expect(VerifyReceiptFailure.transient(failure).isRetryable == isRetryable)
  }

  @Test("each reason has a distinct name and a sentence")
  func names() {
    let failures =
      Self.refusals.map { VerifyReceiptFailure.refused($0.0) }
      + Self.transientFailures.map { VerifyReceiptFailure.transient($0.0) }
    for failure in failures {
      #expect(!failure.name.isEmpty && failure.name.allSatisfy(\.isLetter))
      #expect(
        failure.description.hasPrefix("refused: ")
          || failure.description.hasPrefix("not verified: "))
    }
    #expect(Set(Self.refusals.map(\.0.name)).count == Self.refusals.count)
    #expect(Set(Self.transientFailures.map(\.0.name)).count == 14)
    #expect(VerifyReceiptFailure.refused(.input(.badEncoding)).name == "badEncoding")
  }

  @Test("a failure brings the answer that it follows from, and no other")
  func answers() async throws {
    let gone = ScriptedTransport.Step.body(#"{ "status" : 21010 }"#)
    let steps: [([ScriptedTransport.Step], String?)] = [
      ([gone], #"{ "status" : 21010 }"#),
      ([.status(21007), gone], #"{ "status" : 21010 }"#),
      ([.status(21007)], #"{"status":21007}"#),
      ([.body("<html>")], "<html>"),
      ([.response(HTTPResponseMessage(status: 404, body: Array("no".utf8)))], "no"),
      ([.body(#"{"status":0}"#)], #"{"status":0}"#),
      ([.failure(HTTPTransportFailure(.untrustedPeer))], nil),
      ([.body(String(repeating: " ", count: 2000))], nil),
    ]
    for (steps, expected) in steps {
      let client = try Scene.client(ScriptedTransport(steps)) { $0.responseLimit = 1000 }
      let failure = try await #require(throws: VerifyReceiptFailure.self) {
        try await client.verify(base64: Scene.receipt)
      }
      #expect(failure.answer.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
    }
  }

  @Test("text from outside is quoted")
  func quoting() {
    let refusal = VerifyReceiptRefusal.bundleMismatch(found: "a\nb")
    #expect(!refusal.description.contains("\n"))
  }

  @Test("neither receipt nor secret is shown by anything that is printed")
  func redaction() async throws {
    var text = ""
    func show(_ value: Any) {
      print(value, to: &text)
      debugPrint(value, to: &text)
      dump(value, to: &text)
    }
    let transport = ScriptedTransport([.valid { $0["latest_receipt"] = .string(Scene.receipt) }])
    let client = try Scene.client(transport)
    show(client)
    show(AppSharedSecret(Scene.secret))
    show(try await client.verify(base64: Scene.receipt))
    show(transport.requests)
    show(try await client.verify(base64: Scene.receipt).response)
    let steps: [ScriptedTransport.Step] = [
      .body(Scene.receipt), .status(21002), .status(21004),
      .valid {
        $0["latest_receipt"] = .string(Scene.receipt); $0["latest_receipt_info"] = nil
      },
    ]
    for step in steps {
      let failing = try Scene.client(ScriptedTransport([step]))
      let failure = try await #require(throws: VerifyReceiptFailure.self) {
        try await failing.verify(base64: Scene.receipt)
      }
      #expect(failure.answer != nil)
      show(failure)
    }
    #expect(!text.contains(Scene.secret))
    #expect(!text.contains(Scene.receipt.prefix(40)))
  }
}
