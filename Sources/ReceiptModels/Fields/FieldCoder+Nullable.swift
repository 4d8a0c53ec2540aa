import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Fields of the service's own JSON. Source: linking rules, section 1.

extension FieldCoder {
  /// Reads or writes a required identifier of 1 to 64 digits.
  mutating func digits(_ name: String, _ value: inout String) throws(FieldTypeFailure) {
    try required(name, &value)
    guard direction == .writing || TransactionIDs.areDigits(value) else {
      throw FieldTypeFailure(path: name, expected: .digits, found: .string)
    }
  }

  /// Reads or writes a required moment.
  mutating func timestamp(_ name: String, _ value: inout Date) throws(FieldTypeFailure) {
    var moment = Moment(value)
    try required(name, &moment)
    if direction == .reading { value = moment.date }
  }

  /// Reads or writes a moment that is written as null if nil.
  mutating func nullableTimestamp(
    _ name: String, _ value: inout Date?
  ) throws(FieldTypeFailure) {
    var moment = value.map { Moment($0) }
    try self(name, &moment)
    if direction == .reading { value = moment?.date }
    writeNull(name, if: value == nil)
  }

  /// Reads or writes a text that is written as null if nil; empty text counts as nil.
  mutating func nullableText(_ name: String, _ value: inout String?) throws(FieldTypeFailure) {
    if value?.utf8.isEmpty == true { value = nil }
    try self(name, &value)
    if value?.utf8.isEmpty == true { value = nil }
    writeNull(name, if: value == nil)
  }

  /// Reads or writes a value that is written as null if nil.
  mutating func nullable<Value: FieldValue>(
    _ name: String, _ value: inout Value?
  ) throws(FieldTypeFailure) {
    try self(name, &value)
    writeNull(name, if: value == nil)
  }

  /// Reads or writes a vocabulary value that is written as null if nil or unknown.
  ///
  /// Source: linking rules, section 1.3.
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
