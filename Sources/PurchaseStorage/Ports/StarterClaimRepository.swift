public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The identities that bought a starter pack (table `register_bonus_claims`).
public protocol StarterClaimRepository {
  /// Returns the claim of an identity, or nil if there is none.
  func find(identity: String) async throws -> StarterClaim?

  /// Marks that an identity bought a starter pack, in one statement: of several at once, one succeeds.
  ///
  /// The row is locked until the end of the unit of work. A user that the row has already stays there.
  ///
  /// - Parameters:
  ///   - identity: The identity, 1 to 1,024 bytes; see ``/CreditPolicy/StarterIdentity``.
  ///   - userID: The user.
  ///   - transactionID: The transaction of the starter pack.
  ///   - now: The present moment.
  /// - Returns: False if it was marked before, in which case nothing is changed.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func mark(
    identity: String, userID: AccountID, transactionID: String, now: Date
  ) async throws -> Bool
}
