import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What only the service's own JSON needs (contract on linking, section 1.2).

extension FieldCoder {
  /// An identifier that must be there and be 1 to 64 digits.
  mutating func digits(_ name: String, _ value: inout String) throws(FieldTypeFailure) {
    try required(name, &value)
    guard direction == .writing || TransactionIDs.areDigits(value) else {
      throw FieldTypeFailure(path: name, expected: .digits, found: .string)
    }
  }

  /// A moment that must be there.
  mutating func timestamp(_ name: String, _ value: inout Date) throws(FieldTypeFailure) {
    var timestamp = UTCTimestamp(value)
    try required(name, &timestamp)
    if direction == .reading { value = timestamp.date }
  }

  /// A moment that is null when there is none.
  mutating func nullableTimestamp(
    _ name: String, _ value: inout Date?
  ) throws(FieldTypeFailure) {
    var timestamp = value.map { UTCTimestamp($0) }
    try self(name, &timestamp)
    if direction == .reading { value = timestamp?.date }
    writeNull(name, if: value == nil)
  }

  /// A text that is null when there is none; an empty one is none.
  mutating func nullableText(_ name: String, _ value: inout String?) throws(FieldTypeFailure) {
    if value?.utf8.isEmpty == true { value = nil }
    try self(name, &value)
    if value?.utf8.isEmpty == true { value = nil }
    writeNull(name, if: value == nil)
  }

  /// A value that is null when there is none.
  mutating func nullable<Value: FieldValue>(
    _ name: String, _ value: inout Value?
  ) throws(FieldTypeFailure) {
    try self(name, &value)
    writeNull(name, if: value == nil)
  }

  /// A word that is null when there is none, and when it is not known.
  ///
  /// Source: contract on linking, section 1.3.
  mutating func nullableWord<Word: StringVocabulary & FieldValue>(
    _ name: String, _ value: inout Word?
  ) throws(FieldTypeFailure) {
    try nullable(name, &value)
    writeNull(name, if: value?.isKnown == false)
  }

  private mutating func writeNull(_ name: String, if isNull: Bool) {
    if direction == .writing && isNull { members[name] = .null }
  }
}

extension AppStoreEnvironment {
  /// The environment that a text names in any case; notifications of version 1 say `PROD`.
  ///
  /// Nil for any other text.
  ///
  /// Source: contract on linking, section 1.2 and trap 14.
  public init?(anyCase text: String) {
    guard text.utf8.count <= 16 else { return nil }
    let name = text.lowercased()
    if name == "prod" {
      self = .production
      return
    }
    guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
      return nil
    }
    self = known
  }
}
