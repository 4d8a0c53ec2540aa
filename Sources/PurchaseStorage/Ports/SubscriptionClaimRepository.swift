internal import EntitlementPolicy
public import ReceiptModels

/// The users that purchases belong to, each purchase under vendor and key (table `subscription_claims`).
///
/// A claim outlasts the subscription that rests on it, so that nobody else takes the purchase over.
public protocol SubscriptionClaimRepository {
  /// Returns the user that has claimed each of these purchases, in the order of the keys; nil for one that
  /// nobody has claimed.
  ///
  /// In a unit of work that writes, the rows are locked in ascending order of the bytes of their keys until its
  /// end.
  func owners(of purchaseKeys: [String], from vendor: Vendor) async throws -> [AccountID?]

  /// Claims a purchase for a user, unless somebody has claimed it.
  ///
  /// If another unit of work is claiming it, this waits for its end: of any number of users that claim a
  /// purchase at once, one gets it.
  ///
  /// - Returns: The user that has it then.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func claim(
    _ purchaseKey: String, from vendor: Vendor, for userID: AccountID
  ) async throws -> AccountID

  /// Removes the claim to a purchase, whoever has it.
  func remove(_ purchaseKey: String, from vendor: Vendor) async throws
}
