internal import LinkPolicy
internal import ReceiptModels
internal import ReceiptVerifier
public import Storekeeper

extension SubscriptionFailure {
  /// Returns the answer of a contract to this failure.
  ///
  /// Source: linking rules, sections 6.2 to 6.4.
  public func answer(under contract: SubscriptionContract) -> FailureAnswer {
    switch contract {
    case .current: currentAnswer
    case .legacy: legacyAnswer
    }
  }

  private var currentAnswer: FailureAnswer {
    switch self {
    case .invalidTransactionID, .accountNotFound, .subscriptionNotFound, .receiptNotFound: .notFound
    case .invalidPage: .invalidPage
    case .invalidPageLength: .invalidPageLength
    case .receiptsNotSupported, .sourceFailed: .unavailable
    case .verification(let failure):
      .unprocessable("verification", "invalid", failure.contractMessage)
    case .evidenceRefused(.signedData(.onlineCheckFailed, _)): .unavailable
    case .evidenceRefused(.signedData(_, .renewalInfo)): .invalid(.renewalInfo)
    case .evidenceRefused, .notRecorded: .invalid(.transaction)
    case .unknownProduct:
      .unprocessable("productId", "unknown_product", "Apple product is not known")
    case .environmentMismatch:
      .unprocessable(
        "originalTransactionId", "environment_mismatch",
        "The subscription is stored for another environment")
    case .refused(let refusal): FailureAnswer(RefusalAnswer.current(refusal))
    }
  }

  /// The answer of the older contract, which has `invalid` for every reason of verification and
  /// recording, unless Apple gave no answer.
  private var legacyAnswer: FailureAnswer {
    switch self {
    case .verification(let failure) where failure.isUnanswered:
      FailureAnswer(status: 400, message: "verification request failed")
    case .verification, .notRecorded, .unknownProduct, .environmentMismatch:
      .unprocessable("receipt-data", "invalid", "verification response is not valid")
    case .invalidTransactionID, .accountNotFound, .subscriptionNotFound, .receiptNotFound,
      .invalidPage, .invalidPageLength, .receiptsNotSupported, .sourceFailed, .evidenceRefused:
      currentAnswer
    case .refused(let refusal): FailureAnswer(RefusalAnswer.legacy(refusal))
    }
  }
}

extension NotificationFailure {
  /// The answer to Apple's server.
  ///
  /// Apple sends the notification again after every status but 200 to 206. Source: linking rules, section 5.
  public var answer: FailureAnswer {
    switch self {
    case .malformedBody: .malformedBody
    case .wrongPassword, .notAuthentic, .malformedID: .forbidden
    case .bundleIDNotAllowed: .unprocessable("bid", "invalid", "bundle id mismatched")
    case .otherApp: .unprocessable("bundleId", "invalid", "bundle id mismatched")
    case .payloadInvalid: .unprocessable("signedPayload", "invalid", "signed data is not valid")
    case .receiptMissing:
      .unprocessable("unified_receipt", "invalid", "unified receipt field is not valid")
    case .environmentUnknown:
      .unprocessable("verification", "invalid", "verification request failed")
    case .appStoreUnavailable, .revocationUnknown: .unavailable
    case .subscription(let failure): failure.answer(under: .current)
    }
  }
}

extension RetentionMessageFailure {
  /// The answer to Apple's server, which then shows the default message.
  ///
  /// Apple does not ask again, so the status serves the operator: 503 is a matter of time, 500 the
  /// host's answerer, 422 the configuration or the version of this server, 400 and 403 a stranger.
  public var answer: FailureAnswer {
    switch self {
    case .malformedBody: .malformedBody
    case .notAuthentic: .forbidden
    case .notDecoded:
      .unprocessable("signedPayload", "invalid", "signed data is not understood")
    case .otherApp: .unprocessable("appAppleId", "invalid", "app mismatched")
    case .revocationUnknown, .timeUp, .cancelled: .unavailable
    case .answererFailed: .internalError
    }
  }
}

extension FailureAnswer {
  fileprivate init(_ answer: RefusalAnswer) {
    self.init(
      status: answer.status, field: answer.field, code: answer.code, message: answer.message)
  }

  fileprivate static func invalid(_ field: RequestField) -> FailureAnswer {
    unprocessable(field.rawValue, "invalid", "signed data is not valid")
  }
}

extension VerifyReceiptFailure {
  /// Whether Apple gave no answer, not even one with a status of verifyReceipt.
  fileprivate var isUnanswered: Bool {
    if case .transient(.serverUnavailable, _) = self { return false }
    return isUnreachable
  }

  fileprivate var contractMessage: String {
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
