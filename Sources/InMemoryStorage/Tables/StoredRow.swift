internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value that is brought into its stored form before any table sees it.
protocol StoredRow: Sendable {
  var stored: Self { get }
}

/// A row that contains its own key.
protocol KeyedRow: Sendable {
  var rowKey: RowKey { get }
}

extension StoredRow {
  var stored: Self { self }

  /// Returns the value with dates as columns of milliseconds store them.
  func inMilliseconds(_ dates: WritableKeyPath<Self, Date>...) -> Self {
    var row = self
    for date in dates { row[keyPath: date] = row[keyPath: date].inMilliseconds }
    return row
  }

  /// Returns the value with dates as columns of milliseconds store them.
  func inMilliseconds(_ dates: WritableKeyPath<Self, Date?>...) -> Self {
    var row = self
    for date in dates { row[keyPath: date] = row[keyPath: date]?.inMilliseconds }
    return row
  }
}

/// A value with the moment at which it was recorded.
struct Recorded<Value: StoredRow & KeyedRow>: StoredRow, KeyedRow {
  var value: Value
  var date: Date

  var rowKey: RowKey { value.rowKey }
  var stored: Self { Recorded(value: value.stored, date: date.inSeconds) }
}

extension Table where Key == RowKey, Row: KeyedRow & StoredRow {
  /// Writes the stored form of a row, over a stored one with the same key.
  mutating func save(_ row: Row) { self[row.rowKey] = row.stored }

  /// Adds the stored form of a row and returns true, unless one with the same key is there, which stays as it is.
  @discardableResult
  mutating func add(_ row: Row) -> Bool { add(row.stored, at: row.rowKey) }

  /// Writes the stored form of a row, unless a stored one with the same key has a later stamp.
  mutating func keepLatest(_ row: Row, by stamp: (Row) -> Date) {
    let row = row.stored
    if let stored = self[row.rowKey], stamp(stored) > stamp(row) { return }
    self[row.rowKey] = row
  }
}

extension Date {
  var inSeconds: Date { StoredMoment.inSeconds(self) }
  var inMilliseconds: Date { StoredMoment.inMilliseconds(self) }
}
