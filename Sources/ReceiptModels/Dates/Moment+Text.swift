package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Moment {
  /// A fixed text form in UTC and whole seconds, independent of locale and calendar.
  package struct TextForm: Sendable {
    fileprivate let separator: StaticString
    fileprivate let zone: StaticString

    /// The form of verifyReceipt: `2020-07-22 17:39:08 Etc/GMT`.
    ///
    /// Apple also sends a form in California time. It is never read, because it is ambiguous for an
    /// hour each autumn.
    package static let verifyReceipt = TextForm(separator: " ", zone: " Etc/GMT")
    /// The form of RFC 3339 in whole seconds: `2020-07-22T17:39:08Z`.
    package static let rfc3339 = TextForm(separator: "T", zone: "Z")
  }

  /// Creates a moment from text, or returns nil unless every byte matches the form.
  package init?(_ text: String, as form: TextForm) {
    var reader = DateTextReader(text)
    guard let day = reader.day(), reader.accept(form.separator),
      let time = reader.time(), reader.accept(form.zone), reader.isAtEnd
    else { return nil }
    self.init(milliseconds: (day.number * 86_400 + time) * 1000)
  }

  /// Creates a moment from a JSON string, or returns nil unless every byte matches the form.
  package init?(_ json: JSONValue, as form: TextForm) {
    guard case .string(let text) = json else { return nil }
    self.init(text, as: form)
  }

  /// Returns the moment as text, without its fraction of a second.
  package func text(as form: TextForm) -> String {
    let day = seconds.floored(by: 86_400)
    let time = seconds - day * 86_400
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    bytes.append(CivilDay(number: day), then: form.separator)
    bytes.append(digits: time / 3600, width: 2, then: ":")
    bytes.append(digits: time / 60 % 60, width: 2, then: ":")
    bytes.append(digits: time % 60, width: 2, then: form.zone)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// In the service's own JSON, a moment is a text of RFC 3339 in whole seconds.
extension Moment: FieldValue {
  package static var kind: JSONKind { .timestamp }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard let moment = Moment(json, as: .rfc3339) else {
      throw FieldTypeFailure(expected: .timestamp, found: json.kind)
    }
    self = moment
  }

  package var json: JSONValue { .string(text(as: .rfc3339)) }
}

extension Date {
  /// Creates the date in an attribute of an app receipt, or returns nil if the text is not a date.
  ///
  /// The text is RFC 3339, also with up to nine digits of a fraction and with an offset. Xcode
  /// writes offsets without the colon.
  package init?(receiptAttribute text: ArraySlice<UInt8>) {
    var reader = DateTextReader(text)
    // A leap second counts as the next second (RFC 3339, section 5.7).
    guard let day = reader.day(), reader.accept("T"), let time = reader.time(lastSecond: 60),
      let nanoseconds = reader.nanoseconds(), let offset = reader.offset(isColonOptional: true),
      reader.isAtEnd
    else { return nil }
    let seconds = day.number * 86_400 + time - offset
    self.init(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
  }
}
