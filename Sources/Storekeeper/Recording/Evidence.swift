internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What Apple said at one moment, taken apart for the tables; made of verified data only.
///
/// Source: contract on linking, section 4.6.
struct Evidence {
  var environment: AppStoreEnvironment
  /// The moment at which Apple said it.
  var asOf: Date
  /// Each with its stamp, in ascending order of id, in which they are locked.
  var transactions: [PurchaseRecord]
  /// By original id; an id that is missing here was not spoken of.
  var renewals: [String: [RenewalRecord]]
  var session: VerificationSession?
  /// Apple's `latest_receipt`.
  var receipt: String?

  /// All original ids, ascending.
  var originalTransactionIDs: [String] {
    Set(transactions.map(\.originalTransactionID)).sorted()
  }

  /// Those of which it has a product that is a membership, ascending.
  ///
  /// What is stored from before does not count: of a product that the host does not know yet, nothing
  /// may follow, and Apple has to send it again.
  func originalTransactionIDs(knownTo products: ProductMap) -> [String] {
    let known = transactions.filter { products[$0.productID] != nil }
    return Set(known.map(\.originalTransactionID)).sorted()
  }

  /// The transaction with the greatest expiry, purchase date and id.
  static func latest(of transactions: [PurchaseRecord]) -> PurchaseRecord? {
    transactions.max { one, other in
      let (ends, starts) = (
        (one.expiresDate ?? .distantPast, other.expiresDate ?? .distantPast),
        (one.purchaseDate ?? .distantPast, other.purchaseDate ?? .distantPast)
      )
      if ends.0 != ends.1 { return ends.0 < ends.1 }
      if starts.0 != starts.1 { return starts.0 < starts.1 }
      return TransactionIDs.areInOrder(one.transactionID, other.transactionID)
    }
  }
}
