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
  var renewals: Renewals
  /// The original ids of transactions before Apple moved them to another one, by its word.
  var previousIDs: Set<String> = []
  var session: VerificationSession?
  /// Apple's `latest_receipt`.
  var receipt: String?

  /// What was said about coming renewals.
  enum Renewals {
    /// All entries, by original id; an id that is missing was not spoken of.
    case complete([String: [RenewalRecord]])
    /// One entry, which says nothing about others.
    case single(RenewalRecord)
    case none

    var all: [RenewalRecord] {
      switch self {
      case .complete(let entries): entries.flatMap(\.value)
      case .single(let entry): [entry]
      case .none: []
      }
    }
  }

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
}
