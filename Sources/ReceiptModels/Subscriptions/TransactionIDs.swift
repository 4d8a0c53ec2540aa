internal import JSONValues

/// The rules for transaction identifiers.
///
/// Apple's are texts of digits. Those that are made for purchases of Google Play begin with a word, so that an
/// identifier tells the vendor, and no purchase of one can be taken for one of the other.
package enum TransactionIDs {
  /// The maximum number of digits of Apple's identifiers.
  package static let maximumLength = 64
  /// The maximum number of bytes of the others.
  package static let maximumStoredLength = 255
  /// The beginning of identifiers of purchases of Google Play.
  private static let googlePrefix = "google:"
  /// The beginning of identifiers of tokens for external purchases.
  private static let externalPrefix = "external:"

  /// Returns whether the text can identify a stored purchase of any vendor.
  package static func areStorable(_ text: String) -> Bool {
    areDigits(text) || areGoogle(text) || are(externalPrefix, text)
  }

  /// Returns whether the text identifies a purchase of Google Play: the word and 1 to 248 letters, digits, dots,
  /// hyphens, underscores and colons of ASCII.
  package static func areGoogle(_ text: String) -> Bool { are(googlePrefix, text) }

  private static func are(_ prefix: String, _ text: String) -> Bool {
    guard text.utf8.count <= maximumStoredLength, text.utf8.starts(with: prefix.utf8) else {
      return false
    }
    let rest = text.utf8.dropFirst(prefix.utf8.count)
    return !rest.isEmpty && rest.allSatisfy { $0.isLetterOrDigit || ".-_:".utf8.contains($0) }
  }

  /// Returns the identifier that stands for Apple's token for external purchases.
  package static func external(_ text: String) -> String { externalPrefix + text }

  /// Returns the identifier of Apple's token for which an identifier stands.
  package static func text(ofExternal id: String) -> String {
    String(Substring(id.utf8.dropFirst(externalPrefix.utf8.count)))
  }

  /// Returns the identifier of a purchase of Google Play that stands for a text of Google's.
  package static func google(_ text: String) -> String { googlePrefix + text }

  /// Returns the text of Google's for which an identifier stands.
  package static func text(ofGoogle id: String) -> String {
    String(Substring(id.utf8.dropFirst(googlePrefix.utf8.count)))
  }

  /// Returns the vendor of a stored purchase.
  package static func vendor(of id: String) -> Vendor {
    id.utf8.starts(with: googlePrefix.utf8) ? .google : .apple
  }

  /// Returns whether the text consists of 1 to 64 ASCII digits.
  package static func areDigits(_ text: String) -> Bool {
    (1...maximumLength).contains(text.utf8.count) && text.utf8.areDigits
  }

  /// Returns whether the first identifier is the smaller number.
  ///
  /// Leading zeros are ignored. Among equal numbers the shorter text comes first, so that the order
  /// is total.
  ///
  /// Source: App Store rules, section 5.5; linking rules, section 4.7, step 3.
  package static func areInOrder(_ first: String, _ second: String) -> Bool {
    let numbers = (significant(first), significant(second))
    let lengths = (numbers.0.count, numbers.1.count)
    guard lengths.0 == lengths.1 else { return lengths.0 < lengths.1 }
    if numbers.0.elementsEqual(numbers.1) { return first.utf8.count < second.utf8.count }
    return numbers.0.lexicographicallyPrecedes(numbers.1)
  }

  private static func significant(_ text: String) -> Substring.UTF8View {
    text.utf8.drop { $0 == UInt8(ascii: "0") }
  }
}
