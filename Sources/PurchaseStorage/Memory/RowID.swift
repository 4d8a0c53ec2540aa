/// The identifiers that rows get.
package enum RowID {
  /// The identifier of a membership's row: `mmb_` and 12 letters or digits.
  ///
  /// Source: contract on linking, section 1.3.
  package static func membership() -> String { make("mmb_") }

  /// The identifier of a copy of a membership: `snp_` and 12 letters or digits.
  ///
  /// Source: contract on linking, section 4.6.
  package static func snapshot() -> String { make("snp_") }

  private static let letters = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// The prefix and 12 letters or digits by the system's chance, of 71 bits.
  ///
  /// Without a generator as argument: the system's has no size, and ThreadSanitizer then looks at an
  /// address that is none.
  private static func make(_ prefix: String) -> String {
    prefix + String(decoding: half() + half(), as: UTF8.self)
  }

  /// Six letters of one question to the system, each as likely as any other.
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
