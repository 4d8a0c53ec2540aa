internal import JSONValues

/// The first warnings of one look at a list, and the number of all.
///
/// Each look notes them in the order of elements, and for one element in the order of its keys, so that the
/// first of all looks together are among the first of each.
struct WarningLog {
  private(set) var count = 0
  private var entries: [Entry] = []

  private struct Entry {
    let row: Int
    let warning: CatalogWarning
  }

  /// Notes a warning about an element.
  ///
  /// The path of the key and the value are computed only if the warning is kept. The row is the key of the
  /// element to which it belongs, or nil for unknown keys, which come last.
  mutating func add(
    _ code: CatalogWarning.Code, element index: Int, row: ElementKey?,
    key: @autoclosure () -> String, value: @autoclosure () -> String?
  ) {
    count += 1
    guard entries.count < ProductCatalog.maximumWarningCount else { return }
    let warning = CatalogWarning(code: code, index: index, key: key().cut, value: value()?.cut)
    entries.append(Entry(row: row?.row ?? ElementKey.allCases.count, warning: warning))
  }

  /// The warnings of several looks, in the order of elements and keys.
  static func merged(_ logs: [WarningLog]) -> [CatalogWarning] {
    let entries = logs.flatMap(\.entries).enumerated().sorted { one, other in
      (one.element.warning.index, one.element.row, one.offset)
        < (other.element.warning.index, other.element.row, other.offset)
    }
    return entries.prefix(ProductCatalog.maximumWarningCount).map(\.element.warning)
  }
}
