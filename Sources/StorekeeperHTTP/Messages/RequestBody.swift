internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

/// The members of the JSON object in a request's body; unknown ones are ignored.
///
/// The failure is always ``RequestRefusal/malformedBody``. Source: linking rules, section 6.1.
typealias RequestBody = JSONMembers<RequestRefusal>

extension RequestRefusal: MemberFailure {
  static var limits: JSONLimits { .knownMembers }

  init(_ fault: MemberFault) { self = .malformedBody }
}

/// The members of a request about entitlements or an order; unknown ones are ignored.
///
/// Source: entitlement rules, sections 10 and 14.
typealias RequestFields = JSONMembers<FieldRefusal>

extension FieldRefusal: MemberFailure {
  static var limits: JSONLimits { .knownMembers }

  init(_ fault: MemberFault) {
    self =
      fault.name.isEmpty
      ? .malformedBody : fault.isMissing ? .missing(fault.name) : .invalid(fault.name)
  }
}

extension RequestFields {
  /// Returns a user ID, or nil if it is missing.
  func optionalUserID(_ name: String) throws(FieldRefusal) -> AccountID? {
    guard let text = try nonEmptyText(name) else { return nil }
    guard let user = try? AccountID(opaque: text) else { throw .invalid(name) }
    return user
  }

  /// Returns a list of texts, which is empty if it is missing.
  func texts(_ name: String, limit: Int) throws(FieldRefusal) -> [String] {
    guard (try elements(name) ?? []).count <= limit else { throw .tooMany(name) }
    return try texts(name)
  }
}

/// The reason that a request did not reach the service.
///
/// Source: linking rules, section 6.1.
enum RequestRefusal: Error, Hashable, Sendable {
  case notFound
  case methodNotAllowed([HTTPRequestMethod])
  case forbidden
  case userMissing
  /// A header field that names the user appears twice.
  case ambiguousUser
  case bodyTooLarge
  /// The body has a content coding, which is not supported (RFC 9110 section 15.5.16).
  case codedBody
  case malformedBody
  /// A required member of the body is missing, null or blank.
  case missing(RequestField)
  /// The identifier is one that no stored row can have.
  case unknownID
  case invalidPage
  case invalidPageLength

  var answer: FailureAnswer {
    switch self {
    case .notFound, .unknownID: .notFound
    case .methodNotAllowed: FailureAnswer(status: 405, message: "Method Not Allowed")
    case .forbidden: .forbidden
    case .userMissing, .ambiguousUser: .unauthorized
    case .bodyTooLarge: FailureAnswer(status: 413, message: "Request body is too large")
    case .codedBody: FailureAnswer(status: 415, message: "Unsupported Media Type")
    case .malformedBody: .malformedBody
    case .missing(let field): .missing(field.rawValue)
    case .invalidPage: .invalidPage
    case .invalidPageLength: .invalidPageLength
    }
  }
}

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
