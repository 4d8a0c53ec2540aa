internal import AppStoreServerAPI
internal import GooglePlayVerifier
internal import JWSVerifier
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptVerifier

extension Error {
  /// The reason for a refusal or a failure, for a log; nil for an error that is none of this package's own.
  ///
  /// It has no receipt, token or identifier.
  package var reasonText: String? {
    switch self {
    case let failure as NotificationFailure: failure.ownReason
    case let failure as SubscriptionFailure: failure.ownReason
    case let failure as EvidenceFailure: failure.ownReason
    case let failure as EntitlementFailure: failure.caseName
    case let failure as CreditFailure: failure.caseName
    case let failure as OrderFailure: failure.caseName
    case let failure as PushTokenFailure: failure.caseName
    case let failure as StorageFailure: failure.description
    default: nil
    }
  }
}

extension NotificationFailure {
  fileprivate var ownReason: String {
    switch self {
    case .appStoreUnavailable(let failure): "appStoreUnavailable, \(failure.ownReason)"
    case .subscription(let failure): "subscription, \(failure.ownReason)"
    default: caseName
    }
  }
}

extension SubscriptionFailure {
  fileprivate var ownReason: String {
    switch self {
    case .verification(let failure): failure.ownReason
    case .evidenceRefused(let failure): failure.ownReason
    default: caseName
    }
  }

  /// The name of the case, without values.
  package var caseName: String {
    switch self {
    case .invalidTransactionID: "invalidTransactionID"
    case .invalidPage: "invalidPage"
    case .invalidPageLength: "invalidPageLength"
    case .accountNotFound: "accountNotFound"
    case .subscriptionNotFound: "subscriptionNotFound"
    case .receiptNotFound: "receiptNotFound"
    case .receiptsNotSupported: "receiptsNotSupported"
    case .sourceFailed: "sourceFailed"
    case .verification(let failure): failure.name
    case .notRecorded(let failure): failure.caseName
    case .evidenceRefused(let failure): failure.caseName
    case .unknownProduct: "unknownProduct"
    case .environmentMismatch: "environmentMismatch"
    case .refused(let refusal): "\(refusal)"
    }
  }
}

extension VerifyReceiptFailure {
  /// The reason, with Apple's status where it has one, such as 21004 for a wrong shared secret.
  var ownReason: String {
    switch self {
    case .refused: name
    case .transient(let failure, _): "\(name): \(failure)"
    }
  }
}

extension EvidenceFailure {
  fileprivate var ownReason: String {
    if case .verifyReceipt(let failure) = self { failure.ownReason } else { caseName }
  }

  /// The name of the reason, without values.
  package var caseName: String {
    switch self {
    case .notSupported: "notSupported"
    case .signedData(let failure, _): failure.name
    case .receipt(let failure): failure.name
    case .verifyReceipt(let failure): failure.name
    case .googlePlay(let failure): "\(failure.kind)"
    case .wrongApp: "wrongApp"
    case .facts(let failure): failure.caseName
    }
  }

  /// The outcome of the verification that failed so.
  var verdict: TelemetryVerdict {
    switch self {
    case .signedData(.onlineCheckFailed, _): TelemetryVerdict(.unavailable, caseName)
    case .verifyReceipt(let failure) where failure.isUnreachable:
      TelemetryVerdict(.unavailable, caseName)
    case .verifyReceipt(.transient(.sharedSecretMismatch, _)): TelemetryVerdict(.failed, caseName)
    case .googlePlay(let failure):
      switch failure.kind {
      case .limited, .backend, .transport: TelemetryVerdict(.unavailable, caseName)
      case .credentials, .unreadable: TelemetryVerdict(.failed, caseName)
      case .cancelled: TelemetryVerdict(.cancelled)
      case .invalid, .gone: TelemetryVerdict(.refused, caseName)
      }
    default: TelemetryVerdict(.refused, caseName)
    }
  }
}

extension FactsFailure {
  fileprivate var caseName: String {
    switch self {
    case .environmentNotRecorded: "environmentNotRecorded"
    case .malformedTransaction: "malformedTransaction"
    case .renewalInfoOfOtherSubscription: "renewalInfoOfOtherSubscription"
    case .empty: "empty"
    }
  }
}

extension EntitlementFailure {
  fileprivate var caseName: String {
    switch self {
    case .unknownApp: "unknownApp"
    case .evidenceMissing: "evidenceMissing"
    case .receiptMissing: "receiptMissing"
    case .receiptsNotSupported: "receiptsNotSupported"
    case .transactionsNotSupported: "transactionsNotSupported"
    case .purchaseTokensNotSupported: "purchaseTokensNotSupported"
    case .receiptInvalid: "receiptInvalid"
    case .receiptNotAuthentic: "receiptNotAuthentic"
    case .tooManyTransactions: "tooManyTransactions"
    case .transactionInvalid: "transactionInvalid"
    case .transactionNotAuthentic(let failure): "transactionNotAuthentic, \(failure.name)"
    case .purchaseTokenInvalid: "purchaseTokenInvalid"
    case .bundleMismatch: "bundleMismatch"
    case .environmentNotAllowed: "environmentNotAllowed"
    case .linkedToOtherUser: "linkedToOtherUser"
    case .accountTokenMismatch: "accountTokenMismatch"
    case .appStoreUnavailable: "appStoreUnavailable"
    case .refused(let refusal): refusal.rawValue
    }
  }
}

extension CreditFailure {
  fileprivate var caseName: String {
    switch self {
    case .refused(let refusal): "\(refusal)"
    case .notVerified(let failure): "notVerified, \(failure.name)"
    case .environmentNotAllowed: "environmentNotAllowed"
    case .payloadInvalid: "payloadInvalid"
    case .revocationUnknown(let failure): "revocationUnknown, \(failure.name)"
    case .purchaseNotFound(let failure): "purchaseNotFound, \(failure.kind)"
    case .googlePlayUnavailable(let failure): "googlePlayUnavailable, \(failure.kind)"
    case .googlePlayNotServed: "googlePlayNotServed"
    case .balanceInsufficient: "balanceInsufficient"
    case .amountOutOfRange: "amountOutOfRange"
    case .reservedEvent: "reservedEvent"
    case .conflict: "conflict"
    }
  }
}

extension OrderFailure {
  fileprivate var caseName: String {
    switch self {
    case .unknownVendor: "unknownVendor"
    case .receiptSize: "receiptSize"
    case .refused(let reason): reason.rawValue
    case .vendorUnavailable(let failure): "vendorUnavailable, \(failure.reason.rawValue)"
    case .levelsInUse: "levelsInUse"
    }
  }
}

extension PushTokenFailure {
  fileprivate var caseName: String {
    switch self {
    case .missing: "tokenMissing"
    case .tooLarge: "tokenTooLarge"
    case .malformed, .malformedClaim: "tokenMalformed"
    case .unsupportedAlgorithm: "unsupportedAlgorithm"
    case .criticalHeader: "criticalHeader"
    case .missingKeyID: "missingKeyID"
    case .unknownKey: "unknownKey"
    case .keysUnavailable: "keysUnavailable"
    case .invalidSignature: "invalidSignature"
    case .wrongIssuer: "wrongIssuer"
    case .wrongAudience: "wrongAudience"
    case .wrongEmail: "wrongEmail"
    case .emailNotVerified: "emailNotVerified"
    case .expired: "tokenExpired"
    case .issuedInFuture: "issuedInFuture"
    case .cancelled: "cancelled"
    case .notAccepted: "notAccepted"
    @unknown default: "other"
    }
  }
}

extension NotificationFailure {
  /// The outcome of a notification that was refused so.
  var verdict: TelemetryVerdict {
    switch self {
    case .appStoreUnavailable, .revocationUnknown: TelemetryVerdict(.unavailable, caseName)
    case .subscription(let failure):
      TelemetryVerdict(.refused, "subscription, \(failure.caseName)")
    default: TelemetryVerdict(.refused, caseName)
    }
  }
}
