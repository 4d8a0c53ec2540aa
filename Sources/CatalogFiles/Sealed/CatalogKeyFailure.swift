/// The reason why a text is no key of sealed catalogues.
///
/// Source: entitlement rules, section 3.
public enum CatalogKeyFailure: String, Error, Hashable, Sendable, CustomStringConvertible {
  /// The text has neither 32 nor 64 characters.
  case keyLength
  /// The text has characters other than hexadecimal digits.
  case keyNotHex

  /// The rule that the text breaks.
  public var description: String {
    switch self {
    case .keyLength: "key: expected 32 or 64 hexadecimal digits"
    case .keyNotHex: "key: expected only hexadecimal digits"
    }
  }
}
