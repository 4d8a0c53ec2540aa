/// A key in a product mapping that has no meaning, which may be a typing mistake.
///
/// The description has the form `mapping: product_mappings.welcome_pack.credit (line 4): unknown key`.
///
/// Source: credit rules, section 8.
public struct MappingWarning: Hashable, Sendable, CustomStringConvertible {
  /// The keys that lead to the unknown one, with dots between them.
  ///
  /// Keys are cut after 64 characters, and unusual ones are in quotation marks.
  public let path: String
  /// The line, from 1, or nil for JSON.
  public let line: Int?

  /// The place and the warning in one line.
  public var description: String {
    "mapping: \(path)\(line.map { " (line \($0))" } ?? ""): unknown key"
  }

  init(path: CatalogPath, line: Int?) {
    self.path = path.description
    self.line = line
  }
}
