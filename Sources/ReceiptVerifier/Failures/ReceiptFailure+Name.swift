internal import JWSVerifier

extension ReceiptFailure {
  /// The name of the case without its values, for logs, metrics and output that programs read.
  public var name: String {
    switch self {
    case .tooLarge: "tooLarge"
    case .inputKind: "inputKind"
    case .badEncoding: "badEncoding"
    case .malformedContainer: "malformedContainer"
    case .notSignedData: "notSignedData"
    case .trailingBytes: "trailingBytes"
    case .signerCount: "signerCount"
    case .unexpectedAttributes: "unexpectedAttributes"
    case .unsupportedDigest: "unsupportedDigest"
    case .tooManyCertificates: "tooManyCertificates"
    case .certificateTooLarge: "certificateTooLarge"
    case .malformedPropertyList: "malformedPropertyList"
    case .signatureMissing: "signatureMissing"
    case .signatureMalformed: "signatureMalformed"
    case .unsupportedSignatureVersion: "unsupportedSignatureVersion"
    case .noCreationDate: "noCreationDate"
    case .creationDateInFuture: "creationDateInFuture"
    case .signerCertificateMissing: "signerCertificateMissing"
    case .certificateNotValidAt: "certificateNotValidAt"
    // For receipts this fault has no name of its own.
    case .chain(.notACertificateAuthority): "chainInvalid"
    case .chain(let fault): fault.name
    case .signatureInvalid: "signatureInvalid"
    case .weakAlgorithmForbidden: "weakAlgorithmForbidden"
    case .payloadMalformed: "payloadMalformed"
    case .duplicateAttribute: "duplicateAttribute"
    case .missingAttribute: "missingAttribute"
    case .bundleMismatch: "bundleMismatch"
    case .environmentNotAllowed: "environmentNotAllowed"
    case .environmentUnknown: "environmentUnknown"
    case .versionMismatch: "versionMismatch"
    case .receiptExpired: "receiptExpired"
    case .hashMismatch: "hashMismatch"
    }
  }
}
