public import HTTPMessages
public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A failure of a ``VerifyReceiptClient``: an explicit refusal or a transient failure.
///
/// The two have different consequences. After a transient failure nothing is known about the
/// receipt, so customers must keep what they have. After a refusal, a host may revoke the rights
/// based on the receipt if ``VerifyReceiptRefusal/permitsRevocation`` is true. Both carry the
/// answer that caused them, if any.
///
/// ```swift
/// do { try await keep(client.verify(base64: receipt)) }
/// catch VerifyReceiptFailure.refused(let refusal, let answer) where refusal.permitsRevocation {
///   revoke(because: refusal.name, evidence: answer?.bytes)
/// }
/// ```
///
/// Source: `Documentation/rules/app-store-rules.md`.
@nonexhaustive
public enum VerifyReceiptFailure: Error, Hashable, Sendable {
  /// Apple or the rules of the client refused the receipt.
  case refused(VerifyReceiptRefusal, answer: AnswerBytes? = nil)
  /// There is no answer, or it says nothing about the receipt: never revoke anything because of it.
  ///
  /// The failure passes by itself or after an operator's intervention; see ``isRetryable``.
  case transient(VerifyReceiptTransientFailure, answer: AnswerBytes? = nil)

  /// Whether the same receipt may verify on a later attempt.
  public var isRetryable: Bool {
    switch self {
    case .refused: false
    case .transient(let failure, _): failure.isRetryable
    }
  }

  /// The original bytes of the answer that caused the failure, or nil if none was read.
  public var answer: AnswerBytes? {
    switch self {
    case .refused(_, let answer), .transient(_, let answer): answer
    }
  }

  /// Returns the same failure with the answer that caused it.
  func following(from bytes: [UInt8]) -> VerifyReceiptFailure {
    switch self {
    case .refused(let refusal, _): .refused(refusal, answer: AnswerBytes(bytes))
    case .transient(let failure, _): .transient(failure, answer: AnswerBytes(bytes))
    }
  }
}

/// A reason why Apple or the rules of a ``VerifyReceiptClient`` refused a receipt.
@nonexhaustive
public enum VerifyReceiptRefusal: Error, Hashable, Sendable {
  // MARK: Before the request

  /// The input is not a receipt that Apple could verify; Apple was not asked.
  ///
  /// This concerns the input and not a purchase: do not revoke anything because of it.
  case input(ReceiptFailure)

  // MARK: Apple's answer

  /// The receipt is forged or damaged (21003); a host may revoke rights because of it.
  case notAuthenticated
  /// The customer's account was not found, or deleted (21010), so nothing counts as bought; a host
  /// may revoke rights because of it.
  case accountNotFound
  /// The receipt belongs to the other environment (21007, 21008), whose server may not be asked or
  /// was asked already.
  ///
  /// This concerns the request and not a purchase: do not revoke anything because of it.
  case wrongServer(VerifyReceiptStatus)

  // MARK: The rules of the client, in their order

  /// The receipt is valid, but belongs to another app.
  ///
  /// This concerns the client's configuration and not a purchase: do not revoke anything because of
  /// it.
  case bundleMismatch(found: String)
  /// The receipt is valid, but the answer has no transactions in `latest_receipt_info`.
  ///
  /// Apple also leaves them out without a shared secret: do not revoke anything because of it.
  case noSubscriptions
  /// The receipt is valid, but belongs to an environment that is not accepted.
  ///
  /// This concerns the client's configuration and not a purchase: do not revoke anything because of
  /// it.
  case environmentNotAllowed(AppStoreEnvironment)

  /// Whether a host may revoke the rights based on *this* receipt, because Apple itself refused it.
  ///
  /// Rights based on another receipt or on signed transactions remain. A refusal by the client's
  /// configuration or because of the input never permits a revocation.
  public var permitsRevocation: Bool {
    switch self {
    case .notAuthenticated, .accountNotFound: true
    case .input, .wrongServer, .bundleMismatch, .noSubscriptions, .environmentNotAllowed: false
    }
  }
}

/// A failure that says nothing about a receipt, so that a host must not revoke anything.
@nonexhaustive
public enum VerifyReceiptTransientFailure: Error, Hashable, Sendable {
  // MARK: No answer

  /// There is no complete answer; nil for an unknown error of the transport.
  case transport(HTTPTransportFailure.Reason?)
  case timeUp
  /// The server answered with an HTTP status other than 200, and may have named a date before which the
  /// request should not be repeated.
  case httpStatus(HTTPStatusCode, retryAfter: Date? = nil)
  /// The answer is not JSON, but for example an HTML page.
  case answerNotJSON
  /// The answer is JSON, but not in the form of verifyReceipt's answers.
  case answerMalformed(FieldTypeFailure)

  // MARK: Apple's answer says nothing about the receipt

  /// Apple's server is unavailable (21005, 21009, and 21100 to 21199 if a retry may help).
  case serverUnavailable(VerifyReceiptStatus)
  /// Apple's server failed, and its answer says that a retry does not help (21100 to 21199).
  case internalDataAccess(VerifyReceiptStatus)
  /// Apple could not read the receipt on any attempt (21002): it is malformed, or the server keeps
  /// failing. This does not prove fraud.
  case malformedReceipt
  /// The shared secret is wrong (21004), which is a configuration error: alert the operator.
  case sharedSecretMismatch
  /// Apple sent an undocumented or obsolete status.
  case unknownStatus(VerifyReceiptStatus)

  // MARK: An implausible answer

  /// The answer has a status that requires a receipt (21006), and no receipt.
  case receiptMissing(VerifyReceiptStatus)
  /// The answer declares the receipt valid, but does not name its app.
  case noBundleID
  /// The ID of a transaction in the answer is missing or does not have 1 to 64 digits.
  case malformedTransactionID
  /// The answer names another environment than that of the server.
  case environmentMismatch(found: AppStoreEnvironment)

  /// Whether the same receipt may verify on a later attempt.
  public var isRetryable: Bool {
    switch self {
    case .transport(let reason): reason.map { HTTPTransportFailure($0).isRetryable } ?? true
    case .httpStatus(let status, _): status == .tooManyRequests || status.isServerError
    case .timeUp, .answerNotJSON, .serverUnavailable: true
    case .answerMalformed, .internalDataAccess, .malformedReceipt, .sharedSecretMismatch,
      .unknownStatus, .receiptMissing, .noBundleID, .malformedTransactionID, .environmentMismatch:
      false
    }
  }
}

/// The original bytes of an answer, kept out of logs.
public struct AnswerBytes: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  public let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes, never the bytes.
  public var description: String { "\(bytes.count) bytes" }
  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPStatusCode {
  /// Whether the status reports an error of the server (RFC 9110 section 15.6).
  var isServerError: Bool { (500...599).contains(code) }
}
