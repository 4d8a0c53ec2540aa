import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Names of failures")
struct FailureNameTests {
  /// The printed names, with a value for each.
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
    ("certificateMalformed", .chain(.certificateMalformed(2))),
    ("untrustedRoot", .chain(.untrustedRoot)),
    ("chainInvalid", .chain(.pathLength)),
    ("notACertificateAuthority", .chain(.notACertificateAuthority(1))),
    ("missingIntermediateMarker", .chain(.missingIntermediateMarker)),
    ("missingLeafMarker", .chain(.missingLeafMarker)),
    ("unsupportedLeafKey", .chain(.unsupportedLeafKey)),
    ("certificateExpired", .chain(.certificateExpired(0))),
    ("certificateNotYetValid", .chain(.certificateNotYetValid(0))),
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

  /// The two reasons that only a verified payload can have.
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

  @Test("every case has the printed name, and that is its name in Swift")
  func names() throws {
    let all = try Self.failures + contentFailures()
    #expect(Set(all.map(\.0)).count == 35)
    for (name, failure) in all {
      #expect(failure.name == name)
      // Reflection knows the name of a case with values. The faults of a broken chain share a name.
      var reflected: any Error = failure
      if case .chain(let fault) = failure { reflected = fault }
      if name != "chainInvalid", let label = Mirror(reflecting: reflected).children.first?.label {
        #expect(label == name)
      }
    }
  }

  static let chainFaults: [(ChainFault, name: String, text: String)] = [
    (
      .certificateMalformed(0), "certificateMalformed",
      "the leaf certificate is not one X.509 certificate in DER"
    ),
    (.untrustedRoot, "untrustedRoot", "the chain does not end at a trust anchor"),
    (
      .issuerName(0), "chainInvalid",
      "the chain is broken: certificate 0 names another issuer"
    ),
    (
      .signature(1), "chainInvalid",
      "the chain is broken: certificate 1 is not signed by the next"
    ),
    (
      .keyUsage(1), "chainInvalid",
      "the chain is broken: the key of certificate 1 may not sign certificates"
    ),
    (
      .pathLength, "chainInvalid",
      "the chain is broken: more authorities follow than one allows"
    ),
    (
      .leafIsAuthority, "chainInvalid",
      "the chain is broken: the leaf is a certificate authority"
    ),
    (
      .criticalExtension(0, type: "1.2.3"), "chainInvalid",
      "the chain is broken: certificate 0 has the unknown critical extension 1.2.3"
    ),
    (.nameConstraints(1), "chainInvalid", "the chain is broken: certificate 1 limits names"),
    (
      .refused(1, code: 18), "chainInvalid",
      "the chain is broken: OpenSSL refused certificate 1 with 18"
    ),
    (
      .notACertificateAuthority(1), "notACertificateAuthority",
      "the intermediate certificate is no certificate authority"
    ),
    (.certificateExpired(2), "certificateExpired", "the root certificate had ended"),
    (
      .certificateNotYetValid(0), "certificateNotYetValid",
      "the leaf certificate was not valid yet"
    ),
    (
      .missingIntermediateMarker, "missingIntermediateMarker",
      "the intermediate lacks Apple's marker extension"
    ),
    (.missingLeafMarker, "missingLeafMarker", "the leaf lacks Apple's marker extension"),
    (.unsupportedLeafKey, "unsupportedLeafKey", "the leaf's key is not on P-256"),
  ]

  @Test(
    "each fault of a chain has the name and the text that programs print", arguments: chainFaults)
  func chainFault(fault: ChainFault, name: String, text: String) {
    #expect(SignedDataFailure.chain(fault).name == name)
    #expect(SignedDataFailure.chain(fault).description == text)
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
