public import CreditPolicy
public import JWSVerifier
public import ReceiptModels

/// The reason for refusing a request about credits.
///
/// After any of these, nothing was written, except that a refused starter pack is told to the host
/// (``CreditService/grant(_:signedTransactionInfo:)``).
///
/// Source: credit rules, section 2.
public enum CreditFailure: Error, Hashable, Sendable {
  /// The rules refuse the purchase.
  case refused(GrantRefusal)
  /// The signed transaction is not authentic, or belongs to another app.
  case notVerified(SignedDataFailure)
  /// Purchases of this environment get no credits.
  case environmentNotAllowed(AppStoreEnvironment)
  /// The signed transaction is authentic, but lacks a value that is needed.
  case payloadInvalid
  /// The revocation status of a certificate is unknown, because Apple could not be reached.
  case revocationUnknown(SignedDataFailure)
  /// The balance is too small for the booking.
  case balanceInsufficient
  /// The new balance would not fit in 64 bits.
  case amountOutOfRange
  /// The event's identifier or the kind of the change is reserved for purchases.
  case reservedEvent
  /// Other requests changed the same records again and again; try later.
  case conflict
}
