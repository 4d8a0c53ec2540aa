/// New identifiers of rows.
package enum RowID {
  /// Creates the identifier of a membership's row: `mmb_` and 12 letters or digits.
  package static func membership() -> String { make("mmb_") }

  /// Creates the identifier of a copy of a membership: `snp_` and 12 letters or digits.
  package static func snapshot() -> String { make("snp_") }

  private static let letters = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// Creates an identifier of the prefix and 12 random letters or digits, with 71 bits of entropy.
  ///
  /// The generator is not an argument: the system's generator has no size, and ThreadSanitizer would
  /// read an invalid address.
  private static func make(_ prefix: String) -> String {
    prefix + String(decoding: half() + half(), as: UTF8.self)
  }

  /// Six random letters or digits from one random number, uniformly distributed.
  private static func half() -> [UInt8] {
    let base = UInt64(letters.count)
    var rest = UInt64.random(in: 0..<base * base * base * base * base * base)
    return (0..<6).map { _ in
      let (others, last) = rest.quotientAndRemainder(dividingBy: base)
      rest = others
      return letters[Int(last)]
    }
  }
}
