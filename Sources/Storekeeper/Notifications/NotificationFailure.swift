public import JWSVerifier

/// The reason for refusing a notification.
///
/// Source: linking rules, section 5.
@nonexhaustive
public enum NotificationFailure: Error, Hashable, Sendable {
  /// The body is not a JSON object, or a member has the wrong type.
  case malformedBody
  /// The password is missing, wrong or not configured; nothing was stored (version 1).
  case wrongPassword
  /// The notification belongs to another app (version 1).
  case bundleIDNotAllowed
  /// The notification has no receipt (version 1).
  case receiptMissing
  /// The environment is neither Production nor Sandbox (version 1).
  case environmentUnknown
  /// The signature of the notification, or of signed data inside it, is invalid; nothing was stored
  /// (version 2).
  case notAuthentic(SignedDataFailure)
  /// The revocation status of a certificate is unknown, because Apple could not be reached; nothing
  /// was stored (version 2, with a revocation checker).
  case revocationUnknown(SignedDataFailure)
  /// The notification is authentic, but lacks a value that its effect on credits needs, or the credits
  /// to restore don't fit in 64 bits; nothing was stored (version 2).
  case payloadInvalid
  /// The notification is authentic, but an ID in it is not 1 to 64 digits; nothing was stored
  /// (version 2).
  case malformedID
  /// The notification is authentic, but belongs to another app (version 2).
  case otherApp(SignedDataFailure)
  case appStoreUnavailable(SubscriptionFailure)
  /// The service refused the facts of the notification.
  case subscription(SubscriptionFailure)
}
