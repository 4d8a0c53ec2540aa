import Foundation
package import JSONValues
import ReceiptModels

/// The wrapping of receipts and tokens in people's files: byte-order marks, quotes, JSON.
package enum Wrapping {
  /// A string found in JSON.
  package struct Found: Hashable {
    /// The path of the JSON member, or nil without JSON.
    package var member: String?
    package var text: String
  }

  /// Returns a text in UTF-8 without its byte-order mark, also if that is of UTF-16.
  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    for (mark, encoding) in [
      ([0xFF, 0xFE], String.Encoding.utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ] as [([UInt8], String.Encoding)] where bytes.starts(with: mark) {
      return String(data: Data(bytes.dropFirst(2)), encoding: encoding).map { Array($0.utf8) }
        ?? bytes
    }
    return bytes
  }

  /// Returns the JSON object or array that fills a text, or nil.
  package static func json(_ bytes: [UInt8]) -> JSONValue? {
    let text = trimmed(bytes)
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return nil
    }
    return try? JSONValue(parsing: Array(text))
  }

  /// Returns the strings of members with these names, anywhere in a JSON value, without duplicates.
  package static func members(_ names: Set<String>, in json: JSONValue) -> [Found] {
    var found: [Found] = []
    collect(names, json, path: "", isNamed: false, into: &found)
    return found
  }

  /// Returns a text without the quotes around it, and without a comma or semicolon after them.
  package static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
    var text = trimmed(bytes)
    guard let quote = text.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return bytes
    }
    if let last = text.last, last == UInt8(ascii: ",") || last == UInt8(ascii: ";") {
      text = text.dropLast()
    }
    guard text.count >= 2, text.last == quote else { return bytes }
    // JSON allows a slash to be escaped.
    return text.dropFirst().dropLast().filter { $0 != UInt8(ascii: "\\") }
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let start = bytes.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
    return start[...last]
  }

  private static func collect(
    _ names: Set<String>, _ json: JSONValue, path: String, isNamed: Bool, into found: inout [Found]
  ) {
    switch json {
    case .string(let text):
      guard isNamed, !found.contains(where: { $0.text == text }) else { return }
      found.append(Found(member: path, text: text))
    case .array(let values):
      for (index, value) in values.enumerated() {
        collect(names, value, path: "\(path)[\(index)]", isNamed: isNamed, into: &found)
      }
    case .object(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        let inside = path.isEmpty ? name : "\(path).\(name)"
        collect(names, value, path: inside, isNamed: names.contains(name), into: &found)
      }
    default: return
    }
  }
}
