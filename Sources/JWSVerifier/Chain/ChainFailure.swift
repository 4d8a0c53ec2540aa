/// Why certificates make no trusted chain, whatever kind of data they signed.
package enum ChainFailure: Error, Hashable, Sendable {
  /// The certificate at this place is not exactly one X.509 certificate in DER.
  case certificateMalformed(Int)
  /// The chain does not end at a trust anchor.
  case untrustedRoot
  /// The chain is broken.
  case chainInvalid(ChainFault)
  /// The certificate at this place issued another, but is no certificate authority.
  case notACertificateAuthority(Int)
  /// The certificate at this place had ended.
  case certificateExpired(Int)
  /// The certificate at this place was not valid yet.
  case certificateNotYetValid(Int)
  /// The intermediate lacks Apple's mark.
  case missingIntermediateMarker
  /// The leaf lacks Apple's mark.
  case missingLeafMarker
  /// The leaf's key is of another kind than the rules ask for.
  case unsupportedLeafKey
}

extension SignedDataFailure {
  /// The same reason for a token.
  init(_ failure: ChainFailure) {
    self =
      switch failure {
      case .certificateMalformed(let index): .certificateMalformed(index)
      case .untrustedRoot: .untrustedRoot
      case .chainInvalid(let fault): .chainInvalid(fault)
      case .notACertificateAuthority(let index): .notACertificateAuthority(index)
      case .certificateExpired(let index): .certificateExpired(index)
      case .certificateNotYetValid(let index): .certificateNotYetValid(index)
      case .missingIntermediateMarker: .missingIntermediateMarker
      case .missingLeafMarker: .missingLeafMarker
      case .unsupportedLeafKey: .unsupportedLeafKey
      }
  }
}
