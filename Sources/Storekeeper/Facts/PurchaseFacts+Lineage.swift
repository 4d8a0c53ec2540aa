internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// The maximum number of purchases of one lineage that are asked about.
  private static let longestLineage = 100

  /// Returns the facts with those of the purchases of Google Play that they continue, back to the first or to one
  /// that is known.
  ///
  /// A customer may change plans several times before anybody hears of it. Google names the purchase before each, so
  /// the way back is asked for step by step.
  ///
  /// Source: entitlement rules, section 13.
  ///
  /// - Parameters:
  ///   - isKnown: Whether nothing before the purchase with an original transaction ID is of interest.
  ///   - ask: Returns the facts of a token; nil if the vendor has none.
  /// - Returns: The facts, with their ``ancestors``.
  /// - Throws: An error of either closure.
  func withLineage(
    upTo isKnown: (String) async throws -> Bool,
    asking ask: (String) async throws -> PurchaseFacts?
  ) async throws -> PurchaseFacts {
    var facts = self
    var (seen, token) = (Set(originalTransactionIDs), continuedToken)
    while let next = token, facts.ancestors.count < Self.longestLineage,
      let id = TransactionIDs.googleOriginal(of: next), seen.insert(id).inserted,
      try await !isKnown(id), let earlier = try await ask(next)
    {
      facts.ancestors.insert(earlier, at: 0)
      token = earlier.continuedToken
    }
    return facts
  }
}
