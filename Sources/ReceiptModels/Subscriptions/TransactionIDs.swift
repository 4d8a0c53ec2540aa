/// The rules for transaction identifiers, which are texts of digits.
package enum TransactionIDs {
  /// The maximum number of digits of an identifier.
  package static let maximumLength = 64

  /// Returns whether the text consists of 1 to 64 ASCII digits.
  package static func areDigits(_ text: String) -> Bool {
    (1...maximumLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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
