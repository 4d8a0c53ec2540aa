#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A charge of a subscription in a store's own books, which no service reads.
struct BookedCharge {
  let id: Int
  let productID: String
  let purchased: Date
  let end: Date
  var revoked: Date?
  var isUpgraded = false
}

extension [BookedCharge] {
  /// Returns the product that these charges of one subscription give at a moment, or nil.
  ///
  /// This is the rule once more, word by word and on purpose apart from the rule that the services ask.
  ///
  /// Source: linking rules, section 4.7, steps 2 and 3.
  func due(at now: Date) -> ShownProduct? {
    let counting = filter { charge in
      charge.revoked == nil && !charge.isUpgraded
        && !contains { other in
          other.productID != charge.productID && charge.purchased < other.purchased
            && other.purchased < charge.end
        }
    }
    let latest = counting.max { ($0.end, $0.purchased, $0.id) < ($1.end, $1.purchased, $1.id) }
    return latest.flatMap { ShownProduct($0.productID, until: $0.end, at: now) }
  }
}
