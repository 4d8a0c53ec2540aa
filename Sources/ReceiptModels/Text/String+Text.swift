extension String {
  /// Whether the text consists of Unicode white space only.
  ///
  /// Source: linking rules, section 2.
  package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// The text without leading and trailing white space.
  package var trimmed: Substring {
    let isVisible = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
    guard let first = unicodeScalars.firstIndex(where: isVisible),
      let last = unicodeScalars.lastIndex(where: isVisible)
    else { return "" }
    return Substring(unicodeScalars[first...last])
  }
}
