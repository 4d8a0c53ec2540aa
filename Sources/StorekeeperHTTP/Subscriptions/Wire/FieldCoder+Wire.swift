internal import JSONValues
internal import LinkPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension FieldCoder {
  /// Reads or writes a required identifier of a stored purchase: 1 to 64 digits, if it is of Apple.
  mutating func transactionID(_ name: String, _ value: inout String) throws(FieldTypeFailure) {
    try required(name, &value)
    guard direction == .writing || TransactionIDs.areStorable(value) else {
      throw FieldTypeFailure(path: name, expected: .digits, found: .string)
    }
  }

  mutating func timestamp(_ name: String, _ value: inout Date) throws(FieldTypeFailure) {
    var moment = Moment(value)
    try required(name, &moment)
    if direction == .reading { value = moment.date }
  }

  /// Reads or writes a date, with null for nil.
  mutating func nullableTimestamp(
    _ name: String, _ value: inout Date?
  ) throws(FieldTypeFailure) {
    var moment = value.map { Moment($0) }
    try self(name, &moment)
    if direction == .reading { value = moment?.date }
    writeNull(name, if: value == nil)
  }

  /// Reads or writes a text, with null for nil and for an empty text.
  mutating func nullableText(_ name: String, _ value: inout String?) throws(FieldTypeFailure) {
    if value?.utf8.isEmpty == true { value = nil }
    try self(name, &value)
    if value?.utf8.isEmpty == true { value = nil }
    writeNull(name, if: value == nil)
  }

  /// Reads or writes the identifier of an account, with null for nil and for an empty identifier.
  ///
  /// Its characters are not checked.
  mutating func nullable(_ name: String, _ value: inout AccountID?) throws(FieldTypeFailure) {
    var text = value?.rawValue
    try nullableText(name, &text)
    if direction == .reading { value = text.map(AccountID.init(stored:)) }
  }

  /// Reads or writes a value, with null for nil.
  mutating func nullable<Value: FieldValue>(
    _ name: String, _ value: inout Value?
  ) throws(FieldTypeFailure) {
    try self(name, &value)
    writeNull(name, if: value == nil)
  }

  /// Reads or writes a word, with null for nil; an unknown word is written as null.
  ///
  /// Source: linking rules, section 1.3.
  mutating func nullableWord<Word: StringVocabulary & FieldValue>(
    _ name: String, _ value: inout Word?, isKnown: (Word) -> Bool
  ) throws(FieldTypeFailure) {
    try nullable(name, &value)
    writeNull(name, if: value.map { !isKnown($0) } ?? true)
  }

  private mutating func writeNull(_ name: String, if isNull: Bool) {
    if direction == .writing && isNull { members[name] = .null }
  }
}
