internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Returns the facts with their ``ancestors``: those of the purchases of Google Play that they continue, back to
  /// the first.
  ///
  /// A customer may change plans several times before anybody hears of it. Google names the purchase before each, so
  /// the way back is asked for step by step: `ask` returns the facts of a token, or nil if the vendor has none.
  /// Source: entitlement rules, section 13.
  func withLineage(
    asking ask: (String) async throws -> PurchaseFacts?
  ) async throws -> PurchaseFacts {
    var facts = self
    var (seen, token) = (Set(originalTransactionIDs), continuedToken)
    // A purchase that continues itself ends the way.
    while let next = token,
      let id = TransactionIDs.googleOriginal(of: next), seen.insert(id).inserted,
      let earlier = try await ask(next)
    {
      facts.ancestors.insert(earlier, at: 0)
      token = earlier.continuedToken
    }
    facts.distantIDs = facts.moves.keys.sorted().flatMap { facts.continuedIDs(by: $0) }
    return facts
  }
}
