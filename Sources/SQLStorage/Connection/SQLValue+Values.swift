internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLValue {
  /// The number that a column holds, if it holds one.
  var number: Int? {
    guard case .integer(let value) = self else { return nil }
    return Int(value)
  }

  static func number(_ value: Int?) -> SQLValue { value.map { .integer(Int64($0)) } ?? .null }

  static func flag(_ value: Bool?) -> SQLValue { value.map { .integer($0 ? 1 : 0) } ?? .null }

  /// An empty text is never written (contract on linking, section 1.1).
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

  /// Stored in lower case (contract on linking, section 1.2).
  static func environment(_ environment: AppStoreEnvironment) -> SQLValue {
    .text(environment == .production ? "production" : environment.rawValue.lowercased())
  }
}
