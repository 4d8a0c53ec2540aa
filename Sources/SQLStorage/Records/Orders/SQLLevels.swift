internal import OrderPolicy
internal import PurchaseStorage

struct SQLLevels: LevelRepository {
  let session: SQLSession

  func all() async throws -> SubscriptionLevels {
    SubscriptionLevels(
      stored: try await session.query(.allLevels, []).map {
        row throws(StorageFailure) in try SubscriptionLevel(row: row)
      })
  }

  func replace(with levels: SubscriptionLevels) async throws {
    try await session.run(.removeLevels, [])
    try await session.execute(.addLevel, each: levels.all.map(\.values))
  }
}

extension SubscriptionLevel {
  /// Reads a row of ``SQLStatement/allLevels``; throws `StorageFailure.database` for a fee that another program wrote
  /// and that is none.
  fileprivate init(row: SQLRow) throws(StorageFailure) {
    var reader = SQLRowReader(row)
    let (name, description) = (reader.text(), reader.text())
    let quota = reader.number() ?? 0
    guard let fee = MonthlyFee(reader.text()) else {
      throw .database(code: 0, detail: "a stored fee is no number")
    }
    self.init(
      name: name, description: description, quota: quota, fee: fee,
      appleProductID: reader.name(), googleProductID: reader.name())
  }

  fileprivate var values: [SQLValue] {
    [
      .text(name), .text(description), .number(quota), .text(fee.description),
      .name(appleProductID), .name(googleProductID),
    ]
  }
}

extension SQLStatement {
  private static let levelColumns =
    "name, description, portfolio_limit, fee, apple_product_id, google_product_id"

  static let allLevels = SQLStatement(
    "level_all", "SELECT \(levelColumns) FROM subscription_levels")

  static let removeLevels = SQLStatement(
    "level_remove_all", "DELETE FROM subscription_levels")

  static let addLevel = SQLStatement(
    "level_add",
    "INSERT INTO subscription_levels (\(levelColumns)) VALUES ($1, $2, $3, $4, $5, $6)")
}
