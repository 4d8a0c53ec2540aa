internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Takes the values of a row one after the other.
struct SQLRowReader {
  private let row: SQLRow
  private var index = 0

  init(_ row: SQLRow) { self.row = row }

  private mutating func next() -> SQLValue {
    guard index < row.count else { return .null }
    defer { index += 1 }
    return row[index]
  }

  /// A text; an empty one is none (contract on linking, section 1.1).
  mutating func name() -> String? {
    guard case .text(let text) = next(), !text.utf8.isEmpty else { return nil }
    return text
  }

  /// The identifier of an account, as it is stored.
  mutating func accountID() -> AccountID? { name().map(AccountID.init(stored:)) }

  mutating func text() -> String { name() ?? "" }

  mutating func number() -> Int? { next().number }

  mutating func flag() -> Bool? { number().map { $0 != 0 } }

  mutating func seconds() -> Date? { number().map(StoredMoment.date(seconds:)) }

  mutating func milliseconds() -> Date? { number().map(StoredMoment.date(milliseconds:)) }

  mutating func day() -> CalendarDay? { name().flatMap { CalendarDay($0) } }

  mutating func environment() -> AppStoreEnvironment { Self.environment(text()) }

  mutating func environmentIfAny() -> AppStoreEnvironment? { name().map(Self.environment) }

  private static func environment(_ text: String) -> AppStoreEnvironment {
    switch text {
    case "production": .production
    case "sandbox": .sandbox
    default: AppStoreEnvironment(anyCase: text) ?? AppStoreEnvironment(rawValue: text)
    }
  }
}
