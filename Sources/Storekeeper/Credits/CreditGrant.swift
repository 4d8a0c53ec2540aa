/// The credits of a verified purchase.
///
/// Source: credit rules, section 1.
public struct CreditGrant: Hashable, Sendable {
  /// The outcome of a request.
  public enum Status: Hashable, Sendable, CaseIterable {
    /// The credits were given now.
    case granted
    /// The credits were given before.
    case alreadyGranted
  }

  /// The outcome.
  public let status: Status
  /// The host's code of the product.
  public let productCode: String
  public let transactionID: String
  /// The credits that were given now; 0 if they were given before.
  public let creditsAdded: Int
  /// The user's balance.
  public let newBalance: Int
  /// The identifier of the purchase's entry in the ledger.
  public let ledgerEventID: String
}
