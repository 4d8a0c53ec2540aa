internal import JWSVerifier

extension ReceiptFailure: CustomStringConvertible {
  /// A sentence for a log, without any receipt or customer's ID.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "the receipt is larger than \(limit) bytes"
    case .inputKind(let kind): "this is no receipt that is accepted here: \(kind.hint)"
    case .badEncoding: "the receipt is not base64"
    case .malformedContainer: "the receipt is no PKCS#7 message, or is cut short"
    case .notSignedData: "the message is no signed data with data inside"
    case .trailingBytes: "bytes follow the message"
    case .signerCount(let count): "the message has \(count) signers, not 1"
    case .unexpectedAttributes: "the signer has attributes, which receipts never have"
    case .unsupportedDigest: "the signature is not RSA over SHA-1 or SHA-256"
    case .tooManyCertificates(let limit): "there are more than \(limit) certificates"
    case .certificateTooLarge(let limit): "a certificate is larger than \(limit) bytes"
    case .malformedPropertyList: "the receipt is no property list with purchase-info"
    case .signatureMissing: "the receipt is not signed"
    case .signatureMalformed: "the signature is not a version, a signature and a certificate"
    case .unsupportedSignatureVersion(let version):
      "signatures of version \(version) cannot be checked offline; ask verifyReceipt"
    case .noCreationDate: "the receipt does not say when it was made"
    case .creationDateInFuture: "the receipt was made more than five minutes ahead of now"
    case .signerCertificateMissing: "the certificate that signed is not in the receipt"
    case .chain(.certificateExpired(let index)):
      "certificate \(index) had ended when the receipt was made; let the app refresh its receipt"
    case .chain(.certificateNotYetValid(let index)):
      "certificate \(index) was not valid yet when the receipt was made"
    case .chain(.unsupportedLeafKey): "the leaf's key is no RSA key"
    case .chain(let fault): fault.description
    case .certificateNotValidAt(let moment, let index):
      "certificate \(index) is not valid at \(moment), the time that the configuration forces"
    case .signatureInvalid: "the signature does not fit"
    case .weakAlgorithmForbidden:
      "this system forbids the receipt's algorithms, so that nothing could be checked"
    case .payloadMalformed(let path): "the content is not that of a receipt, at \(path)"
    case .duplicateAttribute(let type): "attribute \(type) occurs twice"
    case .missingAttribute(let type): "attribute \(type) is missing"
    case .bundleMismatch(let found?): "the receipt is of another app, \(found.debugDescription)"
    case .bundleMismatch(nil): "the receipt names no app"
    case .environmentNotAllowed(let environment): "receipts of \(environment) are not accepted here"
    case .environmentUnknown(let type):
      "the receipt is of an unknown type, \(type.debugDescription)"
    case .versionMismatch(let found?):
      "the receipt is of another version of the app, \(found.debugDescription)"
    case .versionMismatch(nil): "the receipt names no version of the app"
    case .receiptExpired(let end): "the receipt ended at \(end)"
    case .hashMismatch: "the receipt was made for another device"
    }
  }
}

extension ReceiptKind {
  /// A description of the kind, and advice on it.
  var hint: String {
    switch self {
    case .appReceipt: "an app receipt; give it to the verifier of app receipts"
    case .xcodeReceipt:
      "a receipt of StoreKit testing in Xcode, which anyone can sign; it proves nothing"
    case .transactionReceipt: "a transaction receipt of iOS 6; ask verifyReceipt about it"
    case .signedData: "a JWS of StoreKit 2; give it to the verifier of signed data"
    case .doubleBase64: "base64 of base64; decode it once"
    case .formMangledBase64:
      "base64 that a form or an address changed (+ became a space, or %2B is left); "
        + "encode it before sending"
    case .empty: "nothing"
    case .unknown: "no receipt of any kind"
    }
  }
}

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
