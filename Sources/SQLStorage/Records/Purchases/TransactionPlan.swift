/// The rows to write when transactions are recorded, some of which are stored already.
///
/// Unchanged transactions are not written. Their newer stamp has to be kept all the same: older data that differs may
/// arrive later, and must lose. So when an answer contains all stored transactions of a subscription, its stamp is
/// noted once, in the row of the subscription. That stamp holds for all transactions stored at that time; before an
/// older transaction is added, it is written into each of them. Source: `Documentation/rules/linking-rules.md`.
struct TransactionPlan {
  /// A stamp for all transactions of a subscription, in milliseconds; nil where each has its own.
  struct Stamp: Equatable {
    var originalTransactionID: SQLValue
    var milliseconds: Int?
  }

  /// The stamps to write into each transaction before anything else, in the order of the subscriptions.
  private(set) var settlements: [Stamp] = []
  /// The values of `transaction_record`, in ascending order of transaction id, in which they are locked.
  private(set) var rows: [[SQLValue]] = []
  /// The stamps to note in the subscriptions at the end.
  private(set) var stamps: [Stamp] = []

  private var groups: [SQLValue: Group]

  /// The identifiers of transactions that are not stored.
  private var newIDs: Set<SQLValue> = []
  /// Whether each transaction is of a locked subscription, and none changes the stamp of one.
  private var isPlain = true

  /// Plans for the values of `transaction_record`, from the identifiers and stamps of locked subscriptions and the rows
  /// of `transaction_find`.
  init(recording transactions: [[SQLValue]], subscriptions: [SQLRow], stored: [SQLRow]) {
    groups = Dictionary(
      subscriptions.map { ($0[0], Group(stamp: $0[1].number)) }, uniquingKeysWith: { $1 })
    for row in stored {
      let columns = TransactionColumns(row)
      groups[columns.originalID]?.transactions[columns.id] = Transaction(
        values: columns.values, stamp: columns.stamp)
    }
    for row in transactions { add(row) }
    let ids = Set(transactions.map { TransactionColumns($0).originalID })
    for id in ids.sorted(by: Self.areInOrder) { confirm(id) }
    rows.sort { Self.areInOrder(TransactionColumns($0).id, TransactionColumns($1).id) }
  }

  private mutating func add(_ row: [SQLValue]) {
    let columns = TransactionColumns(row)
    let id = columns.originalID
    // Without a row of the subscription each transaction has its own stamp only.
    guard var group = groups[id] else {
      isPlain = false
      return rows.append(row)
    }
    // A copy would be made of what two have.
    groups[id] = nil
    switch group.outcome(of: columns) {
    case .stale: break
    case .same: group.confirm(columns, row)
    case .changed:
      if newIDs.contains(columns.id) { isPlain = false }
      group.write(columns)
      rows.append(row)
    case .new:
      if groups.values.contains(where: { $0.transactions[columns.id] != nil }) { isPlain = false }
      newIDs.insert(columns.id)
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
    isPlain = false
    guard let stamp = group.commonStamp else {
      return rows += group.confirmed.values.map(\.row)
    }
    rows += group.confirmed.values.filter { $0.stamp > stamp }.map(\.row)
    stamps.removeAll { $0.originalTransactionID == id }
    stamps.append(Stamp(originalTransactionID: id, milliseconds: stamp))
  }

  /// Whether a transaction among ``rows`` is not stored.
  func isNew(_ row: [SQLValue]) -> Bool { newIDs.contains(TransactionColumns(row).id) }

  /// The rows of `transaction_find` once all is written; nil if only the database can tell.
  var storedAfterwards: [SQLRow]? {
    guard isPlain, settlements.isEmpty, stamps.isEmpty else { return nil }
    return groups.values.flatMap { group in
      group.transactions.values.map {
        Array($0.values) + [.number($0.stamp), .number(group.stamp)]
      }
    }
  }

  private static func areInOrder(_ one: SQLValue, _ other: SQLValue) -> Bool {
    guard case .text(let one) = one, case .text(let other) = other else { return false }
    return one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

/// The columns of a transaction, as statements write and find them, then its own stamp.
struct TransactionColumns {
  private static let count = SQLColumns.transaction.count

  let values: ArraySlice<SQLValue>
  let stamp: Int?

  init(_ row: [SQLValue]) {
    values = row.prefix(Self.count)
    stamp = row[Self.count].number
  }

  var id: SQLValue { values[0] }
  var originalID: SQLValue { values[1] }
}

extension TransactionPlan {
  /// A stored transaction, with its own stamp.
  private struct Transaction {
    var values: ArraySlice<SQLValue>
    var stamp: Int?
  }

  /// An unchanged transaction with a newer stamp.
  private struct Confirmation {
    var stamp: Int
    var row: [SQLValue]
  }

  private enum Outcome { case new, stale, same, changed }

  /// The stored transactions of a subscription, and the decisions about them.
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

    /// Gives up the common stamp if it is later than that of a new transaction, and returns it.
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

    /// The earliest of all stamps, if it belongs to an unchanged transaction with a newer stamp.
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
