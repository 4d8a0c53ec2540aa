/// A call of a ``PlayStoreSimulator`` that makes no sense.
@nonexhaustive
public enum PlayStoreFailure: Error, Hashable, Sendable {
  /// No product for sale has this identifier.
  case unknownProduct(String)
  /// The product has no base plan of this identifier.
  case unknownBasePlan(String)
  /// The product is of the other kind: a subscription, or a one-time product.
  case otherKind
  case unknownPurchase
  /// No order of the purchase has this number.
  case unknownOrder
  /// The customer owns a subscription to the product already.
  case alreadyOwned
  /// The state of the purchase does not permit the call, such as a renewal after its end.
  case wrongState
  /// The purchase has to be acknowledged first, as Google demands before a change of plan.
  case notAcknowledged
  /// The plan does not renew by itself, or is not prepaid.
  case otherPlan
  /// The number of items is not from 1 to the number that can be refunded.
  case quantity
  /// The order was refunded before.
  case alreadyRefunded
}
