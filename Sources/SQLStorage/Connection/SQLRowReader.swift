internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads the values of a row in order, from a place on.
struct SQLRowReader {
  private let row: SQLRow
  private var index: Int

  init(_ row: SQLRow, from place: Int = 0) {
    self.row = row
    index = place
  }

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

// Values of columns.
extension SQLValue {
  var name: String? {
    guard case .text(let text) = self, !text.utf8.isEmpty else { return nil }
    return text
  }

  var number: Int? {
    guard case .integer(let value) = self else { return nil }
    return Int(value)
  }

  var flag: Bool? { number.map { $0 != 0 } }

  var seconds: Date? { number.map(StoredMoment.date(seconds:)) }

  var milliseconds: Date? { number.map(StoredMoment.date(milliseconds:)) }

  var day: CalendarDay? { name.flatMap { CalendarDay($0) } }

  var environment: AppStoreEnvironment {
    switch name ?? "" {
    case "production": .production
    case "sandbox": .sandbox
    case let text: AppStoreEnvironment(anyCase: text) ?? AppStoreEnvironment(rawValue: text)
    }
  }
}

// Values of parameters.
extension SQLValue {
  static func number(_ value: Int?) -> SQLValue { value.map { .integer(Int64($0)) } ?? .null }

  static func flag(_ value: Bool?) -> SQLValue { value.map { .integer($0 ? 1 : 0) } ?? .null }

  /// An empty text is never written.
  static func name(_ value: String?) -> SQLValue {
    guard let value, !value.utf8.isEmpty else { return .null }
    return .text(value)
  }

  static func name(_ id: AccountID?) -> SQLValue { name(id?.rawValue) }

  static func seconds(_ date: Date) -> SQLValue { .integer(Int64(StoredMoment.seconds(date))) }

  static func milliseconds(_ date: Date?) -> SQLValue {
    date.map { .integer(Int64(StoredMoment.milliseconds($0))) } ?? .null
  }

  static func day(_ day: CalendarDay?) -> SQLValue { day.map { .text($0.description) } ?? .null }

  /// An environment is stored in lower case.
  static func environment(_ environment: AppStoreEnvironment) -> SQLValue {
    .text(environment == .production ? "production" : environment.rawValue.lowercased())
  }
}
