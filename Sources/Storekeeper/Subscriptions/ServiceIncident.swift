public import JWSVerifier
public import LinkPolicy

/// A problem that fails no request, or the reason behind an answer, for the host's log.
///
/// It holds no receipt, no token and no identifier. Errors of the host's caches and handlers are
/// passed on unchanged.
public enum ServiceIncident: Error, Sendable {
  /// A receipt cache could not be read.
  case receiptCacheUnreadable(any Error)
  /// A receipt cache could not be written; the stale entry was removed if possible.
  case receiptCacheUnwritable(any Error)
  /// The receipt of a cache was refused, and removed: another one is stored behind it.
  case receiptCacheRefused
  /// A message could not be delivered, and will be retried.
  case deliveryFailed(any Error)
  /// A notification of version 2 is authentic, but could not be decoded: the path of the field.
  ///
  /// It was kept for ``NotificationService/decodeKept(limit:)`` of a later version.
  case notificationNotDecoded(String)
  /// A client's signed transaction or renewal info was refused.
  ///
  /// If the failure has a path (``/JWSVerifier/SignedDataFailure/undecodedPath``), it is authentic, but
  /// this version could not decode it.
  case signedDataRefused(SignedDataFailure)
  /// A client's signed transaction was verified, but holds no facts that can be recorded.
  case signedDataNotRecorded(FactsFailure)
  /// A refresh failed for this short reason, and will be retried.
  case refreshFailed(String)
  /// A stored membership has an unknown value in this field.
  ///
  /// The value is kept, counts as valid if it is the last day, and is null for clients.
  case unknownValue(Membership.Field)
}
