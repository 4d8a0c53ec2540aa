internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value that is checked and brought into its stored form before any table sees it.
protocol StoredRow: Sendable {
  /// Throws unless a row can hold every text.
  func checkTexts() throws(StorageFailure)
  /// The value as a later query reads it.
  var stored: Self { get }
}

extension StoredRow {
  var stored: Self { self }
}

/// A row that contains its own key.
protocol KeyedRow: Sendable {
  var rowKey: RowKey { get }
}

/// A row that a worker leases.
protocol LeasedRow: Sendable {
  var lease: MemoryLease? { get set }
}

/// A lease of a worker.
struct MemoryLease: Sendable {
  var token: String
  var until: Date
}

extension LeasedRow {
  /// Whether no lease excludes other workers at a moment.
  func isFree(at now: Date) -> Bool { lease.map { $0.until <= now } ?? true }
}

/// A value with the moment at which it was recorded.
struct Recorded<Value: StoredRow & KeyedRow>: StoredRow, KeyedRow {
  var value: Value
  var date: Date

  var rowKey: RowKey { value.rowKey }
  var stored: Self { Recorded(value: value.stored, date: date.inSeconds) }

  func checkTexts() throws(StorageFailure) { try value.checkTexts() }
}

extension Table where Key == RowKey, Row: KeyedRow {
  /// Writes a row, over a stored one with the same key.
  mutating func save(_ row: Row) { self[row.rowKey] = row }

  /// Adds a row, unless one with the same key is there, which stays as it is.
  ///
  /// - Returns: Whether it was added.
  @discardableResult
  mutating func add(_ row: Row) -> Bool {
    guard self[row.rowKey] == nil else { return false }
    save(row)
    return true
  }

  /// Writes a row, unless a stored one with the same key has a later stamp.
  mutating func keepLatest(_ row: Row, by stamp: (Row) -> Date) {
    if let stored = self[row.rowKey], stamp(stored) > stamp(row) { return }
    save(row)
  }
}

extension Table where Row: LeasedRow {
  /// Ends a lease and changes its row, if the token still holds it.
  ///
  /// - Returns: False if the lease was lost.
  @discardableResult
  mutating func end(
    _ token: String, of key: Key, _ change: (inout Row) -> Void = { _ in }
  ) -> Bool {
    guard var row = self[key], row.lease?.token.isSame(as: token) == true else { return false }
    row.lease = nil
    change(&row)
    self[key] = row
    return true
  }
}

extension Date {
  /// The date as a column of seconds stores it.
  var inSeconds: Date { StoredMoment.inSeconds(self) }
  /// The date as a column of milliseconds stores it.
  var inMilliseconds: Date { StoredMoment.inMilliseconds(self) }
}
