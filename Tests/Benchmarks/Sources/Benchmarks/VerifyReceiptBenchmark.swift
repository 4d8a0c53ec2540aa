import CBaseline
import Foundation
import JSONValues
import ReceiptModels

/// Reading an answer of verifyReceipt with 1,000 transactions, and deriving states from it.
struct VerifyReceiptBenchmark {
  private let bytes: [UInt8]
  private let response: VerifyReceiptResponse

  private static let start = 1_500_000_000_000
  /// A moment in the last period of 1,000.
  static let moment = Date(timeIntervalSince1970: Double(start) / 1000 + 999.5 * 2_592_000)

  init() throws {
    bytes = try Self.answer(transactions: 1000)
    response = try VerifyReceiptResponse(parsing: bytes)
  }

  /// An answer with so many transactions of one subscription, each after the other.
  static func answer(transactions count: Int) throws -> [UInt8] {
    let transactions = (0..<count).map { number in
      transaction(number, from: start + number * 2_592_000_000)
    }
    let answer: [String: Any] = [
      "status": 0, "environment": "Production", "latest_receipt_info": transactions,
      "receipt": ["bundle_id": "com.example.reader", "in_app": [Any]()],
      "pending_renewal_info": [
        [
          "original_transaction_id": "2000000335310644", "auto_renew_status": "1",
          "product_id": "com.example.reader.subscription.monthly",
          "auto_renew_product_id": "com.example.reader.subscription.monthly",
        ]
      ],
    ]
    return Array(
      try JSONSerialization.data(
        withJSONObject: answer, options: [.prettyPrinted, .sortedKeys]))
  }

  /// One transaction with the members that Apple sends, each date in its three forms.
  private static func transaction(_ number: Int, from milliseconds: Int) -> [String: String] {
    var members = [
      "quantity": "1", "product_id": "com.example.reader.subscription.monthly",
      "transaction_id": "\(2_000_000_909_538_865 + number)",
      "original_transaction_id": "2000000335310644",
      "web_order_line_item_id": "\(2_000_000_028_143_412 + number)",
      "is_trial_period": "false", "is_in_intro_offer_period": "false",
      "in_app_ownership_type": "PURCHASED", "subscription_group_identifier": "21360502",
    ]
    let moments = [
      "purchase_date": milliseconds, "original_purchase_date": 1_500_000_000_000,
      "expires_date": milliseconds + 2_592_000_000,
    ]
    for (name, moment) in moments {
      let date = Date(timeIntervalSince1970: Double(moment) / 1000)
      let text = date.formatted(.iso8601.dateTimeSeparator(.space)).dropLast()
      members[name] = "\(text) Etc/GMT"
      members[name + "_ms"] = String(moment)
      members[name + "_pst"] = "\(text) America/Los_Angeles"
    }
    return members
  }

  func measured(rounds: Int) throws -> Measurement {
    var costs = Measurement()
    let data = Data(bytes)
    let records = response.purchaseHistories().flatMap(\.transactions)
    let renewals = (response.pendingRenewalInfo ?? []).compactMap { RenewalRecord($0) }
    for _ in 0..<rounds {
      try costs.add("JSONSerialization", count: 4) {
        for _ in 0..<4 { _ = try JSONSerialization.jsonObject(with: data) }
      }
      try costs.add("response", count: 4) {
        for _ in 0..<4 {
          let read = try VerifyReceiptResponse(parsing: bytes)
          precondition(read.latestReceiptInfo?.count == 1000, "transactions are missing")
        }
      }
      costs.add("derive", count: 4) {
        for _ in 0..<4 {
          let histories = PurchaseHistory.histories(
            of: records, renewals: renewals, knowledge: .remote)
          let states = histories.map { $0.summary(at: Self.moment).state }
          precondition(states.map(\.isEntitled) == [true], "the subscription is active")
        }
      }
      costs.add("states", count: 4) {
        for _ in 0..<4 {
          let state = response.subscriptions(at: Self.moment).first?.state
          precondition(state?.isEntitled == true, "the subscription is active")
        }
      }
    }
    return costs
  }

  func report(_ costs: Measurement) {
    let megabytes = Double(bytes.count) / 1e6
    func speed(_ name: String) -> Double { megabytes / costs.microseconds(name) * 1e6 }
    print("answer of verifyReceipt with 1000 transactions, \(bytes.count) bytes")
    print("CPU time a call on one thread, medians:")
    costs.show("JSONSerialization, to dictionaries", "JSONSerialization")
    costs.show("decode into the model", "response")
    costs.show("merge, group, and derive the state", "derive")
    costs.show("the same, from the answer's model", "states")
    print(
      String(
        format: "decoding: %.0f MB/s; JSONSerialization: %.0f MB/s; ratio %.2f",
        speed("response"), speed("JSONSerialization"),
        1 / costs.ratio("response", to: [("JSONSerialization", 1)])))
  }
}
