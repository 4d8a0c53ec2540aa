/// The type that a value in a catalogue file should have.
@nonexhaustive
public enum CatalogValueType: Hashable, Sendable, CustomStringConvertible {
  /// A map of keys to values.
  case map
  /// A text; numbers, true and null are text only within quotation marks.
  case text
  /// A text as the key of a map; plain numbers, true and null are text there.
  case textKey
  /// A number without fraction and exponent.
  case wholeNumber
  /// `true` or `false`.
  case boolean

  /// The words for it in a message, with an article.
  public var description: String {
    switch self {
    case .map: "a map"
    case .text: "a text"
    case .textKey: "a text as the key"
    case .wholeNumber: "a whole number"
    case .boolean: "true or false"
    }
  }
}
