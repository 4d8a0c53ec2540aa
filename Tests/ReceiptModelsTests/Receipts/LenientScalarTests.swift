import Foundation
import JSONValues
import ReceiptModels
import Testing

/// Each scalar of verifyReceipt from each JSON type.
///
/// Source: App Store rules, section 5.4.
@Suite("Lenient scalars")
struct LenientScalarTests {
  static func transaction(_ name: String, _ value: JSONValue) throws -> ReceiptTransaction {
    try ReceiptTransaction(json: .object([name: value]))
  }

  @Test(
    "an identifier ends up as text",
    arguments: [
      (JSONValue.string("1000000741421650"), "1000000741421650"),
      (.integer(1_000_000_741_421_650), "1000000741421650"),
      (.number(1_000_000_741_421_650), "1000000741421650"), (.integer(0), "0"),
      (.integer(-1), "-1"),
      (.number(1.5), "1.5"), (.boolean(true), "true"), (.string(""), ""),
      (.integer(.max), "9223372036854775807"),
    ])
  func text(json: JSONValue, text: String) throws {
    let transaction = try Self.transaction("transaction_id", json)
    #expect(transaction.transactionID == text)
    #expect(transaction.additionalMembers == [:])
    #expect(transaction.json == .object(["transaction_id": .string(text)]))
  }

  @Test(
    "an identifier that a number has lost digits of is kept raw, and not guessed",
    arguments: [JSONValue.number(1e30), .number(0x1p53), .number(1e300), .array([]), .object([:])])
  func noText(json: JSONValue) throws {
    let transaction = try Self.transaction("transaction_id", json)
    #expect(transaction.transactionID == nil)
    #expect(transaction.additionalMembers == ["transaction_id": json])
    #expect(transaction.json == .object(["transaction_id": json]))
  }

  @Test(
    "a count ends up as an integer",
    arguments: [
      (JSONValue.string("2"), 2), (.integer(2), 2), (.number(2), 2), (.string("2.0"), 2),
      (.boolean(true), 1), (.string("True"), 1), (.string("FALSE"), 0), (.string("-3"), -3),
      (.string("9007199254740991.0"), 9_007_199_254_740_991),
      (.integer(.max), .max), (.integer(.min), .min),
      (.string("9223372036854775807"), .max),
    ])
  func count(json: JSONValue, count: Int) throws {
    let transaction = try Self.transaction("quantity", json)
    #expect(transaction.quantity == count)
    #expect(transaction.json == .object(["quantity": .string("\(count)")]))
  }

  @Test(
    "a count that is no integer is kept raw",
    arguments: [
      JSONValue.string(""), .string("two"), .string("1.5"), .number(1.5), .number(1e300),
      .number(0x1p53), .number(-0x1p53), .string("9007199254740993.0"), .string("1e16"),
      .string("truely"), .string("\u{212A}"),
      .string("9223372036854775808"), .string("1e400"), .string("nan"), .string("0x2"),
      .string(" 2"), .string(String(repeating: "9", count: 100_000)), .array([.integer(1)]),
      .object([:]),
    ])
  func noCount(json: JSONValue) throws {
    let transaction = try Self.transaction("quantity", json)
    #expect(transaction.quantity == nil)
    #expect(transaction.additionalMembers == ["quantity": json])
    #expect(transaction.json == .object(["quantity": json]))
  }

  @Test(
    "a flag is a Boolean in any spelling",
    arguments: [
      (JSONValue.string("true"), true), (.string("1"), true), (.integer(1), true),
      (.number(1), true), (.boolean(true), true), (.string("false"), false), (.string("0"), false),
      (.integer(0), false), (.number(0), false), (.boolean(false), false),
      (.string("TRUE"), true), (.string("True"), true), (.string("False"), false),
      (.string("fALSE"), false),
    ])
  func flag(json: JSONValue, value: Bool) throws {
    let transaction = try Self.transaction("is_trial_period", json)
    #expect(transaction.isTrialPeriod == value)
    #expect(
      transaction.json == .object(["is_trial_period": .string(value ? "true" : "false")]))
    let renewal = try PendingRenewal(json: .object(["is_in_billing_retry_period": json]))
    #expect(renewal.isInBillingRetryPeriod == value)
    #expect(
      renewal.json == .object(["is_in_billing_retry_period": .string(value ? "1" : "0")]))
    let answer = try VerifyReceiptResponse(
      json: .object(["status": .integer(21100), "is_retryable": json]))
    #expect(answer.isRetryable == value)
  }

  @Test(
    "a flag that is neither is kept raw",
    arguments: [
      JSONValue.string(""), .string("yes"), .string("\u{54}rue "), .string("tru"), .string("4RUE"),
      .string("tru\u{E9}"), .integer(2), .integer(-1), .number(0.5), .array([]), .object([:]),
    ])
  func noFlag(json: JSONValue) throws {
    let transaction = try Self.transaction("is_trial_period", json)
    #expect(transaction.isTrialPeriod == nil)
    #expect(transaction.additionalMembers == ["is_trial_period": json])
    #expect(transaction.json == .object(["is_trial_period": json]))
  }

  @Test(
    "renewal status is on or off in any spelling",
    arguments: [
      (JSONValue.string("1"), AutoRenewStatus.on), (.string("true"), .on), (.integer(1), .on),
      (.boolean(true), .on), (.string("0"), .off), (.string("false"), .off), (.integer(0), .off),
      (.boolean(false), .off), (.string("7"), AutoRenewStatus(rawValue: 7)),
    ])
  func renewalStatus(json: JSONValue, status: AutoRenewStatus) throws {
    let renewal = try PendingRenewal(json: .object(["auto_renew_status": json]))
    #expect(renewal.autoRenewStatus == status)
    #expect(
      renewal.json == .object(["auto_renew_status": .string("\(status.rawValue)")]))
  }

  @Test(
    "an account token that is no UUID is kept raw",
    arguments: [JSONValue.string(""), .string("abc"), .integer(1)])
  func token(json: JSONValue) throws {
    let transaction = try Self.transaction("app_account_token", json)
    #expect(transaction.appAccountToken == nil)
    #expect(transaction.json == .object(["app_account_token": json]))
  }

  @Test(
    "a date is taken from the milliseconds, else from the text, never from California's",
    arguments: [
      (
        #"{"purchase_date_ms":"1595439548000","purchase_date":"2001-01-01 00:00:00 Etc/GMT"}"#,
        1_595_439_548
      ),
      (#"{"purchase_date_ms":1595439548000}"#, 1_595_439_548),
      (
        #"{"purchase_date_ms":"soon","purchase_date":"2020-07-22 17:39:08 Etc/GMT"}"#,
        1_595_439_548
      ),
      (#"{"purchase_date_ms":"","purchase_date":"2020-07-22 17:39:08 Etc/GMT"}"#, 1_595_439_548),
      (#"{"purchase_date":"2020-07-22 17:39:08 Etc/GMT"}"#, 1_595_439_548),
      (#"{"purchase_date_pst":"2020-07-22 10:39:08 America/Los_Angeles"}"#, nil),
      (#"{"purchase_date":"2020-07-22 10:39:08 America/Los_Angeles"}"#, nil),
      (#"{"purchase_date":"1595439548000"}"#, nil), (#"{"purchase_date":1595439548000}"#, nil),
      (#"{"purchase_date":null,"purchase_date_ms":null}"#, nil),
    ] as [(String, Int?)])
  func date(text: String, seconds: Int?) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    let transaction = try ReceiptTransaction(json: json)
    #expect(transaction.purchaseDate == seconds.map { Date(timeIntervalSince1970: Double($0)) })
    if seconds != nil {
      let kept = transaction.additionalMembers
      #expect(
        transaction.json["purchase_date_ms"] == kept["purchase_date_ms"] ?? .string("1595439548000")
      )
      #expect(
        transaction.json["purchase_date"]
          == kept["purchase_date"] ?? .string("2020-07-22 17:39:08 Etc/GMT"))
    } else {
      #expect(LenientComparison.losses(from: json, to: transaction.json, at: "") == [])
    }
    #expect(try ReceiptTransaction(json: transaction.json) == transaction)
  }

  @Test(
    "what cannot be read beside a date is kept, and written again",
    arguments: [
      ("purchase_date_ms", "purchase_date", JSONValue.string("2020-07-22 17:39:08 Etc/GMT")),
      ("purchase_date", "purchase_date_ms", .integer(1_595_439_548_000)),
    ], [JSONValue.string("soon"), .string(""), .boolean(true), .array([.integer(1)])])
  func sibling(_ date: (String, String, JSONValue), kept: JSONValue) throws {
    let (damaged, readable, value) = date
    var transaction = try ReceiptTransaction(json: .object([damaged: kept, readable: value]))
    #expect(transaction.purchaseDate == Date(timeIntervalSince1970: 1_595_439_548))
    #expect(transaction.additionalMembers == [damaged: kept])
    #expect(transaction.json[damaged] == kept)
    #expect(try ReceiptTransaction(json: transaction.json) == transaction)
    // A date that is set where none could be read is not lost to what is kept.
    transaction = try ReceiptTransaction(
      json: .object(["purchase_date_ms": kept, "purchase_date": kept]))
    #expect(transaction.purchaseDate == nil)
    transaction.purchaseDate = Date(timeIntervalSince1970: 1)
    #expect(transaction.json["purchase_date_ms"] == .string("1000"))
    #expect(transaction.json["purchase_date"] == .string("1970-01-01 00:00:01 Etc/GMT"))
  }

  @Test("a text of an open set is read up to 128 bytes, and a longer one is kept raw")
  func vocabulary() throws {
    let longest = String(repeating: "x", count: 128)
    for (text, isRead) in [(longest, true), (longest + "x", false), (longest + "\u{301}", false)] {
      let json = JSONValue.string(text)
      let transaction = try Self.transaction("in_app_ownership_type", json)
      #expect((transaction.inAppOwnershipType?.rawValue == text) == isRead)
      #expect(transaction.additionalMembers == (isRead ? [:] : ["in_app_ownership_type": json]))
      #expect(transaction.json == .object(["in_app_ownership_type": json]))
      let answer = try VerifyReceiptResponse(
        json: .object([
          "status": .integer(0), "environment": json, "receipt": .object(["receipt_type": json]),
        ]))
      #expect((answer.environment != nil) == isRead)
      #expect((answer.receipt?.receiptType != nil) == isRead)
      let notification = try ServerNotificationV1(
        json: .object([
          "notification_type": json, "unified_receipt": .object(["environment": json]),
        ]))
      #expect((notification.notificationType != nil) == isRead)
      #expect((notification.unifiedReceipt?.environment != nil) == isRead)
      #expect(try ServerNotificationV1(json: notification.json) == notification)
    }
  }

  @Test("a long run of combining marks costs no more than its length")
  func combiningMarks() throws {
    // Compared as Swift compares strings, these take minutes.
    let marks = String(repeating: "\u{301}\u{316}", count: 200_000)
    let notification = try ServerNotificationV1(
      json: .object(["notification_type": .string("e" + marks)]))
    #expect(notification.notificationType?.isKnown != true)
    #expect(notification.additionalMembers.keys.sorted() == ["notification_type"])
  }

  @Test(
    "the expiry tells the style of iOS 6 from that of iOS 7",
    arguments: [
      (#"{"expires_date":"1595439548000"}"#, .iOS6, true),
      (#"{"expires_date":1595439548000}"#, .iOS6, true),
      (#"{"expires_date_formatted":"2020-07-22 17:39:08 Etc/GMT"}"#, .iOS6, true),
      (
        #"{"expires_date":"?","expires_date_formatted":"2020-07-22 17:39:08 Etc/GMT"}"#, .iOS6, true
      ),
      (#"{"bid":"a","expires_date":"1595439548000"}"#, .iOS6, true),
      (#"{"bid":"a","expires_date_ms":"1595439548000"}"#, .iOS7, true),
      (#"{"bid":"a","expires_date":"2020-07-22 17:39:08 Etc/GMT"}"#, .iOS7, true),
      (#"{"expires_date_ms":"1595439548000","expires_date":"1"}"#, .iOS7, true),
      (#"{"expires_date_ms":"1595439548000"}"#, .iOS7, true),
      (#"{"expires_date":"2020-07-22 17:39:08 Etc/GMT"}"#, .iOS7, true),
      (#"{"bid":"a"}"#, .iOS6, false), (#"{"bid":null}"#, .iOS7, false), ("{}", .iOS7, false),
    ] as [(String, ReceiptStyle, Bool)])
  func expiry(text: String, style: ReceiptStyle, hasExpiry: Bool) throws {
    let transaction = try ReceiptTransaction(json: JSONValue(parsing: Array(text.utf8)))
    #expect(transaction.style == style)
    #expect(
      transaction.expiresDate == (hasExpiry ? Date(timeIntervalSince1970: 1_595_439_548) : nil))
    #expect(try ReceiptTransaction(json: transaction.json) == transaction)
    if hasExpiry {
      let name = style == .iOS6 ? "expires_date" : "expires_date_ms"
      #expect(
        transaction.json[name] == transaction.additionalMembers[name] ?? .string("1595439548000"))
    }
  }
}
