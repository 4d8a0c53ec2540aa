extension SignedDataFailure: CustomStringConvertible {
  /// A sentence for a log, without any token, payload or customer's ID.
  public var description: String {
    switch self {
    case .tokenTooLarge(let limit): "the token is longer than \(limit) bytes"
    case .malformedToken: "a token has three segments, and its header and payload are not empty"
    case .badEncoding(let segment): "the \(segment.rawValue) is not base64url without padding"
    case .malformedHeader: "the header is no JSON object"
    case .criticalHeader: "the header names critical extensions, and none is understood"
    // Anyone can write a header; quoting keeps line breaks out of the log.
    case .unsupportedAlgorithm(let name?): "the algorithm is \(name.debugDescription), not ES256"
    case .unsupportedAlgorithm(nil): "the header names no algorithm"
    case .missingCertificateChain: "the header has no x5c with an array of strings"
    case .wrongChainLength(let count): "x5c has \(count) certificates, not 3"
    case .certificateEncoding(let index): "\(name(index)) is not standard base64"
    case .certificateTooLarge(let index): "\(name(index)) is larger than 16 KiB"
    case .signatureMalformed: "the signature is not 64 bytes with two numbers in range"
    case .signedDateInFuture: "the time of signing is more than five minutes ahead of now"
    case .chain(let fault): describe(fault)
    case .signatureInvalid: "the signature does not fit"
    case .certificateRevoked(let index): "\(name(index)) was revoked"
    case .certificateStatusUnknown(let index): "\(name(index)) is unknown to its issuer"
    case .onlineCheckFailed(let cause): "the online check came to no result: \(cause)"
    case .payloadMalformed: "the payload is authentic but no JSON object"
    case .fieldType(let failure, _): "the payload is authentic but not understood: \(failure)"
    case .environmentMissing: "the payload names no environment"
    case .environmentUnknown(let name):
      "the payload is of an unknown environment, \(name.debugDescription)"
    case .environmentNotAllowed(let environment): "data of \(environment) is not accepted here"
    case .bundleMismatch(let found?): "the payload is of another app, \(found.debugDescription)"
    case .bundleMismatch(nil): "the payload names no app"
    case .appAppleIdMismatch(let found?): "the payload is of another app, \(found)"
    case .appAppleIdMismatch(nil): "the payload does not name the app's Apple id"
    case .notificationShape(let count):
      "a notification has one of data, summary, externalPurchaseToken and appData, not \(count)"
    case .nested(let token, let reason): "\(token.rawValue) in the notification: \(reason)"
    case .nestedMismatch(let field): "signed data in the notification differs in \(field)"
    }
  }

  /// Returns the description of a fault, in the words for tokens where those for receipts differ.
  private func describe(_ fault: ChainFault) -> String {
    switch fault {
    case .certificateMalformed(let index): "\(name(index)) is not one X.509 certificate in DER"
    case .notACertificateAuthority(let index): "\(name(index)) is no certificate authority"
    case .certificateExpired(let index): "\(name(index)) had ended"
    case .certificateNotYetValid(let index): "\(name(index)) was not valid yet"
    case .unsupportedLeafKey: "the leaf's key is not on P-256"
    default: fault.description
    }
  }

  private func name(_ index: Int) -> String {
    switch index {
    case 0: "the leaf certificate"
    case 1: "the intermediate certificate"
    case 2: "the root certificate"
    default: "certificate \(index)"
    }
  }
}

extension NestedField: CustomStringConvertible {
  /// The field, and the token in which it differs.
  public var description: String {
    switch self {
    case .environment(let token): "the environment (\(token.rawValue))"
    case .bundleID(let token): "the bundle id (\(token.rawValue))"
    case .originalTransactionID: "the original transaction id"
    }
  }
}

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
