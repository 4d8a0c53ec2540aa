#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One JSON object on one line, its members in order.
struct LogLine {
  enum Value {
    case text(String)
    case number(Int)
    case null
  }

  /// The object and the end of the line.
  var bytes: [UInt8] { json + "}\n".utf8 }

  private var json = Array("{".utf8)

  init(at date: Date = Date()) {
    json.reserveCapacity(256)
    appendName("time")
    json += "\"".utf8
    json += LogTime.shared.text(date)
    json += "\"".utf8
  }

  mutating func add(_ name: StaticString, _ value: Value) {
    json += ",".utf8
    appendName(name)
    switch value {
    case .text(let text): append(text)
    case .number(let number): json += String(number).utf8
    case .null: json += "null".utf8
    }
  }

  mutating func add(_ name: StaticString, _ text: String?) {
    add(name, text.map(Value.text) ?? .null)
  }

  private mutating func appendName(_ name: StaticString) {
    json += "\"".utf8
    json += name.description.utf8
    json += "\":".utf8
  }

  /// Control characters, marks and backslashes are escaped (RFC 8259 section 7).
  private mutating func append(_ text: String) {
    json += "\"".utf8
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
      case 0...0x1F, 0x7F:
        let digits = String(byte, radix: 16)
        json += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
      default: json.append(byte)
      }
    }
    json += "\"".utf8
  }
}
