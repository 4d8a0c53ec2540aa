extension AdvancedCommerceOneTimeChargeCreateRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try item.checkLimits("item.")
  }
}

extension AdvancedCommerceSubscriptionCreateRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try descriptors.checkLimits("descriptors.")
    try items.checkLimits(list: "items")
  }
}

extension AdvancedCommerceSubscriptionModifyInAppRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try descriptors?.checkLimits("descriptors.")
    try addItems?.checkLimits(list: "addItems")
    try changeItems?.checkLimits(list: "changeItems")
    try removeItems?.checkLimits(list: "removeItems")
  }
}

extension AdvancedCommerceSubscriptionReactivateInAppRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try items?.checkLimits(list: "items")
  }
}

/// An error for a request that the Advanced Commerce API would refuse.
///
/// Fields are named by their path in JSON, such as `items[0].displayName`.
@nonexhaustive
public enum AdvancedCommerceRequestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong(field: String, limit: Int, found: Int)
  case empty(field: String)
  case outOfRange(field: String, allowed: ClosedRange<Int>, found: Int)
  case operation(expected: AdvancedCommerceOperation, found: AdvancedCommerceOperation)
  case version(expected: String, found: String)

  /// A text with the field, the limit and the value found, but no text of the request's items.
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
