import HTTPMessages
import JSONValues
import ReceiptModels

/// An error body as the contract has it, with its status.
struct Refusal: Hashable {
  var status: Int
  var field: String?
  var code: String?
  var message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ field: String, _ code: String, _ message: String) {
    status = 422
    self.field = field
    self.code = code
    self.message = message
  }

  static let invalidToken = Refusal(401, "Invalid access token")
  static let inactiveToken = Refusal(401, "The access token is expired or no longer active")
  static let noUser = Refusal(401, "Requires authorization.")
  static let badJSON = Refusal(400, "Problems parsing JSON")
  static let forbidden = Refusal(403, "Forbidden")
  static let notFound = Refusal(404, "Not Found")
  static let wrongMethod = Refusal(405, "Method Not Allowed")
  static let tooLarge = Refusal(413, "Request body is too large")
  static let coded = Refusal(415, "Unsupported Media Type")
  static let failed = Refusal(500, "Internal Server Error")
  static let unavailable = Refusal(503, "Service Unavailable")
  static let unknownProduct = Refusal(
    "productId", "unknown_product", "Apple product is not known")
  static let environmentMismatch = Refusal(
    "originalTransactionId", "environment_mismatch",
    "The subscription is stored for another environment")

  static func missing(_ field: String) -> Refusal {
    Refusal(field, "missing_field", "Missing required field")
  }

  static func unverified(_ message: String) -> Refusal {
    Refusal("verification", "invalid", message)
  }

  static func invalid2019() -> Refusal {
    Refusal("receipt-data", "invalid", "verification response is not valid")
  }
}

extension HTTPResponseMessage {
  /// The body as JSON, if it says that it is JSON.
  var json: JSONValue? {
    guard headers.values(for: .contentType) == ["application/json; charset=utf-8"] else {
      return nil
    }
    return try? JSONValue(parsing: body)
  }

  /// The error, if the body has `message`, with 422 also `error`, and nothing else.
  var refusal: Refusal? {
    guard case .object(let members)? = json, case .string(let message)? = members["message"]
    else { return nil }
    guard status.code == 422 else {
      return members.count == 1 ? Refusal(status.code, message) : nil
    }
    guard members.count == 2, case .object(let error)? = members["error"], error.count == 2,
      case .string(let field)? = error["field"], case .string(let code)? = error["code"]
    else { return nil }
    return Refusal(field, code, message)
  }

  /// Whether there is neither a body nor a word about one.
  var isEmpty: Bool { body.isEmpty && headers[.contentType] == nil }
}

/// A text in JSON.
func quoted(_ text: String) -> String {
  String(decoding: JSONValue.string(text).serialized, as: UTF8.self)
}

/// The value of a JSON text.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }
