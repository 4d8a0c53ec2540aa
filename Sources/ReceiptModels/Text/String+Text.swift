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

extension String {
  /// Returns whether both texts are equal byte by byte, as identifiers must be.
  ///
  /// Swift's `==` also accepts canonically equivalent text, such as the Kelvin sign for K. Source:
  /// App Store rules, section 2.1.
  package func isSameText(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
