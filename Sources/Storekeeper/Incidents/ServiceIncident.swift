public import AppStoreServerAPI
internal import EntitlementPolicy
public import GooglePlayVerifier
internal import HTTPMessages
public import JWSVerifier
public import LinkPolicy
public import OrderPolicy
public import PurchaseStorage
public import ReceiptModels
public import ReceiptVerifier

/// A problem for the host's log: one that fails no request, or the reason behind an answer.
///
/// An incident has no receipt, token or identifier. Errors of the host's caches and handlers are
/// passed on unchanged.
@nonexhaustive
public enum ServiceIncident: Error, Sendable {
  case receiptCacheUnreadable(any Error)
  /// A receipt cache could not be written; the stale entry was removed if possible.
  case receiptCacheUnwritable(any Error)
  /// The receipt of a cache was refused and removed, because a different one is stored behind it.
  case receiptCacheRefused
  /// A message could not be delivered and will be retried; the values after the error are its kind, which names the
  /// endpoint of a line, and its number.
  case deliveryFailed(any Error, of: OutboxMessage.Kind? = nil, number: Int? = nil)
  /// A message cannot be delivered as things are and was parked; the second value is its number.
  case messageParked(ParkingReason, number: Int)
  /// Messages of a kind that no handler of the host takes; they count as delivered.
  case messagesNotTaken(OutboxMessage.Kind)
  /// A source of the present state of a purchase failed; the second value is its name, if it is known.
  case sourceFailed(any Error, of: PurchaseScope? = nil)
  /// An authentic notification of version 2 could not be decoded, or has a value that no store can hold;
  /// the value is the path of the field.
  ///
  /// It was stored, so that ``NotificationService/decodeKept(limit:)`` of a later version can apply
  /// it.
  case notificationNotDecoded(String)
  /// A client's signed transaction or renewal info, or Apple's request for a retention message, was
  /// refused.
  ///
  /// If the failure has a path (``/JWSVerifier/SignedDataFailure/undecodedPath``), the data is
  /// authentic but could not be decoded.
  case signedDataRefused(SignedDataFailure)
  /// A client's receipt was refused, or could not be verified: Apple has an outage, or the shared secret is wrong (21004).
  case receiptNotVerified(VerifyReceiptFailure)
  /// A client's signed transaction was verified, but has no facts that can be recorded.
  case signedDataNotRecorded(FactsFailure)
  /// A request for a retention message took longer than its budget; the value is the time taken.
  ///
  /// Apple shows its default message if the answer comes too late or not at all.
  case retentionMessageLate(Duration)
  /// Apple refused an answer to a request for consumption information, or it breaks Apple's rules.
  case consumptionRefused(AppStoreServerFailure)
  /// Google refused an answer to its question about a chargeback, or our question about the order, or the answer breaks
  /// Google's rules.
  case refundReviewRefused(GooglePlayFailure)
  /// A store's question about a refund was not answered in time.
  case consumptionMissed(Vendor)
  /// A notification that Apple keeps could not be recovered, because it was refused.
  case recoveredNotificationRefused(NotificationFailure)
  /// A stored receipt has no transaction with which Apple can be asked, because it was refused.
  case storedReceiptRefused(ReceiptFailure)
  /// The status that Apple names for subscriptions is not what the signed data says; the value is
  /// their number.
  ///
  /// The signed data counts. Around a renewal the two may differ for a moment.
  case statusDiffers(Int)
  /// Elements of a customer's history were refused; the value is their number.
  case historyElementsRefused(Int)
  /// A refresh failed and will be retried; the value is a short reason.
  case refreshFailed(String)
  /// A vendor of ordered subscriptions gave an answer that somebody should look after, such as refused
  /// credentials; the second value is the name of the source, as far as it is known.
  case vendorNeedsAttention(IncidentalFailure, of: PurchaseScope)
  /// A message that Google pushed is never worked on.
  case pushRefused(PushRefusal)
  /// An entry of Google's list of voided purchases could not be followed.
  case voidedPurchaseNotFollowed(VoidedPurchaseFault)
  /// A job of ``BackgroundWork`` failed and will be repeated; the second value is its name, and the third the part of
  /// the purchases that it is about, where there is one job for each.
  case jobFailed(any Error, job: String, of: PurchaseScope? = nil)
  /// An endpoint, or a server that notifications are forwarded to, said that it is gone, and gets nothing until it is
  /// enabled again; the value is its name.
  case endpointDisabled(String)
  /// A notification was recorded, but not forwarded to the target with this name.
  case notificationNotForwarded(to: String, ForwardRefusal)
  /// A stored event cannot be read.
  case eventUnreadable(PurchaseEventFailure)
  /// A stored membership has an unknown value in this field.
  ///
  /// The value stays stored and is null for clients. An unknown last day counts as valid.
  case unknownValue(Membership.Field)
}

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
    case .deliveryFailed(let error, let kind, let number):
      (
        "a message was not delivered",
        [kind?.rawValue, number.map { "number \($0)" }].compactMap(\.self)
          .joined(separator: ", ").before(error.safeText)
      )
    case .messageParked(let reason, let number):
      ("a message was parked", "number \(number), \(reason.cause.rawValue)")
    case .messagesNotTaken(let kind): ("no handler takes a kind of messages", kind.rawValue)
    case .sourceFailed(let error, let scope):
      ("a source failed", (scope?.names ?? []).joined(separator: ", ").before(error.safeText))
    case .notificationNotDecoded(let path): ("a notification was not decoded", path)
    case .signedDataRefused(let failure):
      ("signed data was refused", failure.name.with(failure.undecodedPath))
    case .receiptNotVerified(let failure):
      ("a receipt was not verified", failure.ownReason)
    case .signedDataNotRecorded(let reason): ("signed data was not recorded", "\(reason)")
    case .retentionMessageLate(let duration): ("a retention message was late", "\(duration)")
    case .consumptionRefused(let failure):
      ("consumption information was refused", failure.safeText)
    case .refundReviewRefused(let failure):
      ("a review of a refund was refused", failure.safeText)
    case .consumptionMissed(let vendor):
      ("a question about a refund was not answered in time", vendor.rawValue)
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
    case .endpointDisabled(let name): ("an endpoint is gone and was disabled", name)
    case .notificationNotForwarded(let name, let reason):
      ("a notification was not forwarded", "\(name): \(reason.rawValue)")
    case .eventUnreadable(let failure): ("an event is unreadable", "\(failure)")
    case .unknownValue(let field): ("a membership has an unknown value", field.rawValue)
    }
  }
}

extension ServiceIncident {
  /// The name of the case without values, for metrics and output that programs read.
  public var name: String {
    switch self {
    case .receiptCacheUnreadable: "receiptCacheUnreadable"
    case .receiptCacheUnwritable: "receiptCacheUnwritable"
    case .receiptCacheRefused: "receiptCacheRefused"
    case .deliveryFailed: "deliveryFailed"
    case .messageParked: "messageParked"
    case .messagesNotTaken: "messagesNotTaken"
    case .sourceFailed: "sourceFailed"
    case .notificationNotDecoded: "notificationNotDecoded"
    case .signedDataRefused: "signedDataRefused"
    case .receiptNotVerified: "receiptNotVerified"
    case .signedDataNotRecorded: "signedDataNotRecorded"
    case .retentionMessageLate: "retentionMessageLate"
    case .consumptionRefused: "consumptionRefused"
    case .refundReviewRefused: "refundReviewRefused"
    case .consumptionMissed: "consumptionMissed"
    case .recoveredNotificationRefused: "recoveredNotificationRefused"
    case .storedReceiptRefused: "storedReceiptRefused"
    case .statusDiffers: "statusDiffers"
    case .historyElementsRefused: "historyElementsRefused"
    case .refreshFailed: "refreshFailed"
    case .vendorNeedsAttention: "vendorNeedsAttention"
    case .pushRefused: "pushRefused"
    case .voidedPurchaseNotFollowed: "voidedPurchaseNotFollowed"
    case .jobFailed: "jobFailed"
    case .endpointDisabled: "endpointDisabled"
    case .notificationNotForwarded: "notificationNotForwarded"
    case .eventUnreadable: "eventUnreadable"
    case .unknownValue: "unknownValue"
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
