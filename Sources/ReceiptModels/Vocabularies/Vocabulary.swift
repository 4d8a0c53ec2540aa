package import JSONValues

/// An extensible set of values, each held as its raw value.
///
/// An unknown value is kept, compared by its raw value, and written again unchanged. `allCases`
/// contains the values that Apple or Google documented when this version was made. Create other values with
/// `init(rawValue:)`.
public protocol Vocabulary: RawRepresentable, CaseIterable, Hashable, Sendable, Codable,
  CustomStringConvertible
where RawValue: Hashable & Sendable & Codable, AllCases == [Self] {
  /// Creates a value from any raw value, known or not.
  init(rawValue: RawValue)
}

extension Vocabulary {
  public var isKnown: Bool { Self.allCases.contains(self) }

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

extension LenientScalar where Self: StringVocabulary {
  /// Creates a value from any scalar whose text has at most 128 bytes.
  ///
  /// Anybody may send such values, and the time to compare strings grows with the square of a run
  /// of combining marks.
  package init?(lenient json: JSONValue) {
    self.init(String(lenient: json))
  }

  package init?(lenient text: JSONText, at place: JSONText.Place) {
    self.init(String(lenient: text, at: place))
  }

  private init?(_ text: String?) {
    guard let text, text.utf8.count <= 128 else { return nil }
    self.init(rawValue: text)
  }

  package var scalarText: String { rawValue }
}

extension LenientScalar where Self: IntegerVocabulary {
  package init?(lenient json: JSONValue) {
    guard let value = Int(lenient: json) else { return nil }
    self.init(rawValue: value)
  }

  package init?(lenient text: JSONText, at place: JSONText.Place) {
    guard let value = Int(lenient: text, at: place) else { return nil }
    self.init(rawValue: value)
  }

  package var scalarText: String { String(rawValue) }
}

extension InAppOwnershipType: LenientScalar {}
extension AppStoreEnvironment: LenientScalar {}
extension ReceiptType: LenientScalar {}
extension RevocationReason: LenientScalar {}
extension AutoRenewStatus: LenientScalar {}
extension ExpirationIntent: LenientScalar {}
extension PriceIncreaseStatus: LenientScalar {}
