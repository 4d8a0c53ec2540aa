/// What has to be written when Apple tells of transactions, of which some are stored.
///
/// What did not change is not written. That Apple said it again has to be kept all the same: older data
/// that differs may come later, and must lose. So where Apple tells of all stored transactions of a
/// subscription, the moment is noted once, in the row of the subscription. It holds for all that is
/// stored then; before another transaction comes that is older, it is written into each of them.
///
/// Source: contract on linking, section 4.6.
struct TransactionPlan {
  /// The moment for all transactions of a subscription, in milliseconds; nil where each has its own.
  struct Stamp: Equatable {
    var originalTransactionID: SQLValue
    var milliseconds: Int?
  }

  /// What is written into each transaction before anything else, in the order of the subscriptions.
  private(set) var settlements: [Stamp] = []
  /// The values of `transaction_record`, in ascending order of transaction id, in which they are locked.
  private(set) var rows: [[SQLValue]] = []
  /// What is noted in the subscriptions in the end.
  private(set) var stamps: [Stamp] = []

  private var groups: [SQLValue: Group]

  /// Transactions as values of `transaction_record`, beside what `transaction_lock` and
  /// `transaction_find` give.
  init(recording transactions: [[SQLValue]], subscriptions: [SQLRow], stored: [SQLRow]) {
    groups = Dictionary(
      subscriptions.map { ($0[0], Group(stamp: $0[1].number)) }, uniquingKeysWith: { $1 })
    for row in stored {
      groups[row[1]]?.transactions[row[0]] = Transaction(
        values: row.prefix(TransactionColumns.count), stamp: row[22].number)
    }
    for row in transactions { add(row) }
    for id in Set(transactions.map { $0[1] }).sorted(by: Self.areInOrder) { confirm(id) }
    rows.sort { Self.areInOrder($0[2], $1[2]) }
  }

  private mutating func add(_ row: [SQLValue]) {
    let (id, columns) = (row[1], TransactionColumns(row))
    // Without a row of the subscription each transaction has its own stamp only.
    guard var group = groups[id] else { return rows.append(row) }
    // A copy would be made of what two have.
    groups[id] = nil
    switch group.outcome(of: columns) {
    case .stale: break
    case .same: group.confirm(columns, row)
    case .changed:
      group.write(columns)
      rows.append(row)
    case .new:
      if let stamp = group.settle(before: columns.stamp) {
        settlements.append(Stamp(originalTransactionID: id, milliseconds: stamp))
        stamps.append(Stamp(originalTransactionID: id, milliseconds: nil))
      }
      group.write(columns)
      rows.append(row)
    }
    groups[id] = group
  }

  private mutating func confirm(_ id: SQLValue) {
    guard let group = groups[id], !group.confirmed.isEmpty else { return }
    guard let stamp = group.commonStamp else {
      return rows += group.confirmed.values.map(\.row)
    }
    rows += group.confirmed.values.filter { $0.stamp > stamp }.map(\.row)
    stamps.removeAll { $0.originalTransactionID == id }
    stamps.append(Stamp(originalTransactionID: id, milliseconds: stamp))
  }

  private static func areInOrder(_ one: SQLValue, _ other: SQLValue) -> Bool {
    guard case .text(let one) = one, case .text(let other) = other else { return false }
    return one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

/// A transaction of `transaction_record`, as `transaction_find` gives it.
struct TransactionColumns {
  /// All but the stamps.
  static let count = 22

  let values: ArraySlice<SQLValue>
  let stamp: Int?

  init(_ row: [SQLValue]) {
    values = [row[2], row[1], row[3], row[0]] + row[4...21]
    stamp = row[23].number
  }

  var id: SQLValue { values[0] }
}

extension TransactionPlan {
  /// A stored transaction, with its own stamp.
  private struct Transaction {
    var values: ArraySlice<SQLValue>
    var stamp: Int?
  }

  /// An unchanged transaction that Apple told of again, later.
  private struct Confirmation {
    var stamp: Int
    var row: [SQLValue]
  }

  private enum Outcome { case new, stale, same, changed }

  /// What is stored of a subscription, and what has been decided about it.
  private struct Group {
    var stamp: Int?
    var transactions: [SQLValue: Transaction] = [:]
    var confirmed: [SQLValue: Confirmation] = [:]

    init(stamp: Int?) { self.stamp = stamp }

    /// The monotonic guard.
    func outcome(of columns: TransactionColumns) -> Outcome {
      guard let stored = transactions[columns.id] else { return .new }
      guard let stamp = columns.stamp else { return .stale }
      if let effective = effectiveStamp(of: columns.id), stamp < effective { return .stale }
      return stored.values == columns.values ? .same : .changed
    }

    mutating func confirm(_ columns: TransactionColumns, _ row: [SQLValue]) {
      guard let stamp = columns.stamp else { return }
      if let effective = effectiveStamp(of: columns.id), stamp <= effective { return }
      confirmed[columns.id] = Confirmation(stamp: stamp, row: row)
    }

    mutating func write(_ columns: TransactionColumns) {
      transactions[columns.id] = Transaction(values: columns.values, stamp: columns.stamp)
      confirmed[columns.id] = nil
    }

    /// The common stamp, if it would be later than that of a new transaction; then no longer common.
    mutating func settle(before other: Int?) -> Int? {
      guard let stamp, other.map({ $0 < stamp }) ?? true else { return nil }
      transactions = transactions.mapValues {
        Transaction(values: $0.values, stamp: max($0.stamp ?? stamp, stamp))
      }
      self.stamp = nil
      return stamp
    }

    func effectiveStamp(of id: SQLValue) -> Int? {
      [confirmed[id]?.stamp, transactions[id]?.stamp, stamp].compactMap(\.self).max()
    }

    /// The earliest stamp of all, if that is of a transaction that was told of again.
    var commonStamp: Int? {
      var earliest = Int.max
      for id in transactions.keys {
        guard let stamp = effectiveStamp(of: id) else { return nil }
        earliest = min(earliest, stamp)
      }
      return confirmed.values.contains { $0.stamp == earliest } ? earliest : nil
    }
  }
}
