internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Claims of starter packs, in memory.
struct MemoryStarterClaims: StarterClaimRepository {
  let unit: MemoryUnit

  func find(identity: String) throws -> StarterClaim? {
    try unit.reading { $0.credits.claims[Array(identity.utf8)] }
  }

  func mark(
    identity: String, userID: AccountID, transactionID: String, now: Date
  ) throws -> Bool {
    try StarterClaim.check(identity: identity, userID: userID, transactionID: transactionID)
    return try unit.writing { tables in
      let key = Array(identity.utf8)
      var claim = tables.credits.claims[key] ?? StarterClaim(identity: identity)
      guard !claim.hasPurchasedStarterPack else { return false }
      claim.userID = claim.userID ?? userID
      claim.hasPurchasedStarterPack = true
      claim.starterTransactionID = transactionID
      claim.starterPurchasedDate = StoredMoment.inMilliseconds(now)
      tables.credits.claims[key] = claim
      return true
    }
  }
}
