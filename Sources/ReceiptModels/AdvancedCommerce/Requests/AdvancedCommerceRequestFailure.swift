/// A request of the Advanced Commerce API that Apple would refuse.
///
/// Fields are named by their path in JSON, such as `items[0].displayName`.
@nonexhaustive
public enum AdvancedCommerceRequestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text has more characters than Apple allows.
  case tooLong(field: String, limit: Int, found: Int)
  /// A list that needs an element has none.
  case empty(field: String)
  /// A number is outside of what Apple allows.
  case outOfRange(field: String, allowed: ClosedRange<Int>, found: Int)
  /// The JSON that the request was read from names another operation.
  case operation(expected: AdvancedCommerceOperation, found: AdvancedCommerceOperation)
  /// The JSON that the request was read from names another version.
  case version(expected: String, found: String)

  /// The field, the limit and what was found, without any text of the request's items.
  public var description: String {
    switch self {
    case .tooLong(let field, let limit, let found):
      "\(field): at most \(limit) characters, found \(found)"
    case .empty(let field):
      "\(field): at least one element, found none"
    case .outOfRange(let field, let allowed, let found):
      "\(field): \(allowed.lowerBound) to \(allowed.upperBound), found \(found)"
    case .operation(let expected, let found):
      "operation: expected \(expected), found \(found)"
    case .version(let expected, let found):
      "version: expected \(expected), found \(found)"
    }
  }
}
