public import CreditPolicy

/// The credit products of a host, as a file in YAML or JSON describes them.
///
/// ```swift
/// let mapping = try CreditProductMapping(
///   bytes: Array(
///     """
///     product_mappings:
///       welcome_pack:
///         app_store_product_id: com.example.gems.welcome
///         credits: 60
///         type: starter
///     """.utf8))
/// mapping.products["welcome_pack"]
/// ```
///
/// One failure refuses the whole file, so that a host keeps the mapping in use.
///
/// Source: credit rules, section 8.
public struct CreditProductMapping: Hashable, Sendable {
  public let products: CreditProducts
  /// The unknown keys, those beside `product_mappings` first, at most ``maximumWarningCount``.
  public let warnings: [MappingWarning]
  /// The number of all unknown keys.
  public let warningCount: Int

  /// The maximum number of warnings that are kept, 100.
  public static let maximumWarningCount = 100

  /// Creates a mapping from the content of a file.
  ///
  /// The file is JSON if its first character other than white space is `{`, else YAML. Time and memory are
  /// bounded whatever the file contains.
  ///
  /// - Parameters:
  ///   - bytes: The file in UTF-8, at most 1 MiB, with or without a byte-order mark.
  ///   - registeredTypes: The types of the host besides `starter` and `standard`.
  /// - Throws: ``MappingFailure`` for the first failure. Failures of the format come before those of keys and
  ///   values, and two products with one identifier last.
  public init(bytes: [UInt8], registeredTypes: [CreditProductType] = []) throws(MappingFailure) {
    do throws(CatalogFault) {
      var reader = MappingReader(types: CreditProductType.allCases + registeredTypes)
      products = try reader.products(in: try CatalogNode(bytes: bytes))
      warnings = reader.warnings
      warningCount = reader.warningCount
    } catch {
      throw MappingFailure(error)
    }
  }
}

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
