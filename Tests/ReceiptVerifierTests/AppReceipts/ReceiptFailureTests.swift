import Foundation
import JWSVerifier
import ReceiptVerifier
import Testing

@Suite("Failures of receipts")
struct ReceiptFailureTests {
  static let failures: [(ReceiptFailure, name: String, text: String)] = [
    (
      .chain(.certificateMalformed(3)), "certificateMalformed",
      "certificate 3 is not one X.509 certificate in DER"
    ),
    (.chain(.untrustedRoot), "untrustedRoot", "the chain does not end at a trust anchor"),
    (
      .chain(.signature(1)), "chainInvalid",
      "the chain is broken: certificate 1 is not signed by the next"
    ),
    (
      .chain(.notACertificateAuthority(1)), "chainInvalid",
      "the chain is broken: certificate 1 is no certificate authority"
    ),
    (
      .chain(.certificateExpired(0)), "certificateExpired",
      "certificate 0 had ended when the receipt was made; let the app refresh its receipt"
    ),
    (
      .chain(.certificateNotYetValid(1)), "certificateNotYetValid",
      "certificate 1 was not valid yet when the receipt was made"
    ),
    (
      .chain(.missingIntermediateMarker), "missingIntermediateMarker",
      "the intermediate lacks Apple's marker extension"
    ),
    (
      .chain(.missingLeafMarker), "missingLeafMarker", "the leaf lacks Apple's marker extension"
    ),
    (.chain(.unsupportedLeafKey), "unsupportedLeafKey", "the leaf's key is no RSA key"),
  ]

  @Test("each fault of a chain has the name and the text that programs print", arguments: failures)
  func chainFault(failure: ReceiptFailure, name: String, text: String) {
    #expect(failure.name == name)
    #expect(failure.description == text)
  }
}
