public import ReceiptModels

/// The reason why an ``AppStoreSimulator`` refuses a call; nothing has changed then.
@nonexhaustive
public enum SimulatorFailure: Error, Hashable, Sendable {
  /// Apple sells in Production and in the Sandbox only.
  case environmentNotServed(AppStoreEnvironment)
  /// A developer has at least one app.
  case noApps
  /// The simulator does not sell this product; see ``AppStoreSimulator/products``.
  case unknownProduct(String)
  /// The purchase was made at another simulator.
  case unknownPurchase
  /// The change is only possible for a subscription that renews.
  case notASubscription
  /// The customer has an active subscription of this group, and cannot have a second one.
  case subscriptionRunning
  /// The other product is of another group.
  case otherGroup
  /// A purchase cannot be shared with its buyer.
  case sharedWithBuyer
  /// Only a shared purchase is revoked; a paid one is refunded.
  case notShared
  /// Only a consumable is finished; other products stay in the receipt.
  case notAConsumable
  /// The charge was refunded before.
  case alreadyRefunded
  /// The customer has not asked for a refund of the charge.
  case refundNotRequested
  /// Apple does not extend the subscription: it does not run, is free or shared, or was extended
  /// twice in a year.
  case notExtensible
}
