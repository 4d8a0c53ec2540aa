internal import PurchaseStorage
internal import ReceiptModels

struct SQLMoney: MoneyRepository {
  let session: SQLSession

  /// The columns by which figures are told apart.
  static let key = "environment, day, measure, vendor, product_id, country, currency, cohort"

  func hold(_ source: MoneySource) async throws -> String? {
    let rows = try await session.query(.holdMoneySource, [.text(source.key)])
    guard let row = rows.first else {
      throw StorageFailure.database(code: 0, detail: "no row of a source of figures")
    }
    // Whoever waited for the row here sees what the one before it wrote.
    session.kept.forget(showing: [.transactions, .renewals, .renewalSets])
    return row.first?.name
  }

  func save(_ counted: String, of source: MoneySource) async throws {
    try await session.run(.saveMoneySource, [.text(source.key), .text(counted)])
  }

  func rename(_ source: MoneySource, to other: MoneySource) async throws {
    try await session.run(.renameMoneySource, [.text(source.key), .text(other.key)])
  }

  func add(_ changes: MoneyCounts) async throws {
    try await session.execute(
      .addMoney, each: changes.numbers.map(Self.values).sorted(by: Self.areInOrder))
  }

  func fold(limit: Int) async throws -> Int {
    guard limit > 0 else { return 0 }
    let rows = try await session.query(
      session.choose(.moneyChanges), [.number(0), .number(limit)])
    guard !rows.isEmpty else { return 0 }
    var counts = MoneyCounts()
    for row in rows {
      let (figure, amount) = Self.figure(row, from: 1)
      counts.add(amount, to: figure)
    }
    try await session.execute(.removeMoneyChange, each: rows.map { [$0[0]] })
    // In one order, so that nobody who adds to the same sums waits for this one's turn while this one waits for his.
    try await session.execute(
      .addToMoneySum, each: counts.numbers.map(Self.values).sorted(by: Self.areInOrder))
    return rows.count
  }

  func counts(
    in environment: AppStoreEnvironment, through day: CalendarDay, of span: MoneySpan
  ) async throws -> MoneyCounts {
    let values: [SQLValue] = [.environment(environment), .number(day.number)]
    var counts = MoneyCounts()
    for statement in SQLStatement.moneyCounts(of: span) {
      for row in try await session.query(statement, values) {
        let (figure, amount) = Self.figure(row)
        counts.add(amount, to: figure)
      }
    }
    return counts
  }

  /// The values of the columns of a figure, then the month and the number.
  private static func values(_ figure: MoneyFigure, _ amount: Int) -> [SQLValue] {
    [
      .environment(figure.environment), .number(figure.day.number), .text(figure.measure.rawValue),
      .text(figure.vendor.rawValue), .text(figure.productID), .text(figure.country),
      .text(figure.currency), .number(figure.cohort?.number ?? 0),
      .number(CalendarMonth(figure.day).firstDay.number), .number(amount),
    ]
  }

  private static func areInOrder(_ one: [SQLValue], _ other: [SQLValue]) -> Bool {
    for (value, second) in zip(one, other) {
      switch (value, second) {
      case (.integer(let first), .integer(let last)) where first != last: return first < last
      case (.text(let first), .text(let last)) where first != last:
        return first.utf8.lexicographicallyPrecedes(last.utf8)
      default: continue
      }
    }
    return false
  }

  private static func figure(_ row: SQLRow, from place: Int = 0) -> (MoneyFigure, Int) {
    var reader = SQLRowReader(row, from: place)
    let (environment, day) = (reader.environment(), reader.number() ?? 0)
    let measure = MoneyFigure.Measure(rawValue: reader.text())
    var figure = MoneyFigure(
      measure, on: CalendarDay(number: day), environment: environment,
      vendor: Vendor(rawValue: reader.text()), productID: reader.text(), country: reader.text())
    figure.currency = reader.text()
    let cohort = reader.number() ?? 0
    figure.cohort = cohort == 0 ? nil : CalendarMonth(number: cohort)
    return (figure, reader.number() ?? 0)
  }
}

extension LockableStatement {
  static let moneyChanges = LockableStatement(
    "money_changes",
    """
    SELECT id, \(SQLMoney.key), amount FROM money_change WHERE id > $1 ORDER BY id LIMIT $2
    """, lock: "FOR UPDATE SKIP LOCKED")
}

extension SQLStatement {
  /// Writes the row, so that it is locked in every database.
  static let holdMoneySource = SQLInsertion(
    "INSERT INTO money_source (source, turns) VALUES ($1, 0)", key: "source"
  ).returning("counted").changingStored(
    "money_source_hold", [SQLInsertion.Assignment("turns", "money_source.turns + 1")])

  static let renameMoneySource = SQLStatement(
    "money_rename", "UPDATE money_source SET source = $2 WHERE source = $1")

  static let saveMoneySource = SQLStatement(
    "money_source_save", "UPDATE money_source SET counted = $2 WHERE source = $1")

  private static let moneyColumns = """
    (\(SQLMoney.key), month, amount)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    """

  static let addMoney = SQLStatement("money_add", "INSERT INTO money_change \(moneyColumns)")

  static let addToMoneySum = SQLInsertion(
    "INSERT INTO money_sum \(moneyColumns)", key: SQLMoney.key
  ).changingStored(
    "money_sum_add",
    [SQLInsertion.Assignment("amount", "money_sum.amount + excluded.amount")])

  static let removeMoneyChange = SQLStatement(
    "money_change_remove", "DELETE FROM money_change WHERE id = $1")

  static func moneyCounts(of span: MoneySpan) -> [SQLStatement] {
    switch span {
    case .day: [.moneySumsOfDays, .moneyChangesOfDays]
    case .month: [.moneySumsOfMonths, .moneyChangesOfMonths]
    }
  }

  static let moneySumsOfDays = moneyCounts("money_sums_of_days", "money_sum", "day")
  static let moneySumsOfMonths = moneyCounts("money_sums_of_months", "money_sum", "month")
  static let moneyChangesOfDays = moneyCounts("money_changes_of_days", "money_change", "day")
  static let moneyChangesOfMonths = moneyCounts("money_changes_of_months", "money_change", "month")

  private static func moneyCounts(_ name: String, _ table: String, _ span: String) -> SQLStatement {
    SQLStatement(
      name,
      """
      SELECT environment, \(span), measure, vendor, product_id, country, currency, cohort,
        CAST(SUM(amount) AS BIGINT)
      FROM \(table) WHERE environment = $1 AND day <= $2
      GROUP BY environment, \(span), measure, vendor, product_id, country, currency, cohort
      """)
  }
}
