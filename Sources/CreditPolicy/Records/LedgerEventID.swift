/// The identifiers of the ledger's entries about transactions of the App Store.
///
/// Transaction identifiers are digits, so no identifier of one round is that of another.
///
/// Source: credit rules, sections 3 and 10.
public enum LedgerEventID {
  /// The beginning that all of them have.
  static let prefix = "payment.apple_iap"

  /// Returns the identifier of a purchase's entry.
  public static func purchase(_ transactionID: String) -> String {
    "\(prefix):\(transactionID)"
  }

  /// Returns the identifier of a refund's entry; rounds count from 1.
  public static func refund(_ transactionID: String, round: Int) -> String {
    "\(prefix).refund:\(transactionID)" + suffix(round)
  }

  /// Returns the identifier of the entry that takes a refund back.
  public static func refundReversal(_ transactionID: String, round: Int) -> String {
    "\(prefix).refund_reversed:\(transactionID)" + suffix(round)
  }

  private static func suffix(_ round: Int) -> String { round > 1 ? ":\(round)" : "" }
}
