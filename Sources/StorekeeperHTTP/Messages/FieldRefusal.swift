/// The fault of a field of a request about entitlements or an order.
///
/// Source: entitlement rules, sections 10 and 14.
enum FieldRefusal: Error, Hashable, Sendable {
  /// The body is not exactly one JSON object.
  case malformedBody
  /// The field is missing, null or empty.
  case missing(String)
  /// The field has the wrong type, or a value that it can't have.
  case invalid(String)
  /// The list has too many elements.
  case tooMany(String)

  var answer: FailureAnswer {
    switch self {
    case .malformedBody: .malformedBody
    case .missing(let field): .missing(field)
    case .invalid(let field): .unprocessable(field, "invalid", "\(field) is not valid")
    case .tooMany(let field): .unprocessable(field, "too_many", "\(field) has too many elements")
    }
  }
}
