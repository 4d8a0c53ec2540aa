import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One JSON object on one line, its members in order; the first is the time.
struct LogLine {
  private var json: [UInt8] = []

  init(at date: Date = Date()) {
    json.reserveCapacity(256)
    add("time", .string(date.formatted(Self.time)))
  }

  /// RFC 3339 in UTC, such as `2030-01-31T08:15:00.042Z`.
  private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// Adds a member; a name has no characters to escape.
  mutating func add(_ name: String, _ value: JSONValue) {
    json += (json.isEmpty ? "{\"" : ",\"").utf8
    json += name.utf8
    json += "\":".utf8
    json += value.serialized
  }

  mutating func add(_ name: String, _ text: String?) {
    add(name, text.map(JSONValue.string) ?? .null)
  }

  /// The object and the end of the line.
  var bytes: [UInt8] { json + "}\n".utf8 }
}
