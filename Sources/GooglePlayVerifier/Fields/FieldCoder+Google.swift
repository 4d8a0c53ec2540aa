internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The forms of Google's JSON that a request has, besides texts, numbers of 32 bits and objects.
//
// Source: Protocol Buffers, "ProtoJSON format".
extension FieldCoder {
  /// Reads or writes a moment of RFC 3339, which is written in milliseconds.
  mutating func time(_ name: String, _ value: inout Date?) throws(FieldTypeFailure) {
    var written = value.map(WrittenTime.init)
    try self(name, &written)
    value = written?.date
  }

  /// Reads or writes a duration in seconds, such as `3.5s`.
  mutating func duration(_ name: String, _ value: inout Duration?) throws(FieldTypeFailure) {
    var written = value.map(WrittenDuration.init)
    try self(name, &written)
    value = written?.duration
  }

  /// Reads or writes an integer of 64 bits, which is a text.
  mutating func integerText(_ name: String, _ value: inout Int?) throws(FieldTypeFailure) {
    var written = value.map(WrittenInteger.init)
    try self(name, &written)
    value = written?.integer
  }

  /// Reads or writes an object without members, which says by its presence that something holds.
  mutating func mark(_ name: String, _ value: inout Bool) throws(FieldTypeFailure) {
    var mark = value ? Mark() : nil
    try self(name, &mark)
    value = mark != nil
  }
}

/// An object without members.
struct Mark: FieldModel, Hashable {
  var additionalMembers: [String: JSONValue] = [:]

  mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {}
}

private struct WrittenTime: FieldValue {
  static let kind = JSONKind.timestamp
  let date: Date

  init(_ date: Date) { self.date = date }

  init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .string(let text) = json, let date = Date(timestamp: text) else {
      throw FieldTypeFailure(expected: Self.kind, found: json.kind)
    }
    self.date = date
  }

  var json: JSONValue { .string(RFC3339Time(date, fractionDigits: 3).text) }
}

private struct WrittenDuration: FieldValue {
  static let kind = JSONKind.string
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .string(let text) = json, text.utf8.last == UInt8(ascii: "s"),
      let duration = Self.duration(text.utf8.dropLast())
    else { throw FieldTypeFailure(expected: Self.kind, found: json.kind) }
    self.duration = duration
  }

  /// Reads the seconds with up to nine decimals.
  private static func duration(_ text: Substring.UTF8View) -> Duration? {
    let isNegative = text.first == UInt8(ascii: "-")
    let parts = (isNegative ? text.dropFirst() : text)
      .split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, whole.areDigits, let seconds = Int64(Substring(whole)) else {
      return nil
    }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      let digits = parts[1]
      guard digits.areDigits, (1...9).contains(digits.count),
        let value = Int64(Substring(digits) + String(repeating: "0", count: 9 - digits.count))
      else { return nil }
      nanoseconds = value
    }
    let duration = Duration.seconds(seconds) + .nanoseconds(nanoseconds)
    return isNegative ? .zero - duration : duration
  }

  var json: JSONValue {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = abs(attoseconds / 1_000_000_000)
    let sign = duration < .zero ? "-" : ""
    guard nanoseconds != 0 else { return .string("\(sign)\(seconds.magnitude)s") }
    let digits = String(nanoseconds)
    let padded = String(repeating: "0", count: 9 - digits.utf8.count) + digits
    return .string("\(sign)\(seconds.magnitude).\(padded)s")
  }
}

private struct WrittenInteger: FieldValue {
  static let kind = JSONKind.integer
  let integer: Int

  init(_ integer: Int) { self.integer = integer }

  init(json: JSONValue) throws(FieldTypeFailure) {
    guard let integer = MemberReader.integer(json) else {
      throw FieldTypeFailure(expected: Self.kind, found: json.kind)
    }
    self.integer = integer
  }

  var json: JSONValue { .string(String(integer)) }
}
