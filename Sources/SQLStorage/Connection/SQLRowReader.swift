internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads the values of a row in order.
struct SQLRowReader {
  private let row: SQLRow
  private var index = 0

  init(_ row: SQLRow) { self.row = row }

  private mutating func next() -> SQLValue {
    guard index < row.count else { return .null }
    defer { index += 1 }
    return row[index]
  }

  mutating func name() -> String? { next().name }

  mutating func accountID() -> AccountID? { name().map(AccountID.init(stored:)) }

  mutating func text() -> String { next().name ?? "" }

  mutating func number() -> Int? { next().number }

  mutating func flag() -> Bool? { next().flag }

  mutating func seconds() -> Date? { next().seconds }

  mutating func milliseconds() -> Date? { next().milliseconds }

  mutating func day() -> CalendarDay? { next().day }

  mutating func environment() -> AppStoreEnvironment { next().environment }
}
