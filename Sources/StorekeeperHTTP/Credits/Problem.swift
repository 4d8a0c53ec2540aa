internal import HTTPMessages
internal import JSONValues

/// The answer to a refused request about credits, with members in the order of the contract (RFC 7807).
///
/// Source: credit rules, section 4.
struct Problem: Error, Sendable {
  let code: ProblemCode
  let detail: String
  /// The parameters, in their order; they hold only what the client itself sent, and reasons.
  let parameters: [OrderedJSON.Member]

  init(_ code: ProblemCode, detail: String? = nil, _ parameters: [OrderedJSON.Member] = []) {
    self.code = code
    self.detail = detail ?? code.detail
    self.parameters = parameters
  }

  static func invalid(_ reason: SignedDataReason) -> Problem {
    Problem(.paymentTransactionInvalid, [.init("reason", reason.rawValue)])
  }

  /// Returns the answer, whose member `type` begins with `base`; `retryAfter`, in seconds, is sent with status 503.
  func response(base: String, retryAfter: String) -> HTTPResponseMessage {
    let name = code.rawValue.lowercased().map { $0 == "_" ? "-" : $0 }
    var members: [OrderedJSON.Member] = [
      .init("type", base + String(name)), .init("title", code.title),
      .init("status", code.status), .init("detail", detail), .init("code", code.rawValue),
    ]
    if !parameters.isEmpty { members.append(.init("params", .object(parameters))) }
    var headers: HTTPHeaders = [.contentType: "application/problem+json"]
    // Digits are a valid value, so `set` does not throw.
    if code == .serviceUnavailable { try? headers.set(retryAfter, for: .retryAfter) }
    return HTTPResponseMessage(
      status: HTTPStatusCode(code.status), headers: headers,
      body: OrderedJSON.object(members).serialized)
  }

  var outcome: RequestOutcome {
    var field: String?
    if case .value(.string(let name))? = parameters.first(where: { $0.name == "field" })?.value {
      field = name
    }
    return .refused(field: field, code: code.rawValue)
  }
}

/// A code of a problem, by which clients decide, with its status and its fixed title.
///
/// The codes of the contract come first, then those of routes that it does not have. Source: credit rules, section 4.
enum ProblemCode: String, Hashable, Sendable, CaseIterable {
  case requestValidationFailed = "REQUEST_VALIDATION_FAILED"
  case unauthenticated = "UNAUTHENTICATED"
  case paymentProductNotFound = "PAYMENT_PRODUCT_NOT_FOUND"
  case paymentTransactionInvalid = "PAYMENT_TRANSACTION_INVALID"
  case paymentProductMismatch = "PAYMENT_PRODUCT_MISMATCH"
  case paymentTransactionRevoked = "PAYMENT_TRANSACTION_REVOKED"
  case paymentTransactionConflict = "PAYMENT_TRANSACTION_CONFLICT"
  case paymentStarterPackIneligible = "PAYMENT_STARTER_PACK_INELIGIBLE"
  case requestMalformed = "REQUEST_MALFORMED"
  case internalError = "INTERNAL_ERROR"
  case serviceUnavailable = "SERVICE_UNAVAILABLE"
  // By addition.
  case paymentPurchasePending = "PAYMENT_PURCHASE_PENDING"
  case creditBalanceInsufficient = "CREDIT_BALANCE_INSUFFICIENT"
  case notFound = "NOT_FOUND"
  case methodNotAllowed = "METHOD_NOT_ALLOWED"
  case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"

  var status: Int {
    switch self {
    case .requestMalformed: 400
    case .unauthenticated: 401
    case .paymentProductNotFound, .notFound: 404
    case .methodNotAllowed: 405
    case .paymentTransactionRevoked, .paymentTransactionConflict, .paymentStarterPackIneligible,
      .paymentPurchasePending, .creditBalanceInsufficient:
      409
    case .unsupportedMediaType: 415
    case .requestValidationFailed, .paymentTransactionInvalid, .paymentProductMismatch: 422
    case .internalError: 500
    case .serviceUnavailable: 503
    }
  }

  var title: String {
    switch self {
    case .requestValidationFailed: "Request validation failed"
    case .unauthenticated: "Authentication required"
    case .paymentProductNotFound: "Product not found"
    case .paymentTransactionInvalid: "Transaction invalid"
    case .paymentProductMismatch: "Product mismatch"
    case .paymentTransactionRevoked: "Transaction revoked"
    case .paymentTransactionConflict: "Transaction conflict"
    case .paymentStarterPackIneligible: "Starter pack not available"
    case .requestMalformed: "Malformed request"
    case .internalError: "Internal error"
    case .serviceUnavailable: "Service unavailable"
    case .paymentPurchasePending: "Purchase pending"
    case .creditBalanceInsufficient: "Balance insufficient"
    case .notFound: "Not found"
    case .methodNotAllowed: "Method not allowed"
    case .unsupportedMediaType: "Unsupported media type"
    }
  }

  /// The text for people, which may change; that of ``requestValidationFailed`` names the field.
  var detail: String {
    switch self {
    case .requestValidationFailed: "The request is not valid."
    case .unauthenticated: "Sign in and try again."
    case .paymentProductNotFound: "No enabled product has this code."
    case .paymentTransactionInvalid: "The signed transaction could not be accepted."
    case .paymentProductMismatch: "The product does not match the signed transaction."
    case .paymentTransactionRevoked: "The transaction was refunded or revoked."
    case .paymentTransactionConflict: "The transaction was already used."
    case .paymentStarterPackIneligible: "The starter pack was already bought."
    case .requestMalformed: "The body must be a JSON object with signedPayload."
    case .internalError, .serviceUnavailable: "Try again later."
    case .paymentPurchasePending: "The purchase is not paid yet."
    case .creditBalanceInsufficient: "The balance is too low for this amount."
    case .notFound: "Nothing is served at this address."
    case .methodNotAllowed: "Use a method of the Allow field."
    case .unsupportedMediaType: "Send the body without a content coding."
    }
  }
}
