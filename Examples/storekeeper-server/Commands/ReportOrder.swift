import ReceiptModels
import Storekeeper

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `report` is told by its arguments: the months, the parts, the form, and the rates.
struct ReportOrder {
  enum Format: String, CaseIterable {
    case table, csv, svg
  }

  /// Nil for the last twelve.
  private let months: ClosedRange<CalendarMonth>?
  private let division: MoneyReport.Division?
  private let format: Format
  private let rates: ExchangeRates?
  private let environment: AppStoreEnvironment
  private let countsAnew: Bool

  /// Reads and removes the arguments of the order; settings may stand between its options.
  ///
  /// - Throws: ``SettingsFailure``.
  init(_ arguments: inout ArraySlice<String>) throws(SettingsFailure) {
    months = try arguments.removeValue(of: "--month", "a month").map(Self.months)
    division = try Self.word("--by", MoneyReport.Division.allCases, &arguments)
    format = try Self.word("--format", Format.allCases, &arguments) ?? .table
    environment = arguments.remove(option: "--sandbox") ? .sandbox : .production
    rates = try Self.rates(&arguments)
    countsAnew = arguments.remove(option: "--recount")
  }

  /// Returns the report as it is printed.
  func text(of figures: MoneyFigures, at now: Date) async throws -> String {
    if countsAnew, try await figures.recount().isLeasedElsewhere {
      throw SettingsFailure("--recount: another process counts, or was stopped within five minutes")
    }
    let today = CalendarDay(now)
    let month = CalendarMonth(today)
    var query = MoneyReport.Query(months: months ?? month.advanced(by: -11)...month, asOf: today)
    query.environment = environment
    query.division = division
    query.rates = rates
    let report = try await figures.report(query)
    switch format {
    case .table: return report.table
    case .csv: return report.csv
    case .svg: return report.svg
    }
  }

  private static func word<Word: RawRepresentable<String>>(
    _ option: String, _ words: [Word], _ arguments: inout ArraySlice<String>
  ) throws(SettingsFailure) -> Word? {
    let names = words.map(\.rawValue).joined(separator: ", ")
    guard let text = try arguments.removeValue(of: option, "one of \(names)") else { return nil }
    guard let word = words.first(where: { $0.rawValue == text }) else {
      throw SettingsFailure("\(option) takes one of \(names)")
    }
    return word
  }

  private static func months(
    _ text: String
  ) throws(SettingsFailure) -> ClosedRange<CalendarMonth> {
    let refusal = SettingsFailure("--month takes a month or two, such as 2026-01..2026-06")
    guard let separator = text.firstRange(of: "..") else {
      guard let month = CalendarMonth(text) else { throw refusal }
      return month...month
    }
    guard let first = CalendarMonth(String(text[..<separator.lowerBound])),
      let last = CalendarMonth(String(text[separator.upperBound...])), first <= last
    else { throw refusal }
    return first...last
  }

  private static func rates(
    _ arguments: inout ArraySlice<String>
  ) throws(SettingsFailure) -> ExchangeRates? {
    let currency = try arguments.removeValue(of: "--in", "a currency")
    var given: [String] = []
    while let rate = try arguments.removeValue(of: "--rate", "a rate") { given.append(rate) }
    guard let currency else {
      guard given.isEmpty else {
        throw SettingsFailure("--rate does nothing without --in, the currency of the sums")
      }
      return nil
    }
    do throws(ExchangeRateFailure) {
      var rates = try ExchangeRates(into: currency)
      for text in given {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        try rates.set(parts.count == 2 ? String(parts[1]) : "", for: String(parts[0]))
      }
      return rates
    } catch {
      if case .rateKnown(let currency) = error {
        throw SettingsFailure("--rate gives \(currency) a second rate; that of --in is 1")
      }
      throw SettingsFailure("--in takes a currency such as USD, --rate one such as EUR=1.08")
    }
  }
}
