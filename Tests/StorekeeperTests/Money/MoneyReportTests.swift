import Foundation
import ReceiptModels
import Storekeeper
import Testing

@Suite("A report of money")
struct MoneyReportTests {
  /// Counts of a few subscriptions of two products, in two countries and currencies.
  private static func counts() throws -> MoneyCounts {
    var counts = MoneyCounts()
    func add(
      _ number: Int, _ measure: MoneyFigure.Measure, _ day: String, _ product: String,
      _ country: String, _ currency: String, cohort: String? = nil
    ) throws {
      var figure = MoneyFigure(
        measure, on: try #require(CalendarDay(day)), environment: .production, vendor: .apple,
        productID: product, country: country)
      figure.currency = currency
      figure.cohort = cohort.flatMap { CalendarMonth($0) }
      counts.add(number, to: figure)
    }
    try add(10, .new, "2025-12-01", "pro", "DE", "EUR")
    try add(10, .active, "2025-12-01", "pro", "DE", "EUR")
    try add(99_900, .recurring, "2025-12-01", "pro", "DE", "EUR")
    try add(3, .new, "2026-01-01", "=cmd,\"x\"", "US", "USD")
    try add(3, .active, "2026-01-01", "=cmd,\"x\"", "US", "USD")
    try add(29_975, .charged, "2026-01-01", "=cmd,\"x\"", "US", "USD")
    try add(29_975, .recurring, "2026-01-01", "=cmd,\"x\"", "US", "USD")
    try add(2, .lapsed, "2026-01-01", "pro", "DE", "EUR")
    try add(2, .churned, "2026-01-01", "pro", "DE", "EUR")
    try add(-2, .active, "2026-01-01", "pro", "DE", "EUR")
    try add(1, .refunded, "2026-01-01", "pro", "DE", "EUR")
    try add(9990, .refundedAmount, "2026-01-01", "pro", "DE", "EUR")
    try add(-19_980, .recurring, "2026-01-01", "pro", "DE", "EUR")
    try add(10, .cohort, "2025-12-01", "pro", "DE", "EUR", cohort: "2025-12")
    try add(10, .cohortActive, "2025-12-01", "pro", "DE", "EUR", cohort: "2025-12")
    try add(-2, .cohortActive, "2026-01-01", "pro", "DE", "EUR", cohort: "2025-12")
    return counts
  }

  private static func query(_ first: String, _ last: String) throws -> MoneyReport.Query {
    MoneyReport.Query(
      months: try #require(CalendarMonth(first))...(try #require(CalendarMonth(last))),
      asOf: try #require(CalendarDay("2026-01-31")))
  }

  @Test("has standings at the ends of months, and churn of those who were active before")
  func standings() throws {
    let report = MoneyReport(try Self.query("2025-12", "2026-03"), try Self.counts())
    #expect(report.counts.map(\.month.description) == ["2025-12", "2026-01"])
    #expect(report.counts.map(\.active) == [10, 11])
    #expect(report.counts.map(\.activeBefore) == [0, 10])
    #expect(report.counts.map(\.churn) == [nil, 200])
    #expect(report.amounts.map(\.currency) == ["EUR", "EUR", "USD"])
    #expect(report.amounts.map(\.recurring) == [99_900, 79_920, 29_975])
    #expect(report.cohorts.map(\.active) == [[10, 8]])
    #expect(report.sums.isEmpty)
  }

  @Test("adds currencies up only with rates, and names those that are missing")
  func rates() throws {
    var query = try Self.query("2025-12", "2026-01")
    query.rates = try ExchangeRates(into: "USD")
    let without = MoneyReport(query, try Self.counts())
    #expect(without.sums.isEmpty)
    #expect(without.missingRates == ["EUR"])
    try query.rates?.set("1.08", for: "EUR")
    let report = MoneyReport(query, try Self.counts())
    #expect(report.sums.map(\.recurring) == [107_892, 116_289])
    #expect(report.sums.map(\.refunded) == [0, 10_789])
    #expect(report.missingRates.isEmpty)
    #expect(report.table.contains("Sums in USD at EUR=1.08"))
  }

  @Test(
    "refuses what is no rate",
    arguments: [
      "", "0", "-1", "1,5", "1e3", "1.", ".5", "1.2.3", "1234567890", "1.0123456789", " 1",
    ])
  func noRate(text: String) throws {
    var rates = try ExchangeRates(into: "USD")
    #expect(throws: ExchangeRateFailure.notRate(text)) { try rates.set(text, for: "EUR") }
    #expect(throws: ExchangeRateFailure.notCurrency("eur")) { try rates.set("1", for: "eur") }
  }

  @Test("calculates with rates exactly, beyond what a floating point number holds")
  func exact() throws {
    var rates = try ExchangeRates(into: "USD")
    try rates.set("0.000000001", for: "VND")
    try rates.set("999999999.999999999", for: "BTC")
    #expect(rates.amount(9_007_199_254_740_993, of: "USD") == 9_007_199_254_740_993)
    #expect(rates.amount(1_499_999_999, of: "VND") == 1)
    #expect(rates.amount(-1_500_000_000, of: "VND") == -2)
    #expect(rates.amount(Int.max, of: "BTC") == nil)
    #expect(rates.amount(1, of: "EUR") == nil)
  }

  @Test("is a table whose numbers stand under each other")
  func table() throws {
    let report = MoneyReport(try Self.query("2025-12", "2026-01"), try Self.counts())
    let amounts = """
      month    currency  charged  refunded amount  recurring
      2025-12  EUR          0.00             0.00      99.90
      2026-01  EUR          0.00             9.99      79.92
      2026-01  USD        29.975             0.00     29.975
      """
    #expect(report.table.contains(amounts), "\(report.table)")
    #expect(report.table.hasPrefix("Figures of 2025-12 to 2026-01, as of 2026-01-31\n"))
    let empty = MoneyReport(try Self.query("2020-01", "2020-01"), try Self.counts())
    #expect(empty.table.contains("Nothing is counted"))
    let future = MoneyReport(try Self.query("9999-12", "9999-12"), try Self.counts())
    #expect(future.table.hasPrefix("Figures of 9999-12, as of 2026-01-31\n"))
  }

  @Test("is comma-separated values that no spreadsheet takes for formulas")
  func csv() throws {
    var query = try Self.query("2026-01", "2026-01")
    query.division = .product
    let lines = MoneyReport(query, try Self.counts()).csv.components(separatedBy: "\r\n")
    #expect(lines.first == "section,month,part,currency,figure,value")
    #expect(lines.contains("subscriptions,2026-01,pro,,lapsed,2"))
    #expect(lines.contains("amounts,2026-01,pro,EUR,recurring,79.92"))
    #expect(lines.contains("amounts,2026-01,\"'=cmd,\"\"x\"\"\",USD,charged,29.975"))
    query.months = try Self.query("2025-12", "2026-01").months
    let cohorts = MoneyReport(query, try Self.counts()).csv
    #expect(cohorts.contains("\r\ncohorts,2025-12,,,+1,8\r\n"), "\(cohorts)")
    #expect(lines.last == "")
  }

  @Test(
    "is a picture in well-formed XML, with a title and texts that are escaped",
    arguments: [false, true])
  func picture(isEmpty: Bool) throws {
    var query = try Self.query("2025-12", "2026-01")
    query.division = .product
    let svg = MoneyReport(query, isEmpty ? MoneyCounts() : try Self.counts()).svg
    let reader = XMLReader()
    #expect(reader.read(svg), "\(svg)")
    #expect(reader.elements.first == "svg")
    #expect(reader.elements.contains("title"))
    #expect(svg.contains("prefers-color-scheme"))
    guard !isEmpty else { return }
    #expect(svg.contains("=cmd,&quot;x&quot;, 2026-01: 3"))
    #expect(!svg.contains("\"x\""))
  }

  @Test("has no more lines than colours")
  func manyParts() throws {
    var counts = MoneyCounts()
    for number in 0..<30 {
      let figure = MoneyFigure(
        .active, on: try #require(CalendarDay("2026-01-02")), environment: .production,
        vendor: .apple, productID: "product<\(number)>")
      counts.add(number + 1, to: figure)
    }
    var query = try Self.query("2026-01", "2026-01")
    query.division = .product
    let svg = MoneyReport(query, counts).svg
    #expect(svg.components(separatedBy: "<polyline").count - 1 == 8)
    #expect(svg.contains("23 others"))
    #expect(XMLReader().read(svg))
  }
}

/// A reader that checks whether tags are closed in their order, and texts escaped.
private final class XMLReader {
  private(set) var elements: [String] = []

  func read(_ text: String) -> Bool {
    var open: [String] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      let content = rest[..<start]
      guard !content.contains(">"), Self.isEscaped(content) else { return false }
      guard let end = rest[start...].firstIndex(of: ">") else { return false }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") { continue }
      guard !tag.hasPrefix("/") else {
        guard open.popLast() == String(tag.dropFirst()) else { return false }
        continue
      }
      guard Self.isEscaped(tag), tag.filter({ $0 == "\"" }).count.isMultiple(of: 2) else {
        return false
      }
      let name = String(tag.prefix { $0 != " " && $0 != "/" })
      elements.append(name)
      if !tag.hasSuffix("/") { open.append(name) }
    }
    return open.isEmpty
  }

  private static func isEscaped(_ text: Substring) -> Bool {
    let parts = text.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
    return parts.allSatisfy { part in
      ["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.hasPrefix($0) }
    }
  }
}
