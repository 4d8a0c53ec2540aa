import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels
import Testing

/// A recorded body of verifyReceipt, or the same inside a notification of version 1.
struct RecordedAnswer: Sendable, CustomTestStringConvertible {
  enum Place: Sendable {
    /// The whole file.
    case file
    /// The body of the response with this number in a recorded exchange.
    case exchange(Int)
    /// The member `unified_receipt`, to which Apple may not give a status.
    case unifiedReceipt
  }

  var path: String
  var place = Place.file
  var status: Int
  var style: ReceiptStyle?
  var environment: AppStoreEnvironment?
  /// The number of elements, or nil if the member is absent.
  var inApp: Int?
  var latest: Int?
  var pending: Int?

  var testDescription: String {
    if case .exchange(let index) = place { "\(path) [\(index)]" } else { path }
  }

  /// The body as JSON.
  func json() throws -> JSONValue {
    let whole = try JSONValue(parsing: Array(Fixtures.data(path)))
    switch place {
    case .file:
      return whole
    case .exchange(let index):
      guard case .array(let exchanges) = whole,
        case .string(let body)? = exchanges[index]["response"]?["body"]
      else { throw CocoaError(.fileReadCorruptFile) }
      return try JSONValue(parsing: Array(body.utf8))
    case .unifiedReceipt:
      guard case .object(var members)? = whole["unified_receipt"] else {
        throw CocoaError(.fileReadCorruptFile)
      }
      if members["status"] == nil { members["status"] = .integer(0) }
      return .object(members)
    }
  }

  static let all: [RecordedAnswer] = [
    json("aporat-inAppPurchaseInvalidReceiptResponse", 21002),
    json("aporat-inAppPurchaseResponse", 0, .iOS7, .sandbox, inApp: 2, latest: 2, pending: 1),
    json("dollabill-bought_consumable", 0, .iOS7, .sandbox, inApp: 8, latest: 7, pending: 1),
    json("dollabill-bought_non_consumable", 0, .iOS7, .sandbox, inApp: 8, latest: 8, pending: 1),
    json(
      "dollabill-exclude_old_transactions", 0, .iOS7, .sandbox, inApp: 16, latest: 3, pending: 1),
    json("dollabill-simple", 2, .iOS7, .sandbox),
    json(
      "dollabill-subscription_first_time_purchase", 0, .iOS7, .sandbox, inApp: 1, latest: 3,
      pending: 1),
    json(
      "dollabill-subscription_multiple_subscription_purchases", 0, .iOS7, .sandbox, inApp: 7,
      latest: 7, pending: 1),
    json(
      "dollabill-subscription_second_time_purchase", 0, .iOS7, .sandbox, inApp: 1, latest: 4,
      pending: 1),
    json("itunesiap-itunes_autorenew_response_legacy", 0, .iOS6, latest: 1),
    RecordedAnswer(
      path: "verify-receipt/http/invalid_receipt.json", place: .exchange(0), status: 21002),
    RecordedAnswer(path: "verify-receipt/http/receipt.json", place: .exchange(0), status: 21007),
    RecordedAnswer(
      path: "verify-receipt/http/receipt.json", place: .exchange(1), status: 0, style: .iOS7,
      environment: .sandbox, inApp: 2),
    RecordedAnswer(
      path: "verify-receipt/http/sandbox_receipt_to_production.json", place: .exchange(0),
      status: 21007),
    RecordedAnswer(
      path: "notifications-v1/dollabill-cancel.json", place: .unifiedReceipt, status: 0,
      environment: .sandbox, latest: 3, pending: 1),
    RecordedAnswer(
      path: "notifications-v1/aporat-serverNotificationRequest.json", place: .unifiedReceipt,
      status: 0, environment: .production, latest: 1, pending: 1),
  ]

  /// Parts of answers, not whole ones.
  static let fragments = [
    "verify-receipt/json/dollabill-autorenewable_subscription.json",
    "verify-receipt/json/dollabill-consumable.json",
    "verify-receipt/json/dollabill-will_autorenew_pending_renewal_info.json",
  ]

  private static func json(
    _ name: String, _ status: Int, _ style: ReceiptStyle? = nil,
    _ environment: AppStoreEnvironment? = nil, inApp: Int? = nil, latest: Int? = nil,
    pending: Int? = nil
  ) -> RecordedAnswer {
    RecordedAnswer(
      path: "verify-receipt/json/\(name).json", status: status, style: style,
      environment: environment, inApp: inApp, latest: latest, pending: pending)
  }
}

/// Compares members of JSON as verifyReceipt means them: a number and its text are the same.
enum LenientComparison {
  /// The paths of members that are missing from the second, or that differ there.
  static func losses(from original: JSONValue, to copy: JSONValue?, at path: String) -> [String] {
    switch (original, copy) {
    case (.null, nil), (.null, .null?): return []
    case (.object(let members), .object(let others)?):
      return members.sorted { $0.key < $1.key }.flatMap { name, value in
        losses(from: value, to: others[name], at: "\(path).\(name)")
      }
    case (.array(let elements), .array(let others)?):
      guard elements.count == others.count else { return ["\(path): count"] }
      return zip(elements, others).enumerated().flatMap { index, pair in
        losses(from: pair.0, to: pair.1, at: "\(path)[\(index)]")
      }
    default:
      guard let copy, let first = text(original), first == text(copy) else { return [path] }
      return []
    }
  }

  /// The number of members, on all levels.
  static func count(_ json: JSONValue) -> Int {
    switch json {
    case .object(let members): members.values.reduce(members.count) { $0 + count($1) }
    case .array(let elements): elements.reduce(0) { $0 + count($1) }
    default: 0
    }
  }

  private static func text(_ json: JSONValue) -> String? {
    switch json {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
