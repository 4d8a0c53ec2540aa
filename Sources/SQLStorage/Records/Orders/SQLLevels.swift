internal import EntitlementPolicy
internal import PurchaseStorage

struct SQLLevels: LevelRepository {
  let session: SQLSession

  func all() async throws -> SubscriptionLevels {
    SubscriptionLevels(
      stored: try await session.query(.allLevels, []).map(SubscriptionLevel.init(row:)))
  }

  func replace(with levels: SubscriptionLevels) async throws {
    try await session.run(.removeLevels, [])
    try await session.execute(.addLevel, each: levels.all.map(\.values))
  }
}

extension SubscriptionLevel {
  /// Reads a row of ``SQLStatement/allLevels``.
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      name: reader.text(), description: reader.text(), portfolioLimit: reader.number() ?? 0,
      fee: MonthlyFee(reader.text()) ?? "0", appleProductID: reader.name(),
      googleProductID: reader.name())
  }

  /// The values of ``SQLStatement/levelColumns``.
  fileprivate var values: [SQLValue] {
    [
      .text(name), .text(description), .number(portfolioLimit), .text(fee.description),
      .name(appleProductID), .name(googleProductID),
    ]
  }
}

extension SQLStatement {
  private static let levelColumns =
    "name, description, portfolio_limit, fee, apple_product_id, google_product_id"

  fileprivate static let allLevels = SQLStatement(
    "level_all", "SELECT \(levelColumns) FROM subscription_levels")

  fileprivate static let removeLevels = SQLStatement(
    "level_remove_all", "DELETE FROM subscription_levels")

  fileprivate static let addLevel = SQLStatement(
    "level_add",
    "INSERT INTO subscription_levels (\(levelColumns)) VALUES ($1, $2, $3, $4, $5, $6)")
}
