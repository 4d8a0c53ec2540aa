/// A cell of comma-separated values (RFC 4180).
package enum CSVCell {
  /// Returns a text as a cell: quoted where it must be, and behind an apostrophe where a program for tables would take it
  /// for a formula.
  package static func text(_ value: String) -> String {
    var text = value
    if let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) { text = "'" + text }
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
