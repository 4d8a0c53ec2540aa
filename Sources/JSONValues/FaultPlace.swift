/// The place of a fault in a list that was read from a file.
package struct FaultPlace {
  /// The index of the element, from 0, or nil for the whole file.
  package let index: Int?
  /// The path of the key, or nil for the element itself.
  package let key: String?

  package init(index: Int?, key: String?) {
    self.index = index
    self.key = key
  }

  /// Returns the place and the reason in one line, such as `levels: element 1, key "fee": missing`.
  package func description(of reason: some CustomStringConvertible, in list: String) -> String {
    let place = [index.map { "element \($0)" }, key.map { "key \($0.quoted)" }]
      .compactMap(\.self).joined(separator: ", ")
    return [list, place, reason.description].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension String {
  /// The greatest size in bytes of a foreign text in a failure or warning.
  package static var quotedByteCount: Int { 255 }

  /// The text, cut after 255 bytes between two characters of Unicode, with `…` after a cut.
  package var cut: String {
    guard utf8.count > Self.quotedByteCount else { return self }
    var end = utf8.index(startIndex, offsetBy: Self.quotedByteCount)
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(unicodeScalars[..<end]) + "…"
  }

  /// The cut text in quotation marks and one line: quotation marks, reverse solidi, control characters and
  /// separators of lines are escaped.
  package var quoted: String {
    var text = "\""
    for scalar in cut.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        text.unicodeScalars.append("\\")
        text.unicodeScalars.append(scalar)
      case _ where scalar.isHarmful:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension Unicode.Scalar {
  /// Whether the character may break or disguise a line of text.
  fileprivate var isHarmful: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
