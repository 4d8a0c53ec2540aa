internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

/// A refusal of the server APIs: a status and, mostly, a code with Apple's text.
struct ServerAPIRefusal: Error, Hashable, Sendable {
  let status: HTTPStatusCode
  let code: Int?
  let message: String?

  /// Creates a refusal by its code, whose first three digits are the status.
  init(_ code: Int, _ message: String? = nil) {
    status = HTTPStatusCode(code / 10_000)
    self.code = code
    self.message = message ?? Self.messages[code]
  }

  init(status: HTTPStatusCode, message: String? = nil) {
    self.status = status
    code = nil
    self.message = message
  }

  /// The request's body is not what the call takes; Apple answers without a code.
  static let malformedBody = ServerAPIRefusal(status: .badRequest)
  static let unknownCall = ServerAPIRefusal(status: .notFound)

  static let invalidTransactionID = ServerAPIRefusal(4_000_006)
  static let appTransactionID = ServerAPIRefusal(4_000_048)
  static let unknownTransaction = ServerAPIRefusal(4_040_010)
  static let unknownOriginalTransaction = ServerAPIRefusal(4_040_005)

  /// The body of the answer; empty for a refusal without code and text.
  var body: [UInt8] {
    var members: [String: JSONValue] = [:]
    members["errorCode"] = code.map(JSONValue.integer)
    members["errorMessage"] = message.map(JSONValue.string)
    return members.isEmpty ? [] : JSONValue.object(members).serialized
  }

  private static let messages = [
    4_000_000: "Bad request.",
    4_000_004: "Invalid limit.",
    4_000_005: "Invalid request revision.",
    4_000_006: "Invalid transaction id.",
    4_000_008: "Invalid original transaction id.",
    4_000_009: "Invalid extend by days value.",
    4_000_010: "Invalid extend reason code.",
    4_000_011: "Invalid request identifier.",
    4_000_012: "Start date is too far in the past.",
    4_000_013: "Start date is after or equal to the end date.",
    4_000_014: "Invalid pagination token.",
    4_000_015: "Invalid start date.",
    4_000_016: "Invalid end date.",
    4_000_017: "The pagination token has expired.",
    4_000_018: "Invalid notification type or subtype.",
    4_000_019: "Supply a transaction id or a notification type, not both.",
    4_000_020: "Invalid test notification token.",
    4_000_021: "Invalid sort.",
    4_000_022: "Invalid product type.",
    4_000_023: "Invalid product id.",
    4_000_024: "Invalid subscription group identifier.",
    4_000_025: "Invalid excludeRevoked.",
    4_000_026: "Invalid in-app ownership type.",
    4_000_027: "The list of storefront country codes is empty.",
    4_000_028: "Invalid storefront country code.",
    4_000_030: "Invalid revoked.",
    4_000_031: "Invalid status.",
    4_000_032: "Invalid account tenure.",
    4_000_033: "Invalid app account token.",
    4_000_034: "Invalid consumption status.",
    4_000_035: "Invalid customer consented.",
    4_000_036: "Invalid delivery status.",
    4_000_037: "Invalid lifetime dollars purchased.",
    4_000_038: "Invalid lifetime dollars refunded.",
    4_000_039: "Invalid platform.",
    4_000_040: "Invalid play time.",
    4_000_041: "Invalid sample content provided.",
    4_000_042: "Invalid user status.",
    4_000_044: "Invalid refund preference.",
    4_000_047: "The type of the transaction is not supported.",
    4_000_048: "An app transaction id is not supported.",
    4_000_161: "Invalid image.",
    4_000_162: "The header is too long.",
    4_000_163: "The body is too long.",
    4_000_164: "Invalid locale.",
    4_000_175: "The alternative text is too long.",
    4_000_183: "The app account token is not a UUID.",
    4_000_185: "Family-shared transactions are not supported.",
    4_000_187: "The transaction id is not an original transaction id.",
    4_000_209: "A subscription has no consumption percentage.",
    4_000_211: "Invalid performance test request.",
    4_000_212: "Invalid request id.",
    4_000_213: "A performance test is running already.",
    4_000_215: "Invalid realtime URL.",
    4_000_216: "Invalid image size.",
    4_000_218: "Too many bullet points.",
    4_000_219: "The text of a bullet point is too long.",
    4_000_224: "A header above the image requires an image.",
    4_000_225: "Invalid group id.",
    4_000_227: "Assigned transactions are not supported.",
    4_030_004: "The subscription is not eligible for an extension.",
    4_030_005: "The subscription has the maximum number of extensions.",
    4_030_007: "Family-shared subscriptions are not eligible for an extension.",
    4_030_014: "The maximum number of images is reached.",
    4_030_016: "The maximum number of messages is reached.",
    4_030_017: "The message is not approved.",
    4_030_018: "The image is not approved.",
    4_030_019: "The image is in use.",
    4_030_026: "There is no passing performance test.",
    4_030_028: "Assigned subscriptions are not eligible for an extension.",
    4_040_005: "Original transaction id not found.",
    4_040_007: "No App Store Server Notification URL found for the app.",
    4_040_008: "Test notification not found.",
    4_040_009: "Status request not found.",
    4_040_010: "Transaction id not found.",
    4_040_014: "Image not found.",
    4_040_015: "Message not found.",
    4_040_018: "Performance test run not found.",
    4_040_019: "App transaction does not exist.",
    4_040_020: "Default message not found.",
    4_040_021: "Realtime URL not found.",
    4_040_022: "Group not found.",
    4_090_000: "The image exists already.",
    4_090_001: "The message exists already.",
    4_290_000: "Rate limit exceeded.",
    5_000_000: "An unknown error occurred.",
    5_000_001: "An unknown error occurred. Please try again.",
  ]
}

extension SimulatedTransaction {
  /// The refusal of calls that are for the one who paid; nil if that is the customer.
  var sharingRefusal: ServerAPIRefusal? {
    isShared ? ServerAPIRefusal(ownership == .assigned ? 4_000_227 : 4_000_185) : nil
  }
}
