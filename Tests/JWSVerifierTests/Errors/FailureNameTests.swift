import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Reasons for refusing")
struct FailureNameTests {
  /// The names of the contract, section 2.2, with a value of each.
  static let failures: [(String, SignedDataFailure)] = [
    ("tokenTooLarge", .tokenTooLarge(limit: 1)),
    ("malformedToken", .malformedToken),
    ("badEncoding", .badEncoding(.payload)),
    ("malformedHeader", .malformedHeader),
    ("criticalHeader", .criticalHeader),
    ("unsupportedAlgorithm", .unsupportedAlgorithm("none")),
    ("unsupportedAlgorithm", .unsupportedAlgorithm(nil)),
    ("missingCertificateChain", .missingCertificateChain),
    ("wrongChainLength", .wrongChainLength(1)),
    ("certificateEncoding", .certificateEncoding(0)),
    ("certificateTooLarge", .certificateTooLarge(1)),
    ("certificateMalformed", .certificateMalformed(2)),
    ("untrustedRoot", .untrustedRoot),
    ("chainInvalid", .chainInvalid(.pathLength)),
    ("notACertificateAuthority", .notACertificateAuthority(1)),
    ("missingIntermediateMarker", .missingIntermediateMarker),
    ("missingLeafMarker", .missingLeafMarker),
    ("unsupportedLeafKey", .unsupportedLeafKey),
    ("certificateExpired", .certificateExpired(0)),
    ("certificateNotYetValid", .certificateNotYetValid(0)),
    ("signedDateInFuture", .signedDateInFuture),
    ("signatureMalformed", .signatureMalformed),
    ("signatureInvalid", .signatureInvalid),
    ("certificateRevoked", .certificateRevoked(0)),
    ("certificateStatusUnknown", .certificateStatusUnknown(1)),
    ("onlineCheckFailed", .onlineCheckFailed(.transport)),
    ("environmentMissing", .environmentMissing),
    ("environmentUnknown", .environmentUnknown("Foo")),
    ("environmentNotAllowed", .environmentNotAllowed(.xcode)),
    ("bundleMismatch", .bundleMismatch(found: "com.example.other")),
    ("bundleMismatch", .bundleMismatch(found: nil)),
    ("appAppleIdMismatch", .appAppleIdMismatch(found: 1)),
    ("appAppleIdMismatch", .appAppleIdMismatch(found: nil)),
    ("notificationShape", .notificationShape(count: 2)),
    ("nested", .nested(.transaction, .malformedToken)),
    ("nestedMismatch", .nestedMismatch(.originalTransactionID)),
  ]

  /// The two reasons that only a verified payload can give.
  private func contentFailures() throws -> [(String, SignedDataFailure)] {
    let authority = try TestAuthority()
    let verifier = try authority.verifier()
    let malformed = #expect(throws: SignedDataFailure.self) {
      try verifier.transaction(authority.sign(.array([])))
    }
    let wrongType = #expect(throws: SignedDataFailure.self) {
      try verifier.transaction(authority.sign(Sample.transaction(["quantity": .string("1")])))
    }
    return [
      ("payloadMalformed", try #require(malformed)), ("fieldType", try #require(wrongType)),
    ]
  }

  @Test("every case has the name of the contract, and that is its name in Swift")
  func names() throws {
    let all = try Self.failures + contentFailures()
    #expect(Set(all.map(\.0)).count == 35)
    for (name, failure) in all {
      #expect(failure.name == name)
      // Reflection knows the name of a case with values.
      if let label = Mirror(reflecting: failure).children.first?.label { #expect(label == name) }
    }
  }

  @Test("each description is one sentence on one line, and none is like another")
  func descriptions() throws {
    let all = try Self.failures + contentFailures()
    for (_, failure) in all {
      #expect(!failure.description.isEmpty && !failure.description.contains("\n"))
    }
    #expect(Set(all.map { $0.1.description }).count == all.count)
  }

  @Test("only an online check that failed can be tried again", arguments: failures)
  func retryable(name: String, failure: SignedDataFailure) {
    #expect(failure.isRetryable == (name == "onlineCheckFailed"))
    let nested = SignedDataFailure.nested(.renewalInfo, failure)
    #expect(nested.isRetryable == (name == "onlineCheckFailed"))
    #expect(SignedDataFailure.nested(.transaction, nested).isRetryable == nested.isRetryable)
  }

  @Test("content that is not understood cannot be tried again")
  func contentIsFinal() throws {
    for (_, failure) in try contentFailures() { #expect(!failure.isRetryable) }
  }

  static let onlineFailures: [OnlineCheckFailure] = [
    .transport, .timeBudgetSpent, .httpStatus(500), .responderStatus(3), .malformedAnswer,
    .answerNotAuthorized, .otherCertificate, .otherNonce, .staleAnswer, .cancelled,
  ]

  @Test(
    "every cause of a failed online check but a missing responder can be tried again",
    arguments: onlineFailures)
  func onlineFailure(cause: OnlineCheckFailure) {
    #expect(SignedDataFailure.onlineCheckFailed(cause).isRetryable)
  }
}
