import InMemoryStorage
import PurchaseStorage
import StorekeeperTesting
import Testing

/// A store that must not be asked.
func unreachableStore() -> any PurchaseStore {
  WrappedStore(InMemoryPurchaseStore()) { access, _ in
    Issue.record("the store was asked, for \(access)")
    throw StorageFailure.conflict
  }
}
