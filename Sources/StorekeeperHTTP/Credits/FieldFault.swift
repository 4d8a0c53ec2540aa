/// A fault of a field in a request, or of its whole body.
///
/// Source: credit rules, section 2. The last three belong to routes that the contract does not have.
enum FieldFault: Hashable, Sendable {
  case notJSON
  /// There are more bytes than allowed.
  case tooLarge
  case missing
  case wrongType
  case empty
  case tooLong(max: Int)
  case notAUUID
  case outOfRange
  case invalid
  /// The text is kept for bookings about purchases.
  case reserved

  var reason: String {
    switch self {
    case .notJSON: "not_json"
    case .tooLarge: "too_large"
    case .missing: "missing"
    case .wrongType: "wrong_type"
    case .empty: "empty"
    case .tooLong: "too_long"
    case .notAUUID: "not_a_uuid"
    case .outOfRange: "out_of_range"
    case .invalid: "invalid"
    case .reserved: "reserved"
    }
  }

  /// The text for people.
  func detail(of field: String) -> String {
    let subject = field == "body" ? "The body" : field
    return switch self {
    case .notJSON: "\(subject) is not JSON."
    case .tooLarge: "\(subject) is too large."
    case .missing: "\(subject) is missing."
    case .wrongType: "\(subject) has the wrong type."
    case .empty: "\(subject) is empty."
    case .tooLong(let max): "\(subject) is longer than \(max) characters."
    case .notAUUID: "\(subject) is not a UUID."
    case .outOfRange: "\(subject) is out of range."
    case .invalid: "\(subject) has a character that is not allowed."
    case .reserved: "\(subject) is reserved for purchases."
    }
  }
}
