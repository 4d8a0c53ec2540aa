/// The identifiers that rows get.
enum RowIdentifier {
  private static let letters = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// The prefix and 12 letters or digits by chance (contract on linking, sections 1.3 and 4.6).
  static func make(_ prefix: String) -> String {
    var generator = SystemRandomNumberGenerator()
    let chosen = (0..<12).compactMap { _ in letters.randomElement(using: &generator) }
    return prefix + String(decoding: chosen, as: UTF8.self)
  }
}
