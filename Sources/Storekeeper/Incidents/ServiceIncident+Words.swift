internal import AppStoreServerAPI
internal import EntitlementPolicy
internal import GooglePlayVerifier
internal import HTTPMessages
internal import JWSVerifier
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier

extension ServiceIncident: CustomStringConvertible {
  /// A text for a log, such as `a refresh failed: sourceFailed`.
  ///
  /// It has no receipt, token or identifier of a user, and of an error that does not come from this package only
  /// the type.
  public var description: String {
    let (kind, detail) = words
    return detail.map { "\(kind): \($0)" } ?? kind
  }

  /// The kind of the incident, and what is known of it that is no secret.
  var words: (kind: String, detail: String?) {
    switch self {
    case .receiptCacheUnreadable(let error): ("a receipt cache is unreadable", error.safeText)
    case .receiptCacheUnwritable(let error): ("a receipt cache is unwritable", error.safeText)
    case .receiptCacheRefused: ("Apple refused the receipt of a cache", nil)
    case .deliveryFailed(let error): ("a message was not delivered", error.safeText)
    case .messageParked(let reason, let number):
      ("a message was parked", "number \(number), \(reason.cause.rawValue)")
    case .messagesNotTaken(let kind): ("no handler takes a kind of messages", kind.rawValue)
    case .sourceFailed(let error, let scope):
      ("a source failed", (scope?.names ?? []).joined(separator: ", ").before(error.safeText))
    case .notificationNotDecoded(let path): ("a notification was not decoded", path)
    case .signedDataRefused(let failure):
      ("signed data was refused", failure.name.with(failure.undecodedPath))
    case .signedDataNotRecorded(let reason): ("signed data was not recorded", "\(reason)")
    case .retentionMessageLate(let duration): ("a retention message was late", "\(duration)")
    case .consumptionRefused(let failure):
      ("consumption information was refused", failure.safeText)
    case .consumptionMissed: ("consumption information was not sent in time", nil)
    case .recoveredNotificationRefused(let failure):
      ("a recovered notification was refused", failure.caseName)
    case .storedReceiptRefused(let failure): ("a stored receipt was refused", failure.name)
    case .statusDiffers(let count): ("the status of subscriptions differs", "\(count)")
    case .historyElementsRefused(let count): ("parts of a history were refused", "\(count)")
    case .refreshFailed(let reason): ("a refresh failed", reason)
    case .vendorNeedsAttention(let failure, let scope):
      (
        "a vendor needs attention",
        scope.names.joined(separator: ", ").before(failure.reason.rawValue)
      )
    case .pushRefused(let refusal): ("a push was refused", refusal.rawValue)
    case .voidedPurchaseNotFollowed(let fault):
      ("a voided purchase was not followed", fault.rawValue)
    case .jobFailed(let error, let job, let scope):
      (
        "a job failed",
        ([job] + (scope?.names ?? [])).joined(separator: ", ").before(error.safeText)
      )
    case .unknownValue(let field): ("a membership has an unknown value", field.rawValue)
    }
  }
}

extension Error {
  /// The type of an error, with its description where that is known to hold no secret.
  package var safeText: String {
    switch self {
    case let failure as StorageFailure: "StorageFailure: \(failure)"
    case let failure as HTTPTransportFailure: "HTTPTransportFailure: \(failure)"
    case let failure as AppStoreServerFailure: "AppStoreServerFailure: \(failure)"
    case let failure as GooglePlayFailure: "GooglePlayFailure: \(failure)"
    case let failure as any PrintableFailure:
      // The whole name of the type, without its module.
      String(reflecting: type(of: failure)).split(separator: ".").dropFirst()
        .joined(separator: ".") + ": \(failure)"
    default: String(describing: type(of: self))
    }
  }
}

extension PurchaseScope {
  /// The parts of the name of a source that are known.
  fileprivate var names: [String] {
    [vendor?.rawValue, appID, environment?.rawValue].compactMap(\.self)
  }
}

extension NotificationFailure {
  /// The name of the case, with that of the signed data's fault, without values.
  package var caseName: String {
    switch self {
    case .malformedBody: "malformedBody"
    case .wrongPassword: "wrongPassword"
    case .bundleIDNotAllowed: "bundleIDNotAllowed"
    case .receiptMissing: "receiptMissing"
    case .environmentUnknown: "environmentUnknown"
    case .notAuthentic(let failure): "notAuthentic, \(failure.name)"
    case .revocationUnknown(let failure): "revocationUnknown, \(failure.name)"
    case .malformedID: "malformedID"
    case .payloadInvalid: "payloadInvalid"
    case .otherApp(let failure): "otherApp, \(failure.name)"
    case .appStoreUnavailable: "appStoreUnavailable"
    case .subscription: "subscription"
    }
  }
}

extension String {
  fileprivate func before(_ text: String) -> String { isEmpty ? text : "\(self): \(text)" }

  fileprivate func with(_ path: String?) -> String { path.map { "\(self), \($0)" } ?? self }
}
