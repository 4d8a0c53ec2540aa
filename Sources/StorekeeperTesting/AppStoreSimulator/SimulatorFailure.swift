public import ReceiptModels

/// Why an ``AppStoreSimulator`` does not do what a call asks for; nothing has changed then.
@nonexhaustive
public enum SimulatorFailure: Error, Hashable, Sendable {
  /// Apple sells in Production and in the Sandbox only.
  case environmentNotServed(AppStoreEnvironment)
  /// The simulator does not sell this product; see ``AppStoreSimulator/products``.
  case unknownProduct(String)
  /// The purchase was made at another simulator.
  case unknownPurchase
  /// Only a subscription that renews can be changed so.
  case notASubscription
  /// The customer has a running subscription of this group, and cannot have a second one.
  case subscriptionRunning
  /// A subscription is changed within its group.
  case otherGroup
  /// A purchase is shared with somebody else than who bought it.
  case sharedWithBuyer
  /// Only what is shared is revoked; what is paid for is refunded.
  case notShared
  /// Only a consumable is finished; other products stay in the receipt.
  case notAConsumable
}
