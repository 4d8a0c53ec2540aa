internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Returns the facts with those of the purchases of Google Play that they continue, back to the first or to one
  /// that is known.
  ///
  /// A customer may change plans several times before anybody hears of it. Google names the purchase before each, so
  /// the way back is asked for step by step.
  ///
  /// Source: entitlement rules, section 13.
  ///
  /// - Parameters:
  ///   - isKnown: Whether nothing before the purchase with an original transaction ID is of interest; by default
  ///     everything is.
  ///   - ask: Returns the facts of a token; nil if the vendor has none.
  /// - Returns: The facts, with their ``ancestors``.
  /// - Throws: An error of either closure.
  func withLineage(
    upTo isKnown: (String) async throws -> Bool = { _ in false },
    asking ask: (String) async throws -> PurchaseFacts?
  ) async throws -> PurchaseFacts {
    var facts = self
    var (seen, token) = (Set(originalTransactionIDs), continuedToken)
    // A purchase that continues itself ends the way.
    while let next = token,
      let id = TransactionIDs.googleOriginal(of: next), seen.insert(id).inserted,
      try await !isKnown(id), let earlier = try await ask(next)
    {
      facts.ancestors.insert(earlier, at: 0)
      token = earlier.continuedToken
    }
    // Nothing may rest on those between, such as a product that the host does not know.
    for id in facts.moves.keys { facts.moves[id] = Set(facts.continuedIDs(by: id)) }
    return facts
  }
}
