public import JWSVerifier
public import ReceiptModels

/// The purchases of an order number.
public struct OrderLookup: Sendable {
  /// Whether the order number is valid, which Apple doesn't sign.
  public let status: Unsigned<OrderLookupStatus>
  /// The verified transactions; empty unless the order number is valid.
  public let transactions: [Verified<Transaction>]
  /// The elements that were refused.
  public let refused: [RefusedElement]
}
