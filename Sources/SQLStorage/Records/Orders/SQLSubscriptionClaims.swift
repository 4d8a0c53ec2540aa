internal import JSONValues
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

struct SQLSubscriptionClaims: SubscriptionClaimRepository {
  let session: SQLSession

  func owners(of purchaseKeys: [String], from vendor: Vendor) async throws -> [AccountID?] {
    var owners: [UniqueText: AccountID] = [:]
    // One after the other: a purchase has one key, and another one at most if it replaced a purchase.
    for key in Set(purchaseKeys.map(UniqueText.init)).sorted() {
      owners[key] = try await owner(of: key.text, from: vendor)
    }
    return purchaseKeys.map { owners[UniqueText($0)] }
  }

  private func owner(of purchaseKey: String, from vendor: Vendor) async throws -> AccountID? {
    try await session.query(
      session.choose(.findSubscriptionClaim), [.text(purchaseKey), .text(vendor.rawValue)]
    ).first?.first?.name.map(AccountID.init(stored:))
  }

  func claim(
    _ purchaseKey: String, from vendor: Vendor, for userID: AccountID
  ) async throws -> AccountID {
    for _ in 0..<Self.claimingRounds {
      try await session.run(
        .addSubscriptionClaim, [.text(purchaseKey), .text(vendor.rawValue), .name(userID)])
      if let owner = try await owner(of: purchaseKey, from: vendor) { return owner }
      // A row that was there before may have been removed since, as nothing had locked it.
    }
    throw StorageFailure.conflict
  }

  private static let claimingRounds = 4

  func remove(_ purchaseKey: String, from vendor: Vendor) async throws {
    try await session.run(.removeSubscriptionClaim, [.text(purchaseKey), .text(vendor.rawValue)])
  }
}

extension SQLStatement {
  static let addSubscriptionClaim = SQLStatement(
    "subscription_claim_add",
    """
    INSERT INTO subscription_claims (purchase_key, vendor, user_id) VALUES ($1, $2, $3)
    ON CONFLICT (purchase_key, vendor) DO NOTHING
    """)

  static let removeSubscriptionClaim = SQLStatement(
    "subscription_claim_remove",
    "DELETE FROM subscription_claims WHERE purchase_key = $1 AND vendor = $2")
}

extension LockableStatement {
  static let findSubscriptionClaim = LockableStatement(
    "subscription_claim_find",
    "SELECT user_id FROM subscription_claims WHERE purchase_key = $1 AND vendor = $2",
    lock: "FOR UPDATE")
}
