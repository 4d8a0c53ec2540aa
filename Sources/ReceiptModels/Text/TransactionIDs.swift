/// The rules for identifiers of transactions, which are texts of digits.
package enum TransactionIDs {
  /// The most digits that an identifier may have.
  package static let maximumLength = 64

  /// Whether the text consists of 1 to 64 ASCII digits.
  package static func areDigits(_ text: String) -> Bool {
    (1...maximumLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Whether the first is the smaller number: shorter, or else earlier as text.
  ///
  /// Zeros at the front do not count; among equal numbers the one with fewer is the smaller, so that
  /// the order is total.
  ///
  /// Source: contract on signed data, section 5.5; contract on linking, section 4.7, step 3.
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
