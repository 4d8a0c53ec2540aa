package import JSONValues

/// An open set of values that Apple may extend, held as the raw value.
///
/// An unknown value is kept, compares by its raw value, and is written again unchanged.
/// `allCases` lists the values that Apple had documented when this version was made. Make a value of
/// your own with `init(rawValue:)`.
public protocol Vocabulary: RawRepresentable, CaseIterable, Hashable, Sendable, Codable,
  CustomStringConvertible
where RawValue: Hashable & Sendable & Codable, AllCases == [Self] {
  /// Takes any raw value, known or not.
  init(rawValue: RawValue)
}

extension Vocabulary {
  /// Whether the value is one of `allCases`.
  public var isKnown: Bool { Self.allCases.contains(self) }

  /// The raw value.
  public var description: String { "\(rawValue)" }
}

/// A vocabulary of strings.
public protocol StringVocabulary: Vocabulary, CodingKeyRepresentable where RawValue == String {}

/// A vocabulary of integers.
public protocol IntegerVocabulary: Vocabulary, CodingKeyRepresentable where RawValue == Int {}

extension FieldValue where Self: StringVocabulary {
  package static var kind: JSONKind { .string }
  package init(json: JSONValue) throws(FieldTypeFailure) {
    self.init(rawValue: try String(json: json))
  }
  package var json: JSONValue { .string(rawValue) }
}

extension FieldValue where Self: IntegerVocabulary {
  package static var kind: JSONKind { .integer }
  package init(json: JSONValue) throws(FieldTypeFailure) {
    self.init(rawValue: try Int(json: json))
  }
  package var json: JSONValue { .integer(rawValue) }
}
