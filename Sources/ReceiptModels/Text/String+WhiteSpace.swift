extension String {
  /// Whether there is nothing but white space, as Unicode has it.
  ///
  /// Source: contract on linking, rule L2.
  package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// The text without the white space around it.
  package var trimmed: Substring {
    let isVisible = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
    guard let first = unicodeScalars.firstIndex(where: isVisible),
      let last = unicodeScalars.lastIndex(where: isVisible)
    else { return "" }
    return Substring(unicodeScalars[first...last])
  }
}
