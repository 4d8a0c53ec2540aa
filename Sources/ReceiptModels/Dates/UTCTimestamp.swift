package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A moment as the service writes it: `2020-07-22T17:39:08Z`, in whole seconds of UTC.
///
/// Source: contract on linking, section 1.2; RFC 3339.
package struct UTCTimestamp: Hashable, Sendable, FieldValue {
  package static var kind: JSONKind { .timestamp }

  /// Since 1970 UTC.
  package var seconds: Int

  /// The moment of a date, its fraction cut off, within the years 1 to 9999.
  package init(_ date: Date) {
    seconds = ReceiptMoment(date).milliseconds.floored(by: 1000)
  }

  /// Reads the fixed form; no fraction, no other zone.
  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .string(let text) = json, let seconds = DateTimeText.internet.seconds(of: text)
    else { throw FieldTypeFailure(expected: .timestamp, found: json.kind) }
    self.seconds = seconds
  }

  package var json: JSONValue { .string(DateTimeText.internet.text(ofSeconds: seconds)) }

  /// The same as a date.
  package var date: Date { Date(timeIntervalSince1970: Double(seconds)) }
}
