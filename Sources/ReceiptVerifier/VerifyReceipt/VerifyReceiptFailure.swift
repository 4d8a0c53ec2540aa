public import HTTPMessages
public import JSONValues
public import ReceiptModels

/// Why a ``VerifyReceiptClient`` verified nothing: an explicit refusal, or an incident on the way.
///
/// The two differ in what may follow. After an incident nothing is known about the receipt, so what
/// a customer has must stay as it is. After a refusal a host may revoke what rests on the receipt,
/// where ``VerifyReceiptRefusal/permitsRevocation`` says so. Both bring the answer that they follow
/// from, if there was one.
///
/// ```swift
/// do { try await keep(client.verify(base64: receipt)) }
/// catch VerifyReceiptFailure.refused(let refusal, let answer) where refusal.permitsRevocation {
///   revoke(because: refusal.name, evidence: answer?.bytes)
/// }
/// ```
///
/// Source: contract on signed data, section 5.2.
public enum VerifyReceiptFailure: Error, Hashable, Sendable {
  /// Apple, or the rules of this client, say no to this receipt.
  case refused(VerifyReceiptRefusal, answer: AnswerBytes? = nil)
  /// Nobody said no: the answer did not come, or says nothing about the receipt. Never revoke on it.
  case incidental(VerifyReceiptIncident, answer: AnswerBytes? = nil)

  /// Whether the same receipt may be verified when it is sent again later.
  public var isRetryable: Bool {
    switch self {
    case .refused: false
    case .incidental(let incident, _): incident.isRetryable
    }
  }

  /// The answer that this follows from, in the very bytes that came; nil when none was read.
  public var answer: AnswerBytes? {
    switch self {
    case .refused(_, let answer), .incidental(_, let answer): answer
    }
  }

  /// The same, following from an answer.
  func following(from bytes: [UInt8]) -> VerifyReceiptFailure {
    switch self {
    case .refused(let refusal, _): .refused(refusal, answer: AnswerBytes(bytes))
    case .incidental(let incident, _): .incidental(incident, answer: AnswerBytes(bytes))
    }
  }
}

/// What Apple, or the rules of a ``VerifyReceiptClient``, refuse a receipt for.
@nonexhaustive
public enum VerifyReceiptRefusal: Error, Hashable, Sendable {
  // MARK: Before anything was sent

  /// What was sent is no receipt that Apple could verify; Apple was not asked.
  ///
  /// Says something about the text, nothing about a purchase: do not revoke on it.
  case input(ReceiptFailure)

  // MARK: Said by Apple

  /// The receipt is forged or damaged (21003); a host may revoke on it.
  case notAuthenticated
  /// The customer's account was not found, or deleted (21010): as if never bought; a host may revoke
  /// on it.
  case accountNotFound
  /// The receipt is of the other environment (21007, 21008), whose server was not to be asked, or
  /// was asked already.
  ///
  /// Says something about the question, nothing about a purchase: do not revoke on it.
  case wrongServer(VerifyReceiptStatus)

  // MARK: By the rules of the client, in their order

  /// The receipt is valid and of another app.
  ///
  /// Says which apps this client is for, nothing about a purchase: do not revoke on it.
  case bundleMismatch(found: String)
  /// The receipt is valid, but Apple names no transaction in `latest_receipt_info`.
  ///
  /// Apple also leaves them out without a shared secret: do not revoke on it.
  case noSubscriptions
  /// The receipt is valid and of an environment that is not accepted.
  ///
  /// Says what this client was configured for, nothing about a purchase: do not revoke on it.
  case environmentNotAllowed(AppStoreEnvironment)

  /// Whether a host may revoke what rests on *this* receipt, for Apple itself said no to it.
  ///
  /// It is about nothing else: whoever holds rights by another receipt or by signed transactions
  /// keeps them. A refusal for what the client was asked or configured for permits nothing.
  public var permitsRevocation: Bool {
    switch self {
    case .notAuthenticated, .accountNotFound: true
    case .input, .wrongServer, .bundleMismatch, .noSubscriptions, .environmentNotAllowed: false
    }
  }
}

/// Why nothing was learnt about a receipt, so that a host must not revoke anything.
@nonexhaustive
public enum VerifyReceiptIncident: Error, Hashable, Sendable {
  // MARK: No answer

  /// There is no complete answer; nil for an error that the transport does not explain.
  case transport(HTTPTransportFailure.Reason?)
  /// The time for all attempts was up.
  case timeUp
  /// The server answered with an HTTP status other than 200.
  case httpStatus(HTTPStatusCode)
  /// The answer is no JSON, such as a page of HTML.
  case answerNotJSON
  /// The answer is JSON of another form than verifyReceipt's.
  case answerMalformed(FieldTypeFailure)

  // MARK: Apple's answer says nothing about the receipt

  /// Apple's server cannot answer now (21005, 21009, and 21100 to 21199 if a retry may help).
  case serverUnavailable(VerifyReceiptStatus)
  /// Apple failed inside of its server, and says that a retry does not help (21100 to 21199).
  case internalDataAccess(VerifyReceiptStatus)
  /// Apple could not read the receipt, in all attempts (21002): malformed, or trouble that lasts;
  /// no proof of fraud.
  case malformedReceipt
  /// The shared secret is wrong (21004): an error of configuration, alert the operator.
  case sharedSecretMismatch
  /// Apple sent a status that it does not document, or no longer sends.
  case unknownStatus(VerifyReceiptStatus)

  // MARK: Apple's answer cannot be right

  /// The answer has a status that goes with a receipt (21006), and no receipt.
  case receiptMissing(VerifyReceiptStatus)
  /// The answer calls a receipt valid and does not name its app.
  case noBundleID
  /// An id of a transaction in the answer is missing or is not 1 to 64 digits.
  case malformedTransactionID
  /// The answer names another environment than that of the server that answered.
  case environmentMismatch(found: AppStoreEnvironment)

  /// Whether the same receipt may be verified when it is sent again later.
  public var isRetryable: Bool {
    switch self {
    case .transport(let reason): reason.map { HTTPTransportFailure($0).isRetryable } ?? true
    case .httpStatus(let status): status == .tooManyRequests || status.isFailureOfServer
    case .timeUp, .answerNotJSON, .serverUnavailable: true
    case .answerMalformed, .internalDataAccess, .malformedReceipt, .sharedSecretMismatch,
      .unknownStatus, .receiptMissing, .noBundleID, .malformedTransactionID, .environmentMismatch:
      false
    }
  }
}

extension HTTPStatusCode {
  /// Whether the server failed, rather than the request (RFC 9110 section 15.6).
  var isFailureOfServer: Bool { (500...599).contains(code) }
}
