public import LinkPolicy
internal import ReceiptModels
internal import ReceiptVerifier

/// What a client of one of the contracts is told: decide by status, field and code.
///
/// Source: contract on linking, sections 6.1 to 6.4.
public struct FailureAnswer: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The field, with status 422 only.
  public var field: String?
  /// The code, with status 422 only.
  public var code: String?
  /// A text for people; never empty.
  public var message: String

  /// An answer.
  public init(status: Int, field: String? = nil, code: String? = nil, message: String) {
    self.status = status
    self.field = field
    self.code = code
    self.message = message
  }
}

extension SubscriptionFailure {
  /// The answer of a contract to this failure.
  public func answer(under contract: LinkContract) -> FailureAnswer {
    switch contract {
    case .current: answerOfCurrent
    case .year2019: answerOf2019
    }
  }

  private var answerOfCurrent: FailureAnswer {
    switch self {
    case .missing(let field):
      .unprocessable(field.rawValue, "missing_field", "Missing required field")
    case .invalidAccountID, .invalidTransactionID, .accountNotFound, .subscriptionNotFound,
      .receiptNotFound:
      .notFound
    case .userMissing:
      .unauthorized
    case .invalidPage:
      .unprocessable("page", "invalid", "page must be an integer from 1 upwards")
    case .invalidPageLength:
      .unprocessable("per_page", "invalid", "per_page must be an integer from 1 to 100")
    case .verification(let failure):
      .unprocessable("verification", "invalid", failure.contractMessage)
    case .unknownProduct:
      .unprocessable("productId", "unknown_product", "Apple product is not known")
    case .environmentMismatch:
      .unprocessable(
        "originalTransactionId", "environment_mismatch",
        "The subscription is stored for another environment")
    case .refused(let refusal):
      FailureAnswer(refusal.answer(under: .current))
    }
  }

  /// Here `invalid` stands for every other reason of storing (section 6.3).
  private var answerOf2019: FailureAnswer {
    let invalid = FailureAnswer.unprocessable(
      "receipt-data", "invalid", "verification response is not valid")
    switch self {
    case .missing(.receiptData):
      return .unprocessable("receipt-data", "missing_field", "receipt-data missing")
    case .missing(let field):
      return .unprocessable(field.rawValue, "missing_field", "Missing required field")
    case .userMissing:
      return .unauthorized
    case .verification(let failure) where failure.isUnanswered:
      return FailureAnswer(status: 400, message: "verification request failed")
    case .verification, .unknownProduct, .environmentMismatch:
      return invalid
    case .invalidAccountID, .invalidTransactionID, .accountNotFound, .subscriptionNotFound,
      .receiptNotFound:
      return .notFound
    case .invalidPage, .invalidPageLength:
      return answerOfCurrent
    case .refused(let refusal):
      return FailureAnswer(refusal.answer(under: .year2019))
    }
  }
}

extension FailureAnswer {
  fileprivate init(_ answer: LinkRefusal.Answer) {
    self.init(
      status: answer.status, field: answer.field, code: answer.code, message: answer.message)
  }

  static let notFound = FailureAnswer(status: 404, message: "Not Found")
  static let unauthorized = FailureAnswer(status: 401, message: "Requires authorization.")

  static func unprocessable(_ field: String, _ code: String, _ message: String) -> FailureAnswer {
    FailureAnswer(status: 422, field: field, code: code, message: message)
  }
}

extension VerifyReceiptFailure {
  /// Whether Apple could not be asked, or was in trouble, so that nothing was learnt.
  var isUnreachable: Bool {
    switch self {
    case .refused: false
    case .transient(let failure, _):
      switch failure {
      case .transport, .timeUp, .httpStatus, .answerNotJSON, .serverUnavailable: true
      case .answerMalformed, .internalDataAccess, .malformedReceipt, .sharedSecretMismatch,
        .unknownStatus, .receiptMissing, .noBundleID, .malformedTransactionID,
        .environmentMismatch:
        false
      @unknown default: false
      }
    }
  }

  /// Whether Apple did not answer the question, not even with a status of its own (section 6.3).
  fileprivate var isUnanswered: Bool {
    if case .transient(.serverUnavailable, _) = self { return false }
    return isUnreachable
  }

  /// The contract's text (section 6.4).
  var contractMessage: String {
    switch self {
    case .refused(.bundleMismatch, _), .transient(.noBundleID, _):
      "verification response bundle id mismatched"
    case .refused(.environmentNotAllowed, _):
      "verification response of another environment"
    case .refused(.noSubscriptions, _): "verification response has empty latest_receipt_info"
    default:
      status.map { "verification response error: status \($0.rawValue)" }
        ?? "verification request failed"
    }
  }

  /// The status that Apple sent, where it is the reason.
  private var status: VerifyReceiptStatus? {
    switch self {
    case .refused(.notAuthenticated, _): .notAuthenticated
    case .refused(.accountNotFound, _): .accountNotFound
    case .refused(.wrongServer(let status), _): status
    case .transient(.serverUnavailable(let status), _),
      .transient(.internalDataAccess(let status), _), .transient(.unknownStatus(let status), _),
      .transient(.receiptMissing(let status), _):
      status
    case .transient(.malformedReceipt, _): .malformedReceipt
    case .transient(.sharedSecretMismatch, _): .sharedSecretMismatch
    default: nil
    }
  }
}
