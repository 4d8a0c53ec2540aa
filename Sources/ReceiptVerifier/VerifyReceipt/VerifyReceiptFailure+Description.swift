internal import ReceiptModels

extension VerifyReceiptFailure: CustomStringConvertible {
  /// A sentence for a log, without any receipt, secret or customer's ID.
  public var description: String {
    switch self {
    case .refused(let refusal, _): "refused: \(refusal)"
    case .transient(let failure, _): "not verified: \(failure)"
    }
  }
}

extension VerifyReceiptRefusal: CustomStringConvertible {
  /// A sentence for a log, without any receipt or customer's ID.
  public var description: String {
    switch self {
    case .input(let failure): failure.description
    case .notAuthenticated: "Apple says that the receipt is not authentic (21003)"
    case .accountNotFound: "Apple says that the customer's account does not exist (21010)"
    case .wrongServer(let status): "the receipt is of the other environment (\(status))"
    // Quoted, so that no line break gets into the log.
    case .bundleMismatch(let found): "the receipt is of another app, \(found.debugDescription)"
    case .noSubscriptions: "Apple names no transaction in latest_receipt_info"
    case .environmentNotAllowed(let environment):
      "receipts of \(environment) are not accepted here"
    }
  }
}

extension VerifyReceiptTransientFailure: CustomStringConvertible {
  /// A sentence for a log, without any receipt, secret or customer's ID.
  public var description: String {
    switch self {
    case .transport(let reason?): "the exchange with Apple's server failed: \(reason)"
    case .transport(nil): "the exchange with Apple's server failed"
    case .timeUp: "the time was up before Apple's server answered"
    case .httpStatus(let status, _): "Apple's server answered with HTTP status \(status)"
    case .answerNotJSON: "the answer is no JSON"
    case .answerMalformed(let failure): "the answer is not verifyReceipt's: \(failure)"
    case .serverUnavailable(let status): "Apple's server cannot answer now (\(status))"
    case .internalDataAccess(let status): "Apple failed to look up the receipt (\(status))"
    case .malformedReceipt: "Apple could not read the receipt (21002)"
    case .sharedSecretMismatch: "the shared secret is wrong (21004)"
    case .unknownStatus(let status): "Apple sent the unknown status \(status)"
    case .receiptMissing(let status): "Apple sent the status \(status) and no receipt"
    case .noBundleID: "the answer does not name the app of the receipt"
    case .malformedTransactionID: "the id of a transaction in the answer is no number"
    case .environmentMismatch(let environment):
      "the answer names another environment, \(environment.rawValue.debugDescription)"
    }
  }
}

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
