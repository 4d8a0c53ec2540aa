/// The answers to what a unit of work asked in advance, each until the unit changes a table that it shows.
///
/// Rows of others that it shows are locked, or may be as old as the answer.
final class KeptAnswers {
  private struct Answer {
    let call: SQLCall
    /// The tables whose changes change the answer.
    let tables: [String]
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
  func keep(_ rows: [SQLRow], of call: SQLCall, showing tables: [String]) {
    answers.removeAll { $0.call == call }
    answers.append(Answer(call: call, tables: tables, rows: rows))
  }

  /// Forgets what shows the table that a statement changes; everything, if its text does not begin with that table.
  func forget(changedBy statement: SQLStatement) {
    guard !answers.isEmpty, !statement.sql.hasPrefix("SELECT") else { return }
    guard let table = statement.changedTable else { return answers.removeAll() }
    answers.removeAll { $0.tables.contains { table.elementsEqual($0.utf8) } }
  }

  /// Forgets what shows one of these tables.
  func forget(showing tables: String...) {
    answers.removeAll { answer in answer.tables.contains { tables.contains($0) } }
  }

  /// Forgets what rests on the locks of subscriptions, some of which are about to be inserted.
  ///
  /// An insertion waits for another unit of work that inserts the same row. Only what is asked afterwards shows what
  /// that one wrote.
  func forgetWhatRestsOnSubscriptions() {
    forget(
      showing: "apple_subscription", "ftc_vip", "apple_transaction", "apple_pending_renewal",
      "apple_renewal_set")
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
