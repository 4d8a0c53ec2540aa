public import JWSVerifier

/// The reason why a notification was not accepted.
///
/// Source: linking rules, section 5.
public enum NotificationFailure: Error, Hashable, Sendable {
  /// The body is no JSON object, or a part of it has another form than Apple's.
  case malformedBody
  /// The password is missing or wrong, or none is configured; nothing was kept.
  case wrongPassword
  /// The notification is of another app (version 1).
  case bundleIDNotAllowed
  /// There is no receipt in it (version 1).
  case receiptMissing
  /// Its environment is neither Production nor Sandbox (version 1).
  case environmentUnknown
  /// Its signature, or that of something inside it, does not hold; nothing was kept.
  case notAuthentic(SignedDataFailure)
  /// Apple could not be asked whether a certificate behind it was revoked; nothing was kept (version 2,
  /// with a revocation checker).
  case revocationUnknown(SignedDataFailure)
  /// It is signed, and an id in it is not 1 to 64 digits; nothing was kept (version 2).
  case malformedID
  /// It is signed, and of another app (version 2).
  case otherApp(SignedDataFailure)
  /// Apple could not be asked.
  case appStoreUnavailable(SubscriptionFailure)
  /// What it leads to was refused.
  case subscription(SubscriptionFailure)
}
