public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The claim of an identity to bonuses, as it is stored.
///
/// Source: credit rules, sections 5 and 7.
public struct StarterClaim: Hashable, Sendable {
  public var identity: String
  public var userID: AccountID?
  public var hasPurchasedStarterPack: Bool
  public var starterTransactionID: String?
  /// The date at which the starter pack was granted, in milliseconds.
  public var starterPurchasedDate: Date?

  /// Creates a claim.
  public init(
    identity: String, userID: AccountID? = nil, hasPurchasedStarterPack: Bool = false,
    starterTransactionID: String? = nil, starterPurchasedDate: Date? = nil
  ) {
    self.identity = identity
    self.userID = userID
    self.hasPurchasedStarterPack = hasPurchasedStarterPack
    self.starterTransactionID = starterTransactionID
    self.starterPurchasedDate = starterPurchasedDate
  }
}
