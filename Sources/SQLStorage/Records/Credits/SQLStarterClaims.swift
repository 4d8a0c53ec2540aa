internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLStarterClaims: StarterClaimRepository {
  let session: SQLSession

  func find(identity: String) async throws -> StarterClaim? {
    try await session.query(.findStarterClaim, [.text(identity)]).first.map { row in
      var reader = SQLRowReader(row)
      return StarterClaim(
        identity: reader.text(), userID: reader.accountID(),
        hasPurchasedStarterPack: reader.flag() ?? false, starterTransactionID: reader.name(),
        starterPurchasedDate: reader.milliseconds())
    }
  }

  func mark(
    identity: String, userID: AccountID, transactionID: String, now: Date
  ) async throws -> Bool {
    try await session.execute(
      .markStarterClaim,
      [.text(identity), .name(userID), .text(transactionID), .milliseconds(now)]) > 0
  }
}

extension SQLStatement {
  static let findStarterClaim = SQLStatement(
    "claim_find",
    """
    SELECT email_identity, user_id, has_purchased_starter_pack, starter_transaction_id,
      starter_purchased_at
    FROM register_bonus_claims WHERE email_identity = $1
    """)

  static let markStarterClaim = SQLInsertion(
    """
    INSERT INTO register_bonus_claims (email_identity, user_id, has_purchased_starter_pack,
      starter_transaction_id, starter_purchased_at)
    VALUES ($1, $2, 1, $3, $4)
    """, key: "email_identity"
  ).changingStored(
    "claim_mark",
    [
      .init("user_id", "COALESCE(register_bonus_claims.user_id, excluded.user_id)"),
      .init("has_purchased_starter_pack", "1"), .overwriting("starter_transaction_id"),
      .overwriting("starter_purchased_at"),
    ], where: "register_bonus_claims.has_purchased_starter_pack = 0")
}
