/// The place of a value in a catalogue file, such as `product_mappings.welcome_pack.credits`.
///
/// The description is safe for logs: it has one line, and is bounded in length.
package struct CatalogPath: Hashable, Sendable, CustomStringConvertible {
  /// A step from a value to one inside it.
  package enum Step: Hashable, Sendable {
    case key(String)
    /// To an element of a list, from 0.
    case index(Int)
  }

  /// The steps from the whole file.
  package var steps: [Step] = []

  /// The path of the whole file.
  package static let file = CatalogPath()

  /// The path of the value of a key.
  package func key(_ key: String) -> CatalogPath { CatalogPath(steps: steps + [.key(key)]) }

  /// The keys with dots between them and the indexes in brackets; empty for the whole file.
  ///
  /// A key is cut after 64 characters. One with characters other than letters, digits and `_ . -` is in
  /// quotation marks.
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += (text.isEmpty ? "" : ".") + Self.shown(key)
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  private static func shown(_ key: String) -> String {
    let start = String(String.UnicodeScalarView(key.unicodeScalars.prefix(64)))
    let cut = key.utf8.count > start.utf8.count ? "…" : ""
    guard start.isEmpty || !start.utf8.allSatisfy(\.isOfCode) else { return start + cut }
    var text = ""
    for scalar in start.unicodeScalars {
      let isShown =
        scalar.isASCII
        ? (0x20..<0x7F).contains(scalar.value) && scalar != "\"" && scalar != "\\"
        : scalar.properties.isAlphabetic
          && scalar.properties.canonicalCombiningClass == .notReordered
      text += isShown ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
    return "\"\(text)\"" + cut
  }
}
