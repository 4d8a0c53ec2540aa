internal import JSONValues

/// A monthly fee: an exact decimal number, at least 0, below a billion, with at most six decimals.
///
/// ```swift
/// let fee: MonthlyFee = "9.99"
/// ```
///
/// Source: entitlement rules, section 12.
public struct MonthlyFee: Hashable, Sendable {
  private let millionths: Int

  /// The number of decimals that are kept.
  private static let scale = 6
  private static let bound = 1_000_000_000 * 1_000_000

  /// Creates a fee from a number as JSON writes it, such as `9.99` or `1e1`; nil for any other text, and for a
  /// number that is no fee.
  ///
  /// Source: RFC 8259 section 6.
  public init?(_ text: String) {
    var rest = text.utf8[...]
    let whole = Self.digits(&rest)
    var digits = Array(whole)
    guard !digits.isEmpty, digits.count == 1 || digits.first != 0 else { return nil }
    var exponent = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = Self.digits(&rest)
      guard !fraction.isEmpty else { return nil }
      digits += fraction
      exponent -= fraction.count
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      let sign = rest.first
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
      let power = Self.digits(&rest)
      guard (1...3).contains(power.count) else { return nil }
      let size = power.reduce(0) { $0 * 10 + $1 }
      exponent += sign == UInt8(ascii: "-") ? -size : size
    }
    guard rest.isEmpty, let number = Self.millionths(digits, exponent) else { return nil }
    millionths = number
  }

  /// Takes the digits from the start of a text.
  private static func digits(_ rest: inout Substring.UTF8View) -> [Int] {
    var digits: [Int] = []
    while let byte = rest.first, byte.isDigit {
      digits.append(Int(byte - UInt8(ascii: "0")))
      rest.removeFirst()
    }
    return digits
  }

  /// The millionths of a number with these digits and this power of ten, or nil if it is no fee.
  private static func millionths(_ digits: [Int], _ exponent: Int) -> Int? {
    var digits = digits.drop { $0 == 0 }
    var exponent = exponent + scale
    guard !digits.isEmpty else { return 0 }
    while exponent < 0, digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    // A billion has 16 digits in millionths.
    guard exponent >= 0, digits.count + exponent <= 16 else { return nil }
    var number = digits.reduce(0) { $0 * 10 + $1 }
    for _ in 0..<exponent { number *= 10 }
    return number < bound ? number : nil
  }
}

extension MonthlyFee {
  /// The fee as a number, whose shortest decimal form is exact: a fee has 15 digits at most.
  package var value: Double { Double(millionths) / 1_000_000 }
}

extension MonthlyFee: Comparable {
  /// Returns whether a fee is less than another.
  public static func < (one: MonthlyFee, other: MonthlyFee) -> Bool {
    one.millionths < other.millionths
  }
}

extension MonthlyFee: CustomStringConvertible {
  /// The number without an exponent, and without zeros at the end of its decimals.
  public var description: String {
    let (whole, fraction) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    guard fraction > 0 else { return String(whole) }
    let digits = String(fraction)
    let padded = String(repeating: "0", count: Self.scale - digits.utf8.count) + digits
    let end = padded.lastIndex { $0 != "0" } ?? padded.startIndex
    return "\(whole).\(padded[...end])"
  }
}

extension MonthlyFee: ExpressibleByStringLiteral {
  /// Creates a fee from a literal, which must be one.
  public init(stringLiteral text: String) {
    guard let fee = MonthlyFee(text) else {
      preconditionFailure("A monthly fee is a number such as 9.99.")
    }
    self = fee
  }
}
