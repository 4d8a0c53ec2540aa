internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Rows in the order of their keys, found by key or by an index.
///
/// A copy is a snapshot. A row is read and written without a walk over the others; only the array of keys is
/// moved where a row comes or goes before its end.
struct Table<Key: Hashable & Comparable & Sendable, Row: Sendable>: Sendable {
  private var rows: [Key: Row] = [:]
  /// The keys of all rows, in ascending order.
  private(set) var keys: [Key] = []
  /// The greatest key that a row has ever had.
  private(set) var greatestKey: Key?
  private var index: [IndexKey: [Key]] = [:]
  private let indexKeys: @Sendable (Row) -> [IndexKey]

  /// Creates an empty table; the function gives the keys by which an index finds a row.
  init(by indexKeys: @escaping @Sendable (Row) -> [IndexKey] = { _ in [] }) {
    self.indexKeys = indexKeys
  }

  /// The row with a key; nil stands for none.
  subscript(key: Key) -> Row? {
    get { rows[key] }
    set {
      let before = rows[key]
      rows[key] = newValue
      switch (before, newValue) {
      case (nil, .some):
        keys.insertInOrder(key)
        greatestKey = max(greatestKey ?? key, key)
      case (.some, nil): keys.removeInOrder(key)
      default: break
      }
      moveInIndex(key, from: before.map(indexKeys) ?? [], to: newValue.map(indexKeys) ?? [])
    }
  }

  /// Adds a row and returns true, unless one with the key is there, which stays as it is.
  @discardableResult
  mutating func add(_ row: Row, at key: Key) -> Bool {
    guard rows[key] == nil else { return false }
    self[key] = row
    return true
  }

  /// Removes a wanted row and returns true, if there is one with the key.
  @discardableResult
  mutating func remove(_ key: Key, where isWanted: (Row) -> Bool = { _ in true }) -> Bool {
    guard let row = rows[key], isWanted(row) else { return false }
    self[key] = nil
    return true
  }

  /// Changes a wanted row and returns true, if there is one with the key.
  @discardableResult
  mutating func change(
    _ key: Key, where isWanted: (Row) -> Bool = { _ in true }, _ change: (inout Row) -> Void
  ) -> Bool {
    guard var row = rows[key], isWanted(row) else { return false }
    change(&row)
    self[key] = row
    return true
  }

  private mutating func moveInIndex(_ key: Key, from old: [IndexKey], to new: [IndexKey]) {
    guard old != new else { return }
    for entry in old {
      index[entry]?.removeInOrder(key)
      if index[entry]?.isEmpty == true { index[entry] = nil }
    }
    for entry in new { index[entry, default: []].insertInOrder(key) }
  }

  /// Throws if another row than that with `key` has a value of this one that is unique.
  func keepUnique(_ row: Row, except key: Key? = nil) throws(StorageFailure) {
    for entry in indexKeys(row) {
      guard case .unique(let field) = entry.field else { continue }
      if keys(by: entry).contains(where: { $0 != key }) { throw .duplicate(field) }
    }
  }

  /// Puts a row in the place of another one, or of none; throws `StorageFailure.duplicate` if a further row has a
  /// value of it that is unique.
  mutating func put(_ row: Row, at key: Key, replacing old: Key? = nil) throws(StorageFailure) {
    try keepUnique(row, except: old)
    if let old, old != key { self[old] = nil }
    self[key] = row
  }

  /// Returns the keys of the rows that an index finds, in ascending order.
  func keys(by entry: IndexKey) -> [Key] { index[entry] ?? [] }

  /// Returns the rows that an index finds by one of these, each once, in the order of their keys.
  func rows(by entries: [IndexKey]) -> [Row] { rows(at: entries.flatMap(keys(by:))) }

  /// Returns the rows with these keys, each once, in the order of the keys.
  func rows(at keys: [Key]) -> [Row] { Set(keys).sorted().compactMap { rows[$0] } }

  /// Returns the first wanted rows after a key, or from the beginning, in the order of their keys: of all rows,
  /// or of those that an index finds.
  func page(
    after key: Key? = nil, by entry: IndexKey? = nil, limit: Int = .max,
    where isWanted: (Row) -> Bool = { _ in true }
  ) -> [Row] {
    let found = entry.map(keys(by:)) ?? keys
    var page: [Row] = []
    for key in found[(key.map(found.place(after:)) ?? 0)...] {
      guard page.count < limit else { break }
      if let row = rows[key], isWanted(row) { page.append(row) }
    }
    return page
  }

  /// Removes rows whose date is before a moment, the oldest first and those of one date in the order of their
  /// keys, and returns how many; a row without a date stays.
  mutating func remove(before moment: Date, limit: Int, by date: (Row) -> Date?) -> Int {
    // Sorting is stable.
    let old = keys.compactMap { key in rows[key].flatMap(date).map { (key: key, date: $0) } }
      .filter { $0.date < moment }.sorted { $0.date < $1.date }.prefix(max(0, limit))
    for row in old { self[row.key] = nil }
    return old.count
  }
}

extension Table where Key == Int {
  /// Adds a row under a number that none has had; throws `StorageFailure.duplicate` if another row has a value of it
  /// that is unique.
  @discardableResult
  mutating func append(_ row: (Int) -> Row) throws(StorageFailure) -> Row {
    let number = (greatestKey ?? 0) + 1
    let row = row(number)
    try put(row, at: number)
    return row
  }
}

extension Array where Element: Comparable {
  /// Returns the number of elements that are not greater, in an array in ascending order.
  func place(after element: Element) -> Int {
    guard let last, element < last else { return count }
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if element < self[middle] { high = middle } else { low = middle + 1 }
    }
    return low
  }

  fileprivate mutating func insertInOrder(_ element: Element) {
    let place = place(after: element)
    if place == 0 || self[place - 1] != element { insert(element, at: place) }
  }

  fileprivate mutating func removeInOrder(_ element: Element) {
    let place = place(after: element)
    if place > 0, self[place - 1] == element { remove(at: place - 1) }
  }
}
