internal import HTTPMessages
internal import JSONValues

/// An answer that refuses a request for a purchase.
///
/// The reasons are Google's; the messages are the simulator's own.
///
/// Source: Google's API design guide, "Errors", and answers of the Google Play Developer API.
struct GoogleAPIError: Error, Hashable, Sendable {
  let status: HTTPStatusCode
  let reason: String
  let message: String
  /// Whether the error is one of all Google services, rather than of Google Play.
  var isGlobal = false
  /// The part of the request that is wrong.
  var location: Location?

  enum Location: Hashable, Sendable {
    case parameter(String)
    case header(String)
  }

  init(
    _ status: HTTPStatusCode, _ reason: String, _ message: String, isGlobal: Bool = false,
    _ location: Location? = nil
  ) {
    self.status = status
    self.reason = reason
    self.message = message
    self.isGlobal = isGlobal
    self.location = location
  }

  static let noCredentials = GoogleAPIError(
    .unauthorized, "required", "The request has no access token", isGlobal: true,
    .header("Authorization"))
  static let badCredentials = GoogleAPIError(
    .unauthorized, "authError", "Invalid Credentials", isGlobal: true, .header("Authorization"))
  static let otherScope = GoogleAPIError(
    .forbidden, "insufficientPermissions", "The access token is for other scopes",
    isGlobal: true)
  static let unknownPackage = GoogleAPIError(
    .notFound, "notFound", "There is no such package", isGlobal: true,
    .parameter("packageName"))
  static let otherPackage = GoogleAPIError(
    .badRequest, "purchaseTokenDoesNotMatchPackageName",
    "The purchase token is of another package", .parameter("token"))
  static let unknownOrder = GoogleAPIError(
    .notFound, "notFound", "There is no such order", .parameter("orderId"))
  static let unknownTransaction = GoogleAPIError(
    .notFound, "notFound", "There is no such external transaction", .parameter("name"))
  static let unknownProduct = GoogleAPIError(
    .notFound, "notFound", "There is no such product", .parameter("productId"))
  static let knownTransaction = GoogleAPIError(
    .conflict, "alreadyExists", "There is such an external transaction",
    .parameter("externalTransactionId"))
  static let otherProduct = GoogleAPIError(
    .badRequest, "purchaseTokenDoesNotMatchProductId",
    "The purchase token is of another product", .parameter("token"))
  static let unknownToken = GoogleAPIError(
    .notFound, "notFound", "The purchase token was not found", .parameter("token"))
  static let forgottenToken = GoogleAPIError(
    .gone, "purchaseTokenNoLongerValid", "The purchase token is no longer valid",
    .parameter("token"))
  static let endedLongAgo = GoogleAPIError(
    .gone, "subscriptionPurchaseNoLongerAvailable",
    "The subscription ended too long ago", .parameter("token"))
  static let wrongState = GoogleAPIError(
    .badRequest, "invalidPurchaseState", "The purchase is not in a state for that")
  static let unknownCall = GoogleAPIError(
    .notFound, "notFound", "There is no such method", isGlobal: true)
  static let tooMany = GoogleAPIError(
    .tooManyRequests, "rateLimitExceeded", "The quota of requests is used up", isGlobal: true)
  static let tooManyToday = GoogleAPIError(
    .forbidden, "quotaExceeded", "The quota of requests a day is used up", isGlobal: true)

  static func invalid(_ parameter: String) -> GoogleAPIError {
    GoogleAPIError(.badRequest, "invalid", "Invalid Value", .parameter(parameter))
  }

  /// Google's name for the kind of error (google.rpc.Code); nil for a status without one.
  private var name: String? {
    switch (status.code, reason) {
    case (_, "quotaExceeded"), (_, "rateLimitExceeded"), (429, _): "RESOURCE_EXHAUSTED"
    // A missing permission is 401 with this API, and has the name of 403.
    case (_, "permissionDenied"), (403, _): "PERMISSION_DENIED"
    case (_, "alreadyExists"): "ALREADY_EXISTS"
    case (400, _): "INVALID_ARGUMENT"
    case (401, _): "UNAUTHENTICATED"
    case (404, _): "NOT_FOUND"
    case (409, _): "ABORTED"
    case (500, _): "INTERNAL"
    case (503, _): "UNAVAILABLE"
    case (504, _): "DEADLINE_EXCEEDED"
    default: nil
    }
  }

  var response: HTTPResponseMessage {
    var detail: [String: JSONValue] = [
      "message": .string(message), "domain": .string(isGlobal ? "global" : "androidpublisher"),
      "reason": .string(reason),
    ]
    switch location {
    case .parameter(let name):
      detail["location"] = .string(name)
      detail["locationType"] = .string("parameter")
    case .header(let name):
      detail["location"] = .string(name)
      detail["locationType"] = .string("header")
    case nil: break
    }
    var error: [String: JSONValue] = [
      "code": .integer(status.code), "message": .string(message),
      "errors": .array([.object(detail)]),
    ]
    error["status"] = name.map(JSONValue.string)
    return .google(["error": .object(error)], status: status)
  }
}

extension HTTPStatusCode {
  fileprivate static let gone: HTTPStatusCode = 410
}
