/// One JSON value, as RFC 8259 has them.
///
/// Integers that fit 64 bits keep their exact value; every other number is a `Double`. Objects are
/// unordered, and of duplicate members the first counts (see ``init(parsing:)``). Names of members
/// are the same where Swift finds the strings equal, so that `é` has one form.
public enum JSONValue: Hashable, Sendable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number written without fraction and exponent that fits 64 bits.
  case integer(Int)
  /// Any other finite number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, without order.
  case object([String: JSONValue])

  /// The kind of this value.
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

  /// Whether this is the literal `null`.
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The value of an object's member, or nil if this is no object or has no such member.
  public subscript(member: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }
}

/// What sort of JSON value something is, or was expected to be.
public enum JSONKind: Hashable, Sendable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case boolean
  /// A number without fraction that fits 64 bits.
  case integer
  /// Any number.
  case number
  /// A string.
  case string
  /// A string that holds a UUID (RFC 9562).
  case uuid
  /// A string of 1 to 64 digits, as the identifiers of transactions are.
  case digits
  /// A string that holds a moment in UTC and whole seconds, such as `2020-07-22T17:39:08Z`
  /// (RFC 3339).
  case timestamp
  /// An array.
  case array
  /// An object.
  case object
  /// No member of that name.
  case absent
}
