/// A reason why a catalogue file is refused.
///
/// The description says what was expected. It quotes at most the name of one key of the file.
///
/// Source: credit rules, section 8.
@nonexhaustive
public enum CatalogProblem: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a problem, by which programs tell problems apart.
  ///
  /// The raw value is the name in the rules.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The text breaks the grammar of its format.
    case syntax
    case missing
    /// The value of a key has the wrong type.
    case wrongType = "wrong_type"
    /// A number is too large or too small, or a text has the wrong length or characters.
    case outOfRange = "out_of_range"
    /// The type of a product is not known.
    case unknownType = "unknown_type"
    /// A key is in one map twice.
    case duplicateKey = "duplicate_key"
    /// Two products for sale have the same identifier in the App Store.
    case duplicateProduct = "duplicate_product"
    /// The file is too long or too deeply nested.
    case tooLarge = "too_large"
    /// The file has a part of YAML that catalogues don't use.
    case unsupported
  }

  /// The YAML breaks the grammar.
  ///
  /// The text is a constant of libyaml, or nil if there is none.
  case invalidYAML(String?)
  /// The JSON breaks the grammar at an offset in bytes, or nil where there is no one place.
  case invalidJSON(offset: Int?)
  case missing(CatalogValueType)
  /// The value of a key has another type.
  case wrongType(expected: CatalogValueType)
  /// A number is not within bounds.
  case numberOutOfRange(ClosedRange<Int>)
  /// A text has the wrong length, or characters outside a set.
  case textOutOfRange(CatalogTextRule)
  /// The type of a product is none of these.
  case unknownType(known: [String])
  /// A key is in one map twice; the first is on a line, in a file with lines.
  case duplicateKey(firstLine: Int?)
  /// Another product for sale, with this code, has the same identifier in the App Store.
  case duplicateProduct(code: String)
  /// The file has more bytes than the limit.
  case tooManyBytes(limit: Int)
  /// Maps and lists are nested more deeply than the limit.
  case tooDeep(limit: Int)
  /// The file has a part of YAML that catalogues don't use.
  case unsupported(CatalogFeature)

  public var kind: Kind {
    switch self {
    case .invalidYAML, .invalidJSON: .syntax
    case .missing: .missing
    case .wrongType: .wrongType
    case .numberOutOfRange, .textOutOfRange: .outOfRange
    case .unknownType: .unknownType
    case .duplicateKey: .duplicateKey
    case .duplicateProduct: .duplicateProduct
    case .tooManyBytes, .tooDeep: .tooLarge
    case .unsupported: .unsupported
    }
  }

  /// The sentence without a capital and a full stop, such as `expected a whole number`.
  public var description: String {
    switch self {
    case .invalidYAML(let reason): "expected valid YAML" + (reason.map { ": \($0)" } ?? "")
    case .invalidJSON(let offset): "expected valid JSON" + (offset.map { " at byte \($0)" } ?? "")
    case .missing(let type): "expected \(type), but the key is missing"
    case .wrongType(let type): "expected \(type)"
    case .numberOutOfRange(let bounds):
      "expected a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    case .textOutOfRange(let rule): "expected \(rule)"
    case .unknownType(let known): "expected \(known.joined(separator: " or "))"
    case .duplicateKey(let line):
      "expected each key once" + (line.map { "; the first is on line \($0)" } ?? "")
    case .duplicateProduct(let code):
      "expected one enabled product for each identifier; \(code) has the same"
    case .tooManyBytes(let limit): "expected at most \(limit) bytes"
    case .tooDeep(let limit): "expected at most \(limit) levels of maps and lists"
    case .unsupported(let feature): "expected \(feature)"
    }
  }
}

/// A problem with its place in a catalogue file.
package struct CatalogFault: Error, Hashable, Sendable {
  /// The path of the value at fault.
  package var path: CatalogPath
  /// The line, from 1, or nil for JSON.
  package var line: Int?
  package var problem: CatalogProblem

  /// Creates a fault.
  package init(_ problem: CatalogProblem, at path: CatalogPath, line: Int?) {
    self.problem = problem
    self.path = path
    self.line = line
  }
}

/// A part of YAML that catalogue files don't use.
///
/// Anchors, aliases and merge keys let a short file stand for a long one, and tags change the types of values.
///
/// Source: credit rules, section 8.
@nonexhaustive
public enum CatalogFeature: Hashable, Sendable, CustomStringConvertible {
  /// A name of a value, such as `&pack`.
  case anchor
  /// A reference to a named value, such as `*pack`.
  case alias
  /// A type of a value, such as `!!str`, or the directive `%TAG`.
  case tag
  case mergeKey
  /// Anything after the end of the first document.
  case secondDocument

  /// The words for it in a message.
  public var description: String {
    switch self {
    case .anchor: "no anchor"
    case .alias: "no alias"
    case .tag: "no tag"
    case .mergeKey: "no merge key"
    case .secondDocument: "no second document"
    }
  }
}

/// The type that a value in a catalogue file should have.
@nonexhaustive
public enum CatalogValueType: Hashable, Sendable, CustomStringConvertible {
  case map
  /// A text; numbers, true and null are text only within quotation marks.
  case text
  /// A text as the key of a map; plain numbers, true and null are text there.
  case textKey
  /// A number without fraction and exponent.
  case wholeNumber
  case boolean

  /// The words for it in a message, with an article.
  public var description: String {
    switch self {
    case .map: "a map"
    case .text: "a text"
    case .textKey: "a text as the key"
    case .wholeNumber: "a whole number"
    case .boolean: "true or false"
    }
  }
}
