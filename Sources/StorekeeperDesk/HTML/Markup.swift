/// A piece of HTML, or of SVG inside of it.
///
/// It is safe by its making: names are fixed in the source, and each text and each value is escaped where it enters.
/// Source: HTML Standard, section 13.3; SVG 2.
struct Markup: Sendable {
  private(set) var source = ""

  /// Creates no HTML at all.
  init() {}

  /// Creates the HTML that shows a text.
  init(_ text: String) { source = Self.escaped(text) }

  fileprivate init(element name: StaticString, _ attributes: [Attribute], _ content: Markup?) {
    var source = "<\(name)"
    for attribute in attributes {
      source += " \(attribute.name)"
      if let value = attribute.value { source += "=\"\(Self.escaped(value))\"" }
    }
    source += ">"
    if let content { source += "\(content.source)</\(name)>" }
    self.source = source
  }

  /// Whether there is nothing to show.
  var isEmpty: Bool { source.utf8.isEmpty }

  static func += (markup: inout Markup, other: Markup) { markup.source += other.source }

  /// A whole document, with its declaration.
  var document: [UInt8] { Array("<!DOCTYPE html>\n\(source)\n".utf8) }

  /// Returns a text in which no character has a meaning in HTML, neither between tags nor in a quoted value.
  ///
  /// Control characters, which HTML forbids, are shown as the replacement character.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: isSpecial) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), 0..<0x20, 0x7F:
      true
    default: false
    }
  }
}

/// An attribute of an element, whose name is fixed in the source.
struct Attribute: Sendable {
  let name: StaticString
  /// The value; nil for one that is true by its presence.
  let value: String?

  init(_ name: StaticString, _ value: String?) {
    self.name = name
    self.value = value
  }

  static func `class`(_ value: StaticString) -> Attribute { Attribute("class", "\(value)") }
  static func id(_ value: String) -> Attribute { Attribute("id", value) }
  static func name(_ value: StaticString) -> Attribute { Attribute("name", "\(value)") }
  static func type(_ value: StaticString) -> Attribute { Attribute("type", "\(value)") }
  static func value(_ value: String) -> Attribute { Attribute("value", value) }
  /// The address of a link, which is one of the desk's own or fixed in the source.
  static func href(_ link: DeskLink) -> Attribute { Attribute("href", link.address) }
  static func action(_ link: DeskLink) -> Attribute { Attribute("action", link.address) }
  static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
  static let required = Attribute("required", nil)

  /// An attribute of SVG with a number of at most two digits after the point.
  static func number(_ name: StaticString, _ number: Double) -> Attribute {
    let hundredths = Int((number * 100).rounded())
    let (whole, part) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    let digits = part % 10 == 0 ? "\(part / 10)" : (part < 10 ? "0\(part)" : "\(part)")
    return Attribute(name, part == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(digits)")
  }
}

/// An element, called with its attributes and its content.
///
/// ```swift
/// p(.class("hint")) { "Bought on "; time(date) }
/// ```
struct Tag: Sendable {
  private let name: StaticString

  init(_ name: StaticString) { self.name = name }

  func callAsFunction(
    _ attributes: Attribute..., @MarkupBuilder content: () -> Markup
  ) -> Markup {
    Markup(element: name, attributes, content())
  }

  func callAsFunction(_ attributes: [Attribute], @MarkupBuilder content: () -> Markup) -> Markup {
    Markup(element: name, attributes, content())
  }
}

/// An element that has no content, and no closing tag.
struct VoidTag: Sendable {
  private let name: StaticString

  init(_ name: StaticString) { self.name = name }

  func callAsFunction(_ attributes: Attribute...) -> Markup {
    Markup(element: name, attributes, nil)
  }
}

/// A builder of HTML from texts and elements, one after the other.
@resultBuilder
enum MarkupBuilder {
  static func buildExpression(_ text: String) -> Markup { Markup(text) }
  static func buildExpression(_ markup: Markup) -> Markup { markup }
  static func buildExpression(_ markup: Markup?) -> Markup { markup ?? Markup() }
  static func buildOptional(_ markup: Markup?) -> Markup { markup ?? Markup() }
  static func buildEither(first markup: Markup) -> Markup { markup }
  static func buildEither(second markup: Markup) -> Markup { markup }

  static func buildBlock(_ parts: Markup...) -> Markup { buildArray(parts) }

  static func buildArray(_ parts: [Markup]) -> Markup {
    var all = Markup()
    for part in parts { all += part }
    return all
  }
}
