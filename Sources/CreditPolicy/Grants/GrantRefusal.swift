/// The reason for refusing to grant the credits of a verified purchase, in the order of the checks.
///
/// Source: credit rules, section 2.
public enum GrantRefusal: Hashable, Sendable, CaseIterable {
  /// No product for sale has the code (step 3).
  case productNotFound
  /// The code, the identifier that the client sent and the signed one don't name one product (step 5).
  case productMismatch
  /// The client named another transaction than the signed one (step 6).
  case transactionIDMismatch
  /// The account tokens don't fit (step 6).
  case appAccountTokenMismatch
  /// The purchase was refunded or revoked (step 7).
  case revoked
  /// Another user owns the transaction, or it is stored with another product or, if nobody got its
  /// credits, with another app (step 9).
  case conflict
  /// The identity has bought a starter pack before (step 10).
  case starterIneligible
  /// The credits or the new balance don't fit in 64 bits (step 11).
  case amountOutOfRange
}
