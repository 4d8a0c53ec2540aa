/// The credits of a verified purchase.
///
/// Source: credit rules, section 1.
public struct CreditGrant: Hashable, Sendable {
  /// The outcome of a request.
  public enum Status: Hashable, Sendable, CaseIterable {
    case granted
    case alreadyGranted
  }

  public let status: Status
  public let productCode: String
  public let transactionID: String
  /// The credits that were given now; 0 if they were given before.
  public let creditsAdded: Int
  public let newBalance: Int
  /// The identifier of the purchase's entry in the ledger.
  public let ledgerEventID: String
}
