internal import PurchaseStorage

/// A store whose units of work see the records that all capabilities have in common.
typealias CommonStore = PurchaseStore<any PurchaseRecords>

/// A law of a store of any capability.
typealias CommonLaw = Law<any CommonStore>

/// A law of a store with subscriptions.
typealias SubscriptionLaw = Law<any SubscriptionStore>

/// A law of a store with credits.
typealias CreditLaw = Law<any CreditStore>

/// A law of a store with entitlements.
typealias EntitlementLaw = Law<any EntitlementStore>

/// A law of a store with orders.
typealias OrderLaw = Law<any OrderStore>

/// A law of a subject, such as a store.
struct Law<Subject>: Sendable {
  let name: String
  let check: @Sendable (Subject) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
    self.name = name
    self.check = check
  }
}
