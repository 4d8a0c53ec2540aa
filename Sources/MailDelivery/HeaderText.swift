#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The texts of header fields, in ASCII.
enum HeaderText {
  /// Returns a text as it may stand in a field such as `Subject`, the first line of which begins at a column.
  ///
  /// Control characters become spaces, so that a value never ends a field. A text that is short, in ASCII and does
  /// not look encoded is left as it is; any other becomes encoded words, one a line (RFC 2047).
  static func unstructured(_ text: String, column: Int) -> String {
    let text = MailEscape.plain(text)
    guard text.utf8.count + column > lineLength || !isPlain(text) else { return text }
    return encodedWords(text, column: column).joined(separator: "\r\n ")
  }

  /// Returns an address, with its name in front as a quoted string or as encoded words (RFC 5322 section 3.4).
  static func mailbox(_ address: MailAddress, column: Int) -> String {
    guard let name = address.name.map(MailEscape.plain) else { return address.address }
    let phrase =
      isPlain(name) && name.utf8.count <= lineLength / 2
      ? quoted(name) : encodedWords(name, column: column).joined(separator: "\r\n ")
    let isShort = phrase.utf8.count + address.address.utf8.count + column + 3 <= lineLength
    return "\(phrase)\(isShort ? "" : "\r\n") <\(address.address)>"
  }

  /// Returns a date in UTC, such as `Tue, 14 Nov 2023 22:13:20 +0000` (RFC 5322 section 3.3).
  static func date(_ date: Date) -> String {
    let seconds = Int(min(max(date.timeIntervalSince1970, 0), 253_402_300_799).rounded(.down))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.year, .month, .day, .weekday, .hour, .minute, .second],
      from: Date(timeIntervalSince1970: Double(seconds)))
    let (weekday, month) = (weekdays[(parts.weekday ?? 1) - 1], months[(parts.month ?? 1) - 1])
    let time = [parts.hour, parts.minute, parts.second].map { twoDigits($0 ?? 0) }
    return "\(weekday), \(twoDigits(parts.day ?? 1)) \(month) \(parts.year ?? 1970)"
      + " \(time.joined(separator: ":")) +0000"
  }

  /// The length of a line that every program can show (RFC 5322 section 2.1.1).
  private static let lineLength = 78

  /// The length of a line with an encoded word, and the part of it that is none of the text: `=?UTF-8?B?` and `?=`.
  ///
  /// Source: RFC 2047 section 2.
  private static let (encodedLineLength, wordFrame) = (76, 12)

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
      && text.first != " " && text.last != " "
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(escaped.joined())\""
  }

  /// Returns encoded words, none of which ends within a character; the first one begins at a column.
  private static func encodedWords(_ text: String, column: Int) -> [String] {
    var words: [[UInt8]] = [[]]
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // Lines after the first begin with a space. Four characters hold three bytes.
      let start = words.count == 1 ? column : 1
      let room = (encodedLineLength - start - wordFrame) / 4 * 3
      if words[words.count - 1].count + bytes.count > room { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
