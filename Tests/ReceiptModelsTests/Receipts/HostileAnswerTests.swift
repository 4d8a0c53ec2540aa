import Foundation
import JSONValues
import ReceiptModels
import StorekeeperFixtures
import Testing

/// Answers with the members of the contract and values of any kind, most of them wrong.
@Suite("Hostile answers")
struct HostileAnswerTests {
  static let dates = [
    "purchase_date", "original_purchase_date", "expires_date", "cancellation_date",
    "grace_period_expires_date", "receipt_creation_date", "request_date", "expiration_date",
    "preorder_date",
  ].flatMap { [$0, $0 + "_ms", $0 + "_pst", $0 + "_formatted"] }

  static let scalars = [
    "quantity", "product_id", "transaction_id", "original_transaction_id",
    "web_order_line_item_id", "cancellation_reason", "is_trial_period",
    "is_in_intro_offer_period", "promotional_offer_id", "offer_code_ref_name",
    "in_app_ownership_type", "app_account_token", "is_upgraded",
    "subscription_group_identifier", "auto_renew_product_id", "auto_renew_status",
    "expiration_intent", "is_in_billing_retry_period", "price_consent_status",
    "price_increase_status", "bid", "bvrs", "item_id", "app_item_id", "unique_identifier",
    "unique_vendor_identifier", "version_external_identifier", "receipt_type", "adam_id",
    "bundle_id", "application_version", "download_id", "original_application_version",
  ]

  static let values: [JSONValue] = [
    .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(-1),
    .integer(.max), .integer(.min), .integer(1_595_439_548_000), .number(0.5), .number(1e300),
    .number(-1e300), .number(1_595_439_548_000.5), .number(0x1p53), .string(""), .string("1"),
    .string("0"), .string("true"), .string("7"), .string("1595439548000"), .string("1e400"),
    .string("nan"), .string("-inf"), .string("9223372036854775808"),
    .string("2020-07-22 17:39:08 Etc/GMT"), .string("0000-00-00 00:00:00 Etc/GMT"),
    .string("9999-12-31 23:59:59 Etc/GMT"), .string("10000-01-01 00:00:00 Etc/GMT"),
    .string("7e3fb20b-4cdb-47cc-936d-99d65f608138"), .string("FAMILY_SHARED"),
    .string("e" + String(repeating: "\u{301}", count: 2000)),
    .string(String(repeating: "9", count: 2000)), .array([]), .object([:]),
  ]

  static func object(using generator: inout SplitMix) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for name in dates + scalars where Int.random(in: 0..<3, using: &generator) == 0 {
      members[name] = values.randomElement(using: &generator)
    }
    // Mostly with what makes a record of it.
    if Int.random(in: 0..<4, using: &generator) > 0 {
      members["transaction_id"] = .integer(Int.random(in: 1...9, using: &generator))
      members["original_transaction_id"] = .string("1")
      members["product_id"] = .string("7")
    }
    // Now and then one that runs, whatever else is wrong with it.
    if Int.random(in: 0..<8, using: &generator) == 0 {
      members = members.filter { !$0.key.hasPrefix("cancellation_date") }
      members["is_upgraded"] = nil
      members["expires_date_ms"] = .integer(1_700_000_000_000)
    }
    return members
  }

  static func list(using generator: inout SplitMix) -> JSONValue {
    let count = Int.random(in: 0..<4, using: &generator)
    return .array((0..<count).map { _ in .object(object(using: &generator)) })
  }

  static func answer(using generator: inout SplitMix) -> JSONValue {
    var receipt = object(using: &generator)
    receipt["in_app"] = list(using: &generator)
    var members = object(using: &generator)
    members["status"] = [.integer(0), .string("0"), .integer(21006)].randomElement(
      using: &generator)
    members["receipt"] = .object(receipt)
    members["latest_receipt_info"] =
      Bool.random(using: &generator)
      ? list(using: &generator) : .object(object(using: &generator))
    members["pending_renewal_info"] = list(using: &generator)
    members["is_retryable"] = values.randomElement(using: &generator)
    return .object(members)
  }

  @Test("are read, survive being written, and have states, without a trap")
  func random() throws {
    print("Hostile answers: STOREKEEPER_SEED=\(SplitMix.seed)")
    var generator = SplitMix(state: SplitMix.seed)
    var states: [String: Int] = [:]
    for round in 0..<500 {
      let json = Self.answer(using: &generator)
      let comment: Comment = "seed \(SplitMix.seed), round \(round)"
      let response = try VerifyReceiptResponse(json: json)
      try #require(try VerifyReceiptResponse(json: response.json) == response, comment)
      try #require(
        Self.losses(from: json, to: response.json) == [], comment)
      for history in response.purchaseHistories() {
        let summary = history.summary(
          at: Date(timeIntervalSince1970: 1_595_439_548), durations: ["7": .days(.max)])
        states[summary.state.name, default: 0] += 1
        // What was cancelled entitles only through another transaction.
        if summary.transaction.isCancelled { try #require(!summary.isEntitled, comment) }
      }
      _ = SubscriptionGroup.groups(of: response.purchaseHistories())
    }
    print("States of hostile answers: \(states.sorted { $0.key < $1.key })")
    #expect(Set(states.keys).isSuperset(of: ["active", "expired", "revoked", "upgraded"]))
  }

  /// The names of members that were lost, wherever they stood; null counts as absent.
  static func losses(from original: JSONValue, to copy: JSONValue?) -> [String] {
    switch (original, copy) {
    case (.object(let members), .object(let others)?):
      members.flatMap { name, value in
        value == .null
          ? [] : others[name].map { losses(from: value, to: $0) } ?? [name]
      }
    case (.array(let elements), .array(let others)?) where elements.count == others.count:
      zip(elements, others).flatMap { losses(from: $0, to: $1) }
    case (.array, _), (.object, _): ["container"]
    // A text that is neither number, word, nor moment can only be written as it is.
    case (.string(let text), let copy)
    where Double(text)?.isFinite != true && Bool(text) == nil
      && Moment(text, as: .verifyReceipt) == nil:
      copy == original ? [] : ["text"]
    default: []
    }
  }

  @Test("a thousand transactions in a hostile order are one history")
  func many() throws {
    let transactions = (0..<1000).map { number in
      JSONValue.object([
        "transaction_id": .integer(number * 7919 % 1000), "original_transaction_id": .string("1"),
        "product_id": .string("p"), "expires_date_ms": .integer(number % 3),
      ])
    }
    let response = try VerifyReceiptResponse(
      json: .object(["status": .integer(0), "latest_receipt_info": .array(transactions)]))
    let histories = response.purchaseHistories()
    #expect(histories.map(\.transactions.count) == [1000])
    let ends = histories.flatMap(\.transactions).compactMap(\.expiresDate)
    #expect(ends == ends.sorted(by: >))
  }
}
