/// A part of YAML that catalogue files don't use.
///
/// Anchors, aliases and merge keys let a short file stand for a long one, and tags change the types of values.
///
/// Source: credit rules, section 8.
@nonexhaustive
public enum CatalogFeature: Hashable, Sendable, CustomStringConvertible {
  /// A name of a value, such as `&pack`.
  case anchor
  /// A reference to a named value, such as `*pack`.
  case alias
  /// A type of a value, such as `!!str`, or the directive `%TAG`.
  case tag
  /// The key `<<`.
  case mergeKey
  /// Anything after the end of the first document.
  case secondDocument

  /// The words for it in a message.
  public var description: String {
    switch self {
    case .anchor: "no anchor"
    case .alias: "no alias"
    case .tag: "no tag"
    case .mergeKey: "no merge key"
    case .secondDocument: "no second document"
    }
  }
}
