internal import EntitlementPolicy
internal import ReceiptModels

/// The present state of purchases, as sources told it.
struct PresentState: Sendable {
  private(set) var facts: [PurchaseFacts] = []
  /// Whether a source answered.
  var isAnswered = false
  /// The failure to reach the App Store.
  var failure: ValidationFailure?
  /// The purchases about which a source failed, or was not asked because of that.
  var failed: [PurchaseReference] = []
  private var answered: Set<PurchaseReference> = []

  init(failure: ValidationFailure? = nil) { self.failure = failure }

  mutating func add(_ facts: PurchaseFacts) {
    self.facts.append(facts)
    isAnswered = true
    for purchase in facts.purchases {
      answered.insert(Self.key(purchase.originalTransactionID, facts.environment))
    }
  }

  /// Whether the facts tell about a purchase already.
  func answers(for purchase: PurchaseReference) -> Bool {
    answered.contains(Self.key(purchase.originalTransactionID, purchase.environment))
  }

  private static func key(_ id: String, _ environment: AppStoreEnvironment) -> PurchaseReference {
    PurchaseReference(originalTransactionID: id, environment: environment)
  }
}
