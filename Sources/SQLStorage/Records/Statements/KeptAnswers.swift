/// The answers to what a unit of work asked in advance, each until the unit changes a table that it shows.
///
/// Rows of others that it shows are locked, or may be as old as the answer.
final class KeptAnswers {
  private struct Answer {
    let call: SQLCall
    /// The tables whose changes change the answer.
    let tables: KeptTables
    let rows: [SQLRow]
  }

  private var answers: [Answer] = []

  /// The answer to a statement, if it is kept.
  ///
  /// Texts that Unicode takes for the same count as the same, but no unit of work asks about two of them.
  func rows(of statement: SQLStatement, _ values: [SQLValue]) -> [SQLRow]? {
    guard !answers.isEmpty else { return nil }
    return answers.first { $0.call.statement == statement && $0.call.values == values }?.rows
  }

  /// The first row of kept answers to some statements that fits a condition.
  func row(of statements: [SQLStatement], where fits: (SQLRow) -> Bool) -> SQLRow? {
    for answer in answers where statements.contains(answer.call.statement) {
      if let row = answer.rows.first(where: fits) { return row }
    }
    return nil
  }

  /// The answers to statements, each of which shows what the one before it locked, if all are kept in this order.
  func rows(ofAll calls: [SQLCall]) -> [[SQLRow]]? {
    var rows: [[SQLRow]] = []
    var left = answers[...]
    for call in calls {
      guard let index = left.firstIndex(where: { $0.call == call }) else { return nil }
      rows.append(left[index].rows)
      left = left[(index + 1)...]
    }
    return rows
  }

  /// Keeps an answer instead of an earlier one.
  func keep(_ rows: [SQLRow], of call: SQLCall, showing tables: KeptTables) {
    answers.removeAll { $0.call == call }
    answers.append(Answer(call: call, tables: tables, rows: rows))
  }

  /// Forgets what shows the table that a statement changes; everything, if its text does not begin with that table.
  func forget(changedBy statement: SQLStatement) {
    guard !answers.isEmpty, !statement.sql.hasPrefix("SELECT") else { return }
    guard let table = statement.changedTable else { return answers.removeAll() }
    forget(showing: KeptTables(named: table))
  }

  /// Forgets what shows one of these tables.
  func forget(showing tables: KeptTables) {
    answers.removeAll { !$0.tables.isDisjoint(with: tables) }
  }

  /// Forgets what rests on the locks of subscriptions, some of which are about to be inserted.
  ///
  /// An insertion waits for another unit of work that inserts the same row. Only what is asked afterwards shows what
  /// that one wrote.
  func forgetWhatRestsOnSubscriptions() {
    forget(showing: [.subscriptions, .memberships, .transactions, .renewals, .renewalSets])
  }
}

/// Tables that kept answers show.
struct KeptTables: OptionSet {
  let rawValue: Int

  static let subscriptions = KeptTables(rawValue: 1)
  static let memberships = KeptTables(rawValue: 1 << 1)
  static let transactions = KeptTables(rawValue: 1 << 2)
  static let renewals = KeptTables(rawValue: 1 << 3)
  static let renewalSets = KeptTables(rawValue: 1 << 4)
  static let notifications = KeptTables(rawValue: 1 << 5)
  static let receipts = KeptTables(rawValue: 1 << 6)
  static let associations = KeptTables(rawValue: 1 << 7)
  static let unanswered = KeptTables(rawValue: 1 << 8)
  static let orders = KeptTables(rawValue: 1 << 9)
  static let levels = KeptTables(rawValue: 1 << 10)
  static let claims = KeptTables(rawValue: 1 << 11)

  private static let names = [
    "apple_subscription", "ftc_vip", "apple_transaction", "apple_pending_renewal",
    "apple_renewal_set", "apple_webhook", "apple_receipt", "store_associations",
    "store_unanswered", "user_subscriptions", "subscription_levels", "subscription_claims",
  ]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// The table with a name; none if no kept answer shows it.
  init(named name: Substring.UTF8View) {
    let place = Self.names.firstIndex { name.elementsEqual($0.utf8) }
    rawValue = place.map { 1 << $0 } ?? 0
  }
}

extension SQLStatement {
  /// The table that the statement changes, if the text begins with it.
  fileprivate var changedTable: Substring.UTF8View? {
    for beginning in ["INSERT INTO ", "UPDATE ", "DELETE FROM "] where sql.hasPrefix(beginning) {
      return sql.utf8.dropFirst(beginning.utf8.count).prefix { $0 > UInt8(ascii: " ") }
    }
    return nil
  }
}
