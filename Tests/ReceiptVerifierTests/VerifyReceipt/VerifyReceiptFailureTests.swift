import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite("What a failed verification says")
struct VerifyReceiptFailureTests {
  private typealias Scene = VerifyReceiptScene

  private static let refusals: [(VerifyReceiptRefusal, Bool)] = [
    (.input(.badEncoding), false), (.notAuthenticated, true), (.accountNotFound, true),
    (.wrongServer(.sandboxReceipt), false), (.bundleMismatch(found: nil), true),
    (.noSubscriptions, false), (.environmentNotAllowed(.sandbox), true),
  ]

  private static let incidents: [(VerifyReceiptIncident, Bool)] = [
    (.transport(.interrupted), true), (.transport(.untrustedPeer), false), (.transport(nil), true),
    (.timeUp, true), (.httpStatus(503), true), (.httpStatus(429), true), (.httpStatus(404), false),
    (.answerNotJSON, true),
    (.answerMalformed(FieldTypeFailure(expected: .object, found: .array)), false),
    (.serverUnavailable(.internalError), true), (.internalDataAccess(.valid), false),
    (.malformedReceipt, false), (.sharedSecretMismatch, false), (.unknownStatus(.valid), false),
    (.malformedTransactionID, false), (.environmentMismatch(found: .sandbox), false),
  ]

  @Test("only some refusals permit a host to revoke", arguments: refusals)
  func revocation(refusal: VerifyReceiptRefusal, permits: Bool) {
    #expect(refusal.permitsRevocation == permits)
    #expect(!VerifyReceiptFailure.refused(refusal).isRetryable)
  }

  @Test("an incident says whether to try again later", arguments: incidents)
  func retries(incident: VerifyReceiptIncident, isRetryable: Bool) {
    #expect(VerifyReceiptFailure.incidental(incident).isRetryable == isRetryable)
  }

  @Test("each reason has a name of its own and a sentence")
  func names() {
    let failures =
      Self.refusals.map { VerifyReceiptFailure.refused($0.0) }
      + Self.incidents.map { VerifyReceiptFailure.incidental($0.0) }
    for failure in failures {
      #expect(!failure.name.isEmpty && failure.name.allSatisfy(\.isLetter))
      #expect(
        failure.description.hasPrefix("refused: ")
          || failure.description.hasPrefix("not verified: "))
    }
    #expect(Set(Self.refusals.map(\.0.name)).count == Self.refusals.count)
    #expect(Set(Self.incidents.map(\.0.name)).count == 12)
    #expect(VerifyReceiptFailure.refused(.input(.badEncoding)).name == "badEncoding")
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
    show(SharedSecret(Scene.secret))
    show(try await client.verify(base64: Scene.receipt))
    show(transport.requests)
    show(try await client.verify(base64: Scene.receipt).response)
    for step in [ScriptedTransport.Step.body(Scene.receipt), .status(21002), .status(21004)] {
      let failing = try Scene.client(ScriptedTransport([step]))
      show(try #require(try await Scene.failure(of: failing)))
    }
    #expect(!text.contains(Scene.secret))
    #expect(!text.contains(Scene.receipt.prefix(40)))
  }
}
