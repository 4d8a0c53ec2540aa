/// The reason why a file is no product mapping, with its place.
///
/// The description has the form
/// `mapping: product_mappings.welcome_pack.credits (line 4): expected a whole number`. It has one line, quotes
/// no values of the file, and cuts long keys.
///
/// Source: credit rules, section 8.
public struct MappingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure.
  public typealias Kind = CatalogProblem.Kind

  /// The keys that lead to the value at fault, with dots between them, or an empty text for the whole file.
  ///
  /// Keys are cut after 64 characters, and unusual ones are in quotation marks.
  public let path: String
  /// The line, from 1, or nil for JSON.
  public let line: Int?
  /// The problem, with what was expected.
  public let problem: CatalogProblem

  public var kind: Kind { problem.kind }

  /// The place and the problem in one line.
  public var description: String {
    let place = path.isEmpty ? "file" : path
    return "mapping: \(place)\(line.map { " (line \($0))" } ?? ""): \(problem)"
  }

  init(_ fault: CatalogFault) {
    path = fault.path.description
    line = fault.line
    problem = fault.problem
  }
}

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
