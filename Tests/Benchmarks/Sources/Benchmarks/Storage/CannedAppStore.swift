import CEngines
import Foundation
import HTTPMessages
import Synchronization

/// Answers each question with the first purchase of another customer, at once and without signing; one about a
/// receipt that it has answered with, with the same purchase.
final class CannedAppStore: HTTPTransport {
  /// The receipt that an app sends, as long as the one that is answered.
  static let receipt = Data([0x30, 0x82, 0x11, 0x90] + [UInt8](repeating: 0x5A, count: 4496))
    .base64EncodedString()

  static let firstID = 700_000_000_000_000
  private let template: [UInt8]
  /// Where the digits of the customer's ids are in it.
  private let places: [Int]
  private let customers: Atomic<Int>

  /// Creates a store that has sold to so many customers before.
  init(customers count: Int = 0) throws {
    let template = Array(try JSONSerialization.data(withJSONObject: Self.answer))
    let id = Array(String(Self.firstID).utf8)
    places = template.indices.dropLast(id.count - 1).filter { place in
      template[place..<place + id.count].elementsEqual(id)
    }
    self.template = template
    customers = Atomic(count)
  }

  var answerBytes: Int { template.count }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let id = Self.customer(in: request.body) ?? newCustomer()
    var body = template
    for place in places { body.replaceSubrange(place..<place + id.count, with: id) }
    return HTTPResponseMessage(status: .ok, body: body)
  }
}

extension CannedAppStore {
  private func newCustomer() -> [UInt8] {
    Array(String(Self.firstID + customers.wrappingAdd(1, ordering: .relaxed).newValue).utf8)
  }

  /// The identifier at the end of the receipt, which is the last member of a question.
  private static func customer(in body: [UInt8]) -> [UInt8]? {
    let id = body.dropLast(2).suffix(15)
    return id.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) ? Array(id) : nil
  }

  /// The receipt of a customer that the store has answered with.
  static func latestReceipt(of customer: Int) -> String {
    String(repeating: "M", count: Int(receipt_length) - 15) + String(firstID + customer)
  }
}

// What Apple sends about an app with one subscription.
extension CannedAppStore {
  private static var answer: [String: Any] {
    [
      "status": 0, "environment": "Production",
      "receipt": receiptMembers, "latest_receipt_info": [transaction],
      "latest_receipt": latestReceipt(of: 0),
      "pending_renewal_info": [
        [
          "original_transaction_id": String(firstID), "auto_renew_status": "1",
          "product_id": BenchmarkService.product,
          "auto_renew_product_id": BenchmarkService.product,
        ]
      ],
    ]
  }

  private static var receiptMembers: [String: Any] {
    var members: [String: Any] = [
      "receipt_type": "Production", "adam_id": 1_234_567_890, "app_item_id": 1_234_567_890,
      "bundle_id": BenchmarkService.bundleID, "application_version": "31",
      "download_id": 502_920_194_821_234_567, "version_external_identifier": 861_234_567,
      "original_application_version": "1.0", "in_app": [transaction],
    ]
    members.merge(dates("receipt_creation_date", 1_699_999_000)) { $1 }
    members.merge(dates("request_date", 1_700_000_000)) { $1 }
    members.merge(dates("original_purchase_date", 1_699_990_000)) { $1 }
    return members
  }

  private static var transaction: [String: Any] {
    var members: [String: Any] = [
      "quantity": "1", "product_id": BenchmarkService.product,
      "transaction_id": String(firstID), "original_transaction_id": String(firstID),
      "web_order_line_item_id": "700000128143412", "is_trial_period": "false",
      "is_in_intro_offer_period": "false", "in_app_ownership_type": "PURCHASED",
      "subscription_group_identifier": "21360502",
    ]
    members.merge(dates("purchase_date", 1_699_999_000)) { $1 }
    members.merge(dates("original_purchase_date", 1_699_999_000)) { $1 }
    members.merge(dates("expires_date", 1_702_591_000)) { $1 }
    return members
  }

  /// A moment in Apple's three forms.
  private static func dates(_ name: String, _ seconds: Int) -> [String: String] {
    let date = Date(timeIntervalSince1970: Double(seconds))
    let text = date.formatted(.iso8601.dateTimeSeparator(.space)).dropLast()
    return [
      name: "\(text) Etc/GMT", name + "_ms": "\(seconds)000",
      name + "_pst": "\(text) America/Los_Angeles",
    ]
  }
}
