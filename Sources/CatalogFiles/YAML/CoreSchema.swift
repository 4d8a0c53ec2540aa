internal import JSONValues

/// The types of plain scalars.
///
/// Source: YAML 1.2.2, section 10.3, "Core Schema".
enum CoreSchema {
  /// The value of a plain scalar.
  static func content(of text: String) -> CatalogNode.Content {
    guard let first = text.utf8.first else { return .null }
    switch first {
    case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"),
      UInt8(ascii: "T"),
      UInt8(ascii: "f"), UInt8(ascii: "F"):
      return word(text) ?? .text(text)
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      return number(text) ?? .text(text)
    default:
      return first.isDigit ? number(text) ?? .text(text) : .text(text)
    }
  }

  private static func word(_ text: String) -> CatalogNode.Content? {
    switch text {
    case "null", "Null", "NULL", "~": .null
    case "true", "True", "TRUE": .boolean(true)
    case "false", "False", "FALSE": .boolean(false)
    default: nil
    }
  }

  private static func number(_ text: String) -> CatalogNode.Content? {
    var signs = Signs(text)
    // Octal and hexadecimal numbers have no sign.
    if signs.accept("0o") { return integer(signs.rest, radix: 8) }
    if signs.accept("0x") { return integer(signs.rest, radix: 16) }
    let isNegative = signs.accept("-")
    if !isNegative { _ = signs.accept("+") }
    for infinity in [".inf", ".Inf", ".INF"] where signs.rest.elementsEqual(infinity.utf8) {
      return .number(isNegative ? -.infinity : .infinity)
    }
    if [".nan", ".NaN", ".NAN"].contains(text) { return .number(.nan) }
    let digits = signs.skipDigits()
    if digits > 0 && signs.rest.isEmpty { return Int(text).map { .integer($0) } ?? .wideInteger }
    return isFloat(&signs, digits: digits) ? .number(Double(text) ?? .nan) : nil
  }

  private static func integer(_ digits: Substring.UTF8View, radix: Int) -> CatalogNode.Content? {
    let isValid =
      !digits.isEmpty && digits.allSatisfy { $0.hexDigit.map { $0 < radix } ?? false }
    guard isValid else { return nil }
    return Int(Substring(digits), radix: radix).map { .integer($0) } ?? .wideInteger
  }

  /// Whether the rest, after the digits before a decimal point, is that of a number.
  private static func isFloat(_ signs: inout Signs, digits: Int) -> Bool {
    if signs.accept(".") {
      let fraction = signs.skipDigits()
      guard digits + fraction > 0 else { return false }
    } else if digits == 0 {
      return false
    }
    if signs.accept("e") || signs.accept("E") {
      if !signs.accept("-") { _ = signs.accept("+") }
      guard signs.skipDigits() > 0 else { return false }
    }
    return signs.rest.isEmpty
  }
}

/// The rest of a scalar that is not read yet.
private struct Signs {
  private(set) var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func accept(_ start: String) -> Bool {
    guard rest.starts(with: start.utf8) else { return false }
    rest = rest.dropFirst(start.utf8.count)
    return true
  }

  /// Skips digits and returns their number.
  mutating func skipDigits() -> Int {
    let end = rest.firstIndex { !$0.isDigit } ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest.distance(from: rest.startIndex, to: end)
  }
}
