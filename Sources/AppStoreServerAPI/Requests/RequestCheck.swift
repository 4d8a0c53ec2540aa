internal import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The checks that several requests share.
enum RequestCheck {
  /// Checks that a text or list is not empty.
  static func notEmpty(
    _ elements: some Collection, _ field: String
  ) throws(InvalidRequest) {
    guard !elements.isEmpty else { throw InvalidRequest(field, .empty) }
  }

  /// Checks the length of a text in UTF-16 units.
  static func length(
    _ text: String, atMost limit: Int, _ field: String
  ) throws(InvalidRequest) {
    let count = text.utf16.count
    guard count <= limit else { throw InvalidRequest(field, .tooLong(limit: limit, found: count)) }
  }

  /// Checks a number.
  static func range(
    _ number: Int, _ allowed: ClosedRange<Int>, _ field: String
  ) throws(InvalidRequest) {
    guard allowed.contains(number) else {
      throw InvalidRequest(field, .outOfRange(allowed: allowed, found: number))
    }
  }

  /// Checks that a value is one of those that Apple documents.
  static func known(_ value: (some StringVocabulary)?, _ field: String) throws(InvalidRequest) {
    guard value?.isKnown ?? true else { throw InvalidRequest(field, .notAccepted) }
  }

  /// Checks that a number is one of those that Apple documents, which begin with 0.
  static func known(_ value: (some IntegerVocabulary)?, _ field: String) throws(InvalidRequest) {
    guard let value else { return }
    try range(value.rawValue, 0...(allCount(value) - 1), field)
  }

  private static func allCount<Value: IntegerVocabulary>(_ value: Value) -> Int {
    Value.allCases.count
  }

  /// Checks a three-letter code of a country.
  static func country(_ code: String?, _ field: String) throws(InvalidRequest) {
    guard code.map(isThreeCapitals) ?? true else { throw InvalidRequest(field, .notCountryCode) }
  }

  /// Checks a three-letter code of a currency.
  static func currency(_ code: String?, _ field: String) throws(InvalidRequest) {
    guard code.map(isThreeCapitals) ?? true else { throw InvalidRequest(field, .notCurrencyCode) }
  }

  /// Checks that two dates can be written and are in order.
  static func window(
    _ start: Date, _ startField: String, _ end: Date, _ endField: String
  ) throws(InvalidRequest) {
    let first = try milliseconds(start, startField)
    let last = try milliseconds(end, endField)
    guard first < last else { throw InvalidRequest(startField, .notBeforeEnd) }
  }

  /// Returns the whole milliseconds since 1970 that a request contains.
  @discardableResult
  static func milliseconds(_ date: Date, _ field: String) throws(InvalidRequest) -> Int {
    guard case .integer(let milliseconds) = date.json else {
      throw InvalidRequest(field, .notAccepted)
    }
    return milliseconds
  }

  private static func isThreeCapitals(_ code: String) -> Bool {
    code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}

/// The body of a request, whose limits are checked before it is sent.
package protocol CheckedRequest: FieldModel {
  /// Checks the documented limits.
  func validate() throws(InvalidRequest)
}

extension CheckedRequest {
  /// Returns the bytes to send, after ``validate()``.
  package func checkedBody() throws(InvalidRequest) -> [UInt8] {
    try validate()
    return json.serialized
  }
}
