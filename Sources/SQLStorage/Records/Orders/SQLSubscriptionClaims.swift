internal import JSONValues
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

struct SQLSubscriptionClaims: SubscriptionClaimRepository {
  let session: SQLSession

  func owners(of purchases: [PurchaseKey]) async throws -> [AccountID?] {
    let keys = Self.inOrder(purchases)
    let answers = try await session.query(keys.map(call))
    let owners = Dictionary(zip(keys, answers.map(Self.owner))) { $1 }
    return purchases.map { owners[$0] ?? nil }
  }

  /// The query for the owner of a purchase.
  func call(_ purchase: PurchaseKey) -> SQLCall {
    SQLCall(
      session.choose(.findSubscriptionClaim),
      [.text(purchase.text), .text(purchase.vendor.rawValue)])
  }

  /// The purchases in the order in which their rows are locked.
  static func inOrder(_ purchases: [PurchaseKey]) -> [PurchaseKey] {
    Set(purchases).sorted { UniqueText($0.text) < UniqueText($1.text) }
  }

  private static func owner(_ rows: [SQLRow]) -> AccountID? {
    rows.first?.first?.name.map(AccountID.init(stored:))
  }

  func claim(_ purchase: PurchaseKey, for userID: AccountID) async throws -> AccountID {
    let call = call(purchase)
    let claim = call.values + [.name(userID)]
    if session.kept.rows(of: call.statement, call.values)?.isEmpty == true {
      try await session.run(.insertSubscriptionClaim, claim)
      return userID
    }
    for _ in 0..<Self.claimingRounds {
      try await session.run(.addSubscriptionClaim, claim)
      if let owner = Self.owner(try await session.query(call.statement, call.values)) {
        return owner
      }
      // A row that was there before may have been removed since, as nothing had locked it.
    }
    throw StorageFailure.conflict
  }

  private static let claimingRounds = 4

  func transfer(_ purchase: PurchaseKey, to userID: AccountID) async throws {
    try await session.run(
      .transferSubscriptionClaim,
      [.text(purchase.text), .text(purchase.vendor.rawValue), .name(userID)])
  }

  func remove(_ purchase: PurchaseKey) async throws {
    try await session.run(
      .removeSubscriptionClaim, [.text(purchase.text), .text(purchase.vendor.rawValue)])
  }
}

extension PurchaseKey {
  /// The text in rows of orders: Apple's identifiers stand after the environment, and those of others alone.
  var text: String { vendor == .apple ? Self.beginning(in: environment) + identifier : identifier }

  /// Reads a row of an order; a text of Apple's tells the environment itself.
  init(text: String, vendor: Vendor, environment: AppStoreEnvironment) {
    self.init(vendor: vendor, environment: environment, identifier: text)
    guard vendor == .apple else { return }
    for environment in [environment] + AppStoreEnvironment.allCases {
      let beginning = Self.beginning(in: environment).utf8
      guard text.utf8.starts(with: beginning) else { continue }
      self.environment = environment
      identifier = String(Substring(text.utf8.dropFirst(beginning.count)))
      return
    }
  }

  private static func beginning(in environment: AppStoreEnvironment) -> String {
    environment.rawValue.lowercased() + ":"
  }
}

extension SQLStatement {
  /// For a purchase that nobody had claimed; another unit of work that was faster is a duplicate at the end.
  static let insertSubscriptionClaim = SQLStatement(
    "subscription_claim_insert",
    "INSERT INTO subscription_claims (purchase_key, vendor, user_id) VALUES ($1, $2, $3)")

  static let addSubscriptionClaim = SQLInsertion(
    insertSubscriptionClaim.sql, key: "purchase_key, vendor"
  ).keepingStored("subscription_claim_add")

  static let transferSubscriptionClaim = SQLStatement(
    "subscription_claim_transfer",
    "UPDATE subscription_claims SET user_id = $3 WHERE purchase_key = $1 AND vendor = $2")

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
