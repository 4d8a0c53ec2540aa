/// The identifiers that rows get.
package enum RowID {
  /// The identifier of a membership's row: `mmb_` and 12 letters or digits.
  ///
  /// Source: contract on linking, section 1.3.
  package static func membership() -> String {
    var generator = SystemRandomNumberGenerator()
    return make("mmb_", using: &generator)
  }

  /// The identifier of a copy of a membership: `snp_` and 12 letters or digits.
  ///
  /// Source: contract on linking, section 4.6.
  package static func snapshot() -> String {
    var generator = SystemRandomNumberGenerator()
    return make("snp_", using: &generator)
  }

  /// The prefix and 12 letters or digits by chance, of 71 bits.
  package static func make(_ prefix: String, using generator: inout some RandomNumberGenerator)
    -> String
  {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    let chosen = (0..<12).compactMap { _ in letters.randomElement(using: &generator) }
    return prefix + String(decoding: chosen, as: UTF8.self)
  }
}
