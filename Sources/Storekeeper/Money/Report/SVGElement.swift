/// An element of a picture in SVG, whose texts are escaped where they are written.
struct SVGElement {
  private let name: String
  private var attributes: [(name: String, value: String)]
  private var children: [SVGElement] = []
  private var text: String?

  init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String? = nil) {
    self.name = name
    self.attributes = attributes.map { (name: $0.key, value: $0.value) }
    self.text = text
  }

  mutating func add(_ child: SVGElement) { children.append(child) }

  /// Returns the element with a title, which programs show or read out.
  func titled(_ title: String) -> SVGElement {
    var copy = self
    copy.children.insert(SVGElement("title", text: title), at: 0)
    return copy
  }

  /// The element as text.
  var source: String {
    let attributes = attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
    let content = (text.map(Self.escaped) ?? "") + children.map(\.source).joined()
    return content.isEmpty
      ? "<\(name)\(attributes)/>\n" : "<\(name)\(attributes)>\(content)</\(name)>\n"
  }

  /// Returns a text as XML has it; a character that XML has not is left out.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{9}", "\u{A}", "\u{D}": escaped += " "
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
