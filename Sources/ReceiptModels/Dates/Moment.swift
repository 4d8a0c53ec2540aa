package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A moment in whole milliseconds, in the years 1 to 9999.
package struct Moment: Hashable, Sendable {
  /// The milliseconds since 1970 in UTC.
  package let milliseconds: Int

  /// The milliseconds from 0001-01-01 to the end of 9999-12-31.
  package static let range = -62_135_596_800_000...253_402_300_799_999

  /// Creates the moment of a date, rounded to milliseconds and clamped to the range.
  package init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let bounded = min(
      max(milliseconds, Double(Self.range.lowerBound)), Double(Self.range.upperBound))
    self.milliseconds = Int(exactly: bounded) ?? 0
  }

  /// Creates a moment from milliseconds since 1970, or returns nil outside the range.
  package init?(milliseconds: Int) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Creates a moment from milliseconds that are a JSON number or text, with any fraction rounded.
  ///
  /// Returns nil for other values and outside the range.
  package init?(milliseconds json: JSONValue) {
    switch json {
    case .integer(let value): self.init(milliseconds: value)
    case .number(let value): self.init(rounding: value)
    case .string(let text):
      if let value = Int(text) {
        self.init(milliseconds: value)
      } else {
        guard let value = Double(decimal: text) else { return nil }
        self.init(rounding: value)
      }
    case .null, .boolean, .array, .object: return nil
    }
  }

  /// Creates a moment from milliseconds at a place of a text, as from their JSON value.
  init?(milliseconds text: JSONText, at place: JSONText.Place) {
    if let value = text.digits(at: place) {
      self.init(milliseconds: value)
    } else {
      self.init(milliseconds: text.value(at: place))
    }
  }

  private init?(rounding milliseconds: Double) {
    guard let whole = Int(exactly: milliseconds.rounded()) else { return nil }
    self.init(milliseconds: whole)
  }

  /// The whole seconds since 1970 in UTC, rounded down.
  package var seconds: Int { milliseconds.floored(by: 1000) }

  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Date {
  /// The date, or nil if it is not a number or lies outside the years 1 to 9999.
  ///
  /// Dates from Apple that fail this check are treated as unreadable.
  package var readable: Date? {
    let milliseconds = timeIntervalSince1970 * 1000
    let range = Moment.range
    return milliseconds >= Double(range.lowerBound) && milliseconds <= Double(range.upperBound)
      ? self : nil
  }

  /// The date without its fraction of a second, clamped to the years 1 to 9999.
  var wholeSeconds: Date { Date(timeIntervalSince1970: Double(Moment(self).seconds)) }
}

extension Moment {
  /// A fixed text form in UTC and whole seconds, independent of locale and calendar.
  package struct TextForm: Sendable {
    fileprivate let separator: StaticString
    fileprivate let zone: StaticString
    /// The zone in JSON whose writer escapes each solidus.
    fileprivate let escapedZone: StaticString

    /// The form of verifyReceipt: `2020-07-22 17:39:08 Etc/GMT`.
    ///
    /// Apple also sends a form in California time. It is never read, because it is ambiguous for an
    /// hour each autumn.
    package static let verifyReceipt = TextForm(
      separator: " ", zone: " Etc/GMT", escapedZone: #" Etc\/GMT"#)
    /// The form of RFC 3339 in whole seconds: `2020-07-22T17:39:08Z`.
    package static let rfc3339 = TextForm(separator: "T", zone: "Z", escapedZone: "Z")
  }

  /// Creates a moment from text, or returns nil unless every byte matches the form.
  package init?(_ text: String, as form: TextForm) {
    self.init(DateTextReader(text), as: form)
  }

  /// Creates a moment from the string at a place of a text, or returns nil unless every byte matches the form.
  init?(_ text: JSONText, at place: JSONText.Place, as form: TextForm) {
    if let spelling = text.spelling(at: place, limit: 64),
      let moment = Moment(DateTextReader(spelling), as: form, isSpelling: true)
    {
      self = moment
    } else {
      guard let content = text.content(at: place, limit: 64) else { return nil }
      self.init(DateTextReader(content), as: form)
    }
  }

  private init?(_ reader: DateTextReader, as form: TextForm, isSpelling: Bool = false) {
    var reader = reader
    guard let day = reader.day(), reader.accept(form.separator), let time = reader.time(),
      reader.accept(form.zone) || (isSpelling && reader.accept(form.escapedZone)), reader.isAtEnd
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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    append(as: form, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the moment as text, without its fraction of a second.
  package func append(as form: TextForm, to bytes: inout [UInt8]) {
    let day = seconds.floored(by: 86_400)
    let time = seconds - day * 86_400
    bytes.append(CivilDay(number: day), then: form.separator)
    bytes.append(digits: time / 3600, width: 2, then: ":")
    bytes.append(digits: time / 60 % 60, width: 2, then: ":")
    bytes.append(digits: time % 60, width: 2, then: form.zone)
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
  package init?(receiptAttribute bytes: [UInt8], in range: Range<Int>) {
    if let seconds = Self.wholeSeconds(bytes, in: range) {
      self.init(timeIntervalSince1970: Double(seconds))
      return
    }
    var reader = DateTextReader(bytes[range])
    // A leap second counts as the next second (RFC 3339, section 5.7).
    guard let day = reader.day(), reader.accept("T"), let time = reader.time(lastSecond: 60),
      let nanoseconds = reader.nanoseconds(), let offset = reader.offset(isColonOptional: true),
      reader.isAtEnd
    else { return nil }
    let seconds = day.number * 86_400 + time - offset
    self.init(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
  }

  /// Returns the seconds since 1970 of a text such as `2020-07-22T17:39:08Z`, the form of nearly all
  /// dates in receipts, which have hundreds; nil for any other text.
  private static func wholeSeconds(_ bytes: [UInt8], in range: Range<Int>) -> Int? {
    let start = range.lowerBound
    guard range.count == 20, bytes[start + 4] == UInt8(ascii: "-"),
      bytes[start + 7] == UInt8(ascii: "-"), bytes[start + 10] == UInt8(ascii: "T"),
      bytes[start + 13] == UInt8(ascii: ":"), bytes[start + 16] == UInt8(ascii: ":"),
      bytes[start + 19] == UInt8(ascii: "Z")
    else { return nil }
    var areDigits = true
    func number(at place: Int) -> Int {
      let tens = bytes[start + place] &- UInt8(ascii: "0")
      let ones = bytes[start + place + 1] &- UInt8(ascii: "0")
      areDigits = areDigits && tens < 10 && ones < 10
      return Int(tens) * 10 + Int(ones)
    }
    let year = number(at: 0) * 100 + number(at: 2)
    let day = CivilDay(year: year, month: number(at: 5), day: number(at: 8))
    let (hour, minute, second) = (number(at: 11), number(at: 14), number(at: 17))
    guard areDigits, let day, hour < 24, minute < 60, second <= 60 else { return nil }
    return day.number * 86_400 + hour * 3600 + minute * 60 + second
  }
}
