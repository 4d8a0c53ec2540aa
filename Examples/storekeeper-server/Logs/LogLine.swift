import FoundationEssentials

/// One JSON object on one line, its members in order.
struct LogLine {
  enum Value {
    case text(String)
    case number(Int)
    case null
  }

  private var json = "{"

  init(at date: Date = Date()) {
    add("time", .text(date.formatted(Self.timeFormat)))
  }

  mutating func add(_ name: StaticString, _ value: Value) {
    if json.utf8.count > 1 { json += "," }
    json += "\"\(name)\":"
    switch value {
    case .text(let text): Self.append(text, to: &json)
    case .number(let number): json += String(number)
    case .null: json += "null"
    }
  }

  mutating func add(_ name: StaticString, _ text: String?) {
    add(name, text.map(Value.text) ?? .null)
  }

  /// The object and the end of the line.
  var bytes: [UInt8] { Array((json + "}\n").utf8) }

  private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static func append(_ text: String, to json: inout String) {
    json += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }
}
