/// The rates by which a host has amounts of several currencies added up.
///
/// Rates are decimal numbers and calculated with exactly; the results are rounded to thousandths of the unit.
public struct ExchangeRates: Hashable, Sendable {
  /// The currency of the sums (ISO 4217).
  public let currency: String
  /// The billionths of ``currency`` for one unit of another.
  private var billionths: [String: Int]
  private var texts: [String: String] = [:]

  private static let one = 1_000_000_000

  /// Creates rates into a currency, whose own rate is 1.
  ///
  /// - Throws: ``ExchangeRateFailure/notCurrency(_:)``.
  public init(into currency: String) throws(ExchangeRateFailure) {
    try Self.check(currency)
    self.currency = currency
    billionths = [currency: Self.one]
  }

  /// Sets the rate of a currency: the amount of ``currency`` that one unit is worth, such as `1.08`.
  ///
  /// - Throws: ``ExchangeRateFailure``, unless it is above 0 with at most nine digits on either side of the point, and the
  ///   currency has no rate yet; that of the sums has one, which is 1.
  public mutating func set(_ rate: String, for other: String) throws(ExchangeRateFailure) {
    try Self.check(other)
    guard billionths[other] == nil else { throw .rateKnown(other) }
    let parts = rate.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({ (1...9).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isDigit) }),
      let whole = parts.first.flatMap({ Int($0) })
    else { throw .notRate(rate) }
    let digits = parts.count == 2 ? String(parts[1]) : ""
    let fraction = Int(digits + String(repeating: "0", count: 9 - digits.utf8.count)) ?? 0
    guard whole > 0 || fraction > 0 else { throw .notRate(rate) }
    billionths[other] = whole * Self.one + fraction
    texts[other] = rate
  }

  /// Returns an amount of another currency in ``currency``, both in thousandths; nil without a rate, or beyond 64 bits.
  public func amount(_ thousandths: Int, of other: String) -> Int? {
    guard let rate = billionths[other] else { return nil }
    let product = thousandths.magnitude.multipliedFullWidth(by: rate.magnitude)
    let (low, carry) = product.low.addingReportingOverflow(UInt(Self.one / 2))
    let high = product.high + (carry ? 1 : 0)
    guard high < UInt(Self.one) else { return nil }
    let quotient = UInt(Self.one).dividingFullWidth((high, low)).quotient
    guard let amount = Int(exactly: quotient) else { return nil }
    return thousandths < 0 ? -amount : amount
  }

  /// The rates as they were given, such as `USD at EUR=1.08`.
  var label: String {
    let given = texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return given.isEmpty ? currency : "\(currency) at \(given.joined(separator: ", "))"
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func check(_ code: String) throws(ExchangeRateFailure) {
    guard code.utf8.count == 3,
      code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { throw .notCurrency(code) }
  }
}

/// The reason why a rate is none.
@nonexhaustive
public enum ExchangeRateFailure: Error, Hashable, Sendable {
  /// The text is no code of three capital letters.
  case notCurrency(String)
  /// The text is no number above 0 with at most nine digits on either side of the point.
  case notRate(String)
  /// The currency has a rate already.
  case rateKnown(String)
}
