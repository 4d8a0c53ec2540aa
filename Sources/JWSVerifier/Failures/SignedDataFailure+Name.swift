extension SignedDataFailure {
  /// The name of the case without its values, for logs, metrics and output that programs read.
  public var name: String {
    switch self {
    case .tokenTooLarge: "tokenTooLarge"
    case .malformedToken: "malformedToken"
    case .badEncoding: "badEncoding"
    case .malformedHeader: "malformedHeader"
    case .criticalHeader: "criticalHeader"
    case .unsupportedAlgorithm: "unsupportedAlgorithm"
    case .missingCertificateChain: "missingCertificateChain"
    case .wrongChainLength: "wrongChainLength"
    case .certificateEncoding: "certificateEncoding"
    case .certificateTooLarge: "certificateTooLarge"
    case .signatureMalformed: "signatureMalformed"
    case .signedDateInFuture: "signedDateInFuture"
    case .chain(let fault): fault.name
    case .signatureInvalid: "signatureInvalid"
    case .certificateRevoked: "certificateRevoked"
    case .certificateStatusUnknown: "certificateStatusUnknown"
    case .onlineCheckFailed: "onlineCheckFailed"
    case .payloadMalformed: "payloadMalformed"
    case .fieldType: "fieldType"
    case .environmentMissing: "environmentMissing"
    case .environmentUnknown: "environmentUnknown"
    case .environmentNotAllowed: "environmentNotAllowed"
    case .bundleMismatch: "bundleMismatch"
    case .appAppleIdMismatch: "appAppleIdMismatch"
    case .notificationShape: "notificationShape"
    case .nested: "nested"
    case .nestedMismatch: "nestedMismatch"
    }
  }
}
