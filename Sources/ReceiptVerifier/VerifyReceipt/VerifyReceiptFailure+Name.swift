extension VerifyReceiptFailure {
  /// The name of the reason without its values, for logs, metrics and output that programs read.
  public var name: String {
    switch self {
    case .refused(let refusal, _): refusal.name
    case .transient(let failure, _): failure.name
    }
  }
}

extension VerifyReceiptRefusal {
  /// The name of the case without its values; for input the name of its failure.
  public var name: String {
    switch self {
    case .input(let failure): failure.name
    case .notAuthenticated: "notAuthenticated"
    case .accountNotFound: "accountNotFound"
    case .wrongServer: "wrongServer"
    case .bundleMismatch: "bundleMismatch"
    case .noSubscriptions: "noSubscriptions"
    case .environmentNotAllowed: "environmentNotAllowed"
    }
  }
}

extension VerifyReceiptTransientFailure {
  public var name: String {
    switch self {
    case .transport: "transport"
    case .timeUp: "timeUp"
    case .httpStatus: "httpStatus"
    case .answerNotJSON: "answerNotJSON"
    case .answerMalformed: "answerMalformed"
    case .serverUnavailable: "serverUnavailable"
    case .internalDataAccess: "internalDataAccess"
    case .malformedReceipt: "malformedReceipt"
    case .sharedSecretMismatch: "sharedSecretMismatch"
    case .unknownStatus: "unknownStatus"
    case .receiptMissing: "receiptMissing"
    case .noBundleID: "noBundleID"
    case .malformedTransactionID: "malformedTransactionID"
    case .environmentMismatch: "environmentMismatch"
    }
  }
}
