internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The present state of purchases, as sources told it or failed to tell it.
struct PresentState: Sendable {
  /// A question that nobody answered.
  private struct Failure {
    let purchase: PurchaseReference
    let isOutage: Bool
  }

  private(set) var facts: [PurchaseFacts] = []
  /// The purchases whose state is known: a source answered about them, or evidence holds them.
  private(set) var proven: Set<PurchaseKey> = []
  /// The purchases that no source can answer for, so that what is stored stands.
  private(set) var silent: Set<PurchaseKey> = []
  private var failures: [Failure] = []
  /// The moment from which sources were asked; nil where none was.
  private(set) var askedDate: Date?

  init() {}

  /// The state of purchases that sources are asked about from a moment on.
  init(askedFrom date: Date) { askedDate = date }

  /// The state that facts prove.
  init(_ facts: [PurchaseFacts]) { for facts in facts { add(facts) } }

  mutating func add(_ facts: PurchaseFacts) {
    self.facts.append(facts)
    proven.formUnion(facts.keys)
  }

  mutating func prove(_ purchase: PurchaseReference) { proven.insert(purchase.key) }

  mutating func pass(over purchase: PurchaseReference) { silent.insert(purchase.key) }

  /// Notes that every source that may answer failed, or that one refused to answer.
  mutating func fail(_ purchase: PurchaseReference, isOutage: Bool) {
    failures.append(Failure(purchase: purchase, isOutage: isOutage))
  }

  func answers(for purchase: PurchaseReference) -> Bool { proven.contains(purchase.key) }

  /// The purchases whose state could not be learned, in the order in which they were asked about.
  var failed: [PurchaseReference] { failures.map(\.purchase).filter { !answers(for: $0) } }

  /// The purchases about which every source that may answer failed.
  var unreachable: Set<PurchaseKey> { keys { $0.isOutage } }

  /// The purchases about which a source refused to answer.
  var refused: Set<PurchaseKey> { keys { !$0.isOutage } }

  private func keys(where isWanted: (Failure) -> Bool) -> Set<PurchaseKey> {
    Set(failures.filter(isWanted).map(\.purchase.key)).subtracting(proven)
  }
}

extension PurchaseFacts {
  var keys: Set<PurchaseKey> { Set(originalTransactionIDs.map { purchaseKey(of: $0) }) }
}

extension PurchaseReference {
  var key: PurchaseKey {
    PurchaseKey(originalTransactionID: originalTransactionID, environment: environment)
  }
}

extension PurchaseAssociation {
  var key: PurchaseKey {
    PurchaseKey(originalTransactionID: originalTransactionID, environment: environment)
  }
}

extension UnansweredPurchase {
  var key: PurchaseKey {
    PurchaseKey(originalTransactionID: originalTransactionID, environment: environment)
  }
}
