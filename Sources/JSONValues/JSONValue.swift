/// A JSON value (RFC 8259).
///
/// Integers that fit 64 bits keep their exact value; any other number is a `Double`. Objects have
/// no order, and the first of duplicate members is kept (see ``init(parsing:)``). Member names are
/// equal if Swift's strings are, so that `é` has one form.
public enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// An integer that fits 64 bits, written without fraction and exponent.
  case integer(Int)
  /// Any other finite number.
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// An unordered object.
  case object([String: JSONValue])

  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The member with this name, or nil if there is none or the value is not an object.
  public subscript(member: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }
}

/// The kind of a JSON value.
public enum JSONKind: Hashable, Sendable {
  case null
  case boolean
  /// An integer that fits 64 bits.
  case integer
  case number
  case string
  /// A string that contains a UUID (RFC 9562).
  case uuid
  /// A string of 1 to 64 digits, such as the identifier of a transaction.
  case digits
  /// A string that contains a moment in UTC and whole seconds, such as `2020-07-22T17:39:08Z` (RFC
  /// 3339).
  case timestamp
  case array
  case object
  /// A missing member.
  case absent
}
