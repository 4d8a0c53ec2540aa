import PurchaseStorage
import StorekeeperTesting
import Testing

/// A store that must not be asked.
func unreachableStore() -> any SubscriptionStore {
  WrappedStore(InMemoryPurchaseStore().forSubscriptions) { access, _ in
    Issue.record("the store was asked, for \(access)")
    throw StorageFailure.conflict
  }
}
