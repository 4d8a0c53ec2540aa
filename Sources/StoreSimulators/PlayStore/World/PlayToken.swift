/// Texts of the forms that Google's tokens have.
enum PlayToken {
  private static let letters = Array("abcdefghijklmnop")
  private static let others = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  private static func random(_ count: Int, of characters: [Character]) -> String {
    String((0..<count).map { _ in characters[Int.random(in: characters.indices)] })
  }

  /// Returns a new purchase token: 24 letters, a point, and a longer text.
  static func purchase() -> String {
    "\(random(24, of: letters)).AO-J1O\(random(90, of: others))"
  }

  /// Returns a new access token.
  static func access() -> String { "ya29.c.c0AY\(random(120, of: others))" }

  /// Returns a new identifier of hexadecimal digits, such as that of a key.
  static func hexadecimal(_ count: Int) -> String { random(count, of: Array("0123456789abcdef")) }

  /// Returns a new identifier of digits.
  static func digits(_ count: Int) -> String {
    random(1, of: Array("123456789")) + random(count - 1, of: Array("0123456789"))
  }

  /// Whether a text has the form of a purchase token; Google calls any other one invalid.
  static func hasForm(_ text: String) -> Bool {
    (20...1000).contains(text.utf8.count)
      && text.allSatisfy { $0 == "." || others.contains($0) }
  }
}
