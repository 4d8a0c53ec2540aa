import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Answers of verifyReceipt")
struct VerifyReceiptResponseTests {
  static func answer(_ text: String) throws -> VerifyReceiptResponse {
    try VerifyReceiptResponse(json: JSONValue(parsing: Array(text.utf8)))
  }

  @Test(
    "need nothing but a status, in any JSON type",
    arguments: [
      ("0", VerifyReceiptStatus.valid), (#""0""#, .valid), ("0.0", .valid),
      ("21002", .malformedReceipt),
      (#""21007""#, .sandboxReceipt), ("2", VerifyReceiptStatus(rawValue: 2)),
    ])
  func status(text: String, status: VerifyReceiptStatus) throws {
    let answer = try Self.answer(#"{"status":\#(text)}"#)
    #expect(answer == VerifyReceiptResponse(status: status))
    #expect(answer.json == .object(["status": .integer(status.rawValue)]))
    #expect(answer.latestReceiptInfo == nil)
    #expect(answer.style == nil)
  }

  @Test(
    "without a usable status are refused",
    arguments: [
      ("{}", JSONKind.absent), (#"{"status":null}"#, .absent), (#"{"status":""}"#, .string),
      (#"{"status":"valid"}"#, .string), (#"{"status":0.5}"#, .number), (#"{"status":[]}"#, .array),
      (#"{"status":{}}"#, .object), (#"{"status":false}"#, .boolean),
      (#"{"status":true}"#, .boolean), (#"{"status":"false"}"#, .string),
      (#"{"status":"False"}"#, .string), (#"{"status":"true"}"#, .string),
    ])
  func noStatus(text: String, found: JSONKind) {
    #expect(throws: FieldTypeFailure(path: "status", expected: .integer, found: found)) {
      try Self.answer(text)
    }
  }

  @Test(
    "with a container of another kind are refused, with its place",
    arguments: [
      (#""receipt":"x""#, "receipt", JSONKind.object, JSONKind.string),
      (#""receipt":[]"#, "receipt", .object, .array),
      (#""receipt":{"in_app":"x"}"#, "receipt.in_app", .array, .string),
      (#""receipt":{"in_app":{}}"#, "receipt.in_app", .array, .object),
      (#""receipt":{"in_app":[{},1]}"#, "receipt.in_app[1]", .object, .integer),
      (#""receipt":{"in_app":[null]}"#, "receipt.in_app[0]", .object, .null),
      (#""latest_receipt_info":"x""#, "latest_receipt_info", .array, .string),
      (#""latest_receipt_info":[[]]"#, "latest_receipt_info[0]", .object, .array),
      (#""latest_expired_receipt_info":1"#, "latest_expired_receipt_info", .array, .integer),
      (#""pending_renewal_info":{}"#, "pending_renewal_info", .array, .object),
      (#""pending_renewal_info":[true]"#, "pending_renewal_info[0]", .object, .boolean),
    ])
  func containers(member: String, path: String, expected: JSONKind, found: JSONKind) {
    #expect(throws: FieldTypeFailure(path: path, expected: expected, found: found)) {
      try Self.answer(#"{"status":0,\#(member)}"#)
    }
  }

  @Test(
    "tell an absent list from an empty one",
    arguments: [
      ("", nil), (#","latest_receipt_info":null"#, nil), (#","latest_receipt_info":[]"#, 0),
      (#","latest_receipt_info":[{}]"#, 1), (#","latest_receipt_info":{}"#, 1),
    ] as [(String, Int?)])
  func latest(member: String, count: Int?) throws {
    let answer = try Self.answer(#"{"status":0\#(member)}"#)
    #expect(answer.latestReceiptInfo?.count == count)
    #expect(try VerifyReceiptResponse(json: answer.json) == answer)
  }

  @Test("write a single transaction as Apple sent it, and two as a list")
  func objectForm() throws {
    var answer = try Self.answer(
      #"{"status":21006,"latest_expired_receipt_info":{"transaction_id":"1"}}"#)
    #expect(answer.latestExpiredReceiptInfo?.map(\.transactionID) == ["1"])
    #expect(
      answer.json["latest_expired_receipt_info"] == .object(["transaction_id": .string("1")]))
    answer.latestExpiredReceiptInfo?.append(ReceiptTransaction())
    #expect(answer.json["latest_expired_receipt_info"]?.kind == .array)
  }

  @Test(
    "have a receipt in one style",
    arguments: [
      (#"{"bundle_id":"a"}"#, ReceiptStyle.iOS7, "a"), (#"{"in_app":[]}"#, .iOS7, nil),
      ("{}", .iOS7, nil), (#"{"bid":"a"}"#, .iOS6, "a"),
      (#"{"bid":null,"bundle_id":"a"}"#, .iOS7, "a"),
    ] as [(String, ReceiptStyle, String?)])
  func style(receipt: String, style: ReceiptStyle, bundleID: String?) throws {
    let answer = try Self.answer(#"{"status":0,"receipt":\#(receipt)}"#)
    #expect(answer.style == style)
    #expect(answer.bundleID == bundleID)
    #expect((answer.receipt == nil) == (style == .iOS6))
    #expect((answer.transactionReceipt == nil) == (style == .iOS7))
    #expect(answer.json["receipt"]?.kind == .object)
    #expect(try VerifyReceiptResponse(json: answer.json) == answer)
  }

  @Test(
    "keep the spelling of is-retryable", arguments: ["is-retryable", "is_retryable"],
    ["true", "1", #""true""#, #""1""#])
  func retryable(name: String, value: String) throws {
    let answer = try Self.answer(#"{"status":21199,"\#(name)":\#(value)}"#)
    #expect(answer.isRetryable == true)
    #expect(answer.additionalMembers == [:])
    #expect(answer.json == .object(["status": .integer(21199), name: .boolean(true)]))
    #expect(try VerifyReceiptResponse(json: answer.json) == answer)
  }

  @Test("take the other spelling of is-retryable when one says nothing")
  func secondSpelling() throws {
    let answer = try Self.answer(#"{"status":21199,"is-retryable":"?","is_retryable":false}"#)
    #expect(answer.isRetryable == false)
    #expect(answer.additionalMembers == ["is-retryable": .string("?")])
    #expect(try Self.answer(#"{"status":21199}"#).isRetryable == nil)
  }

  @Test("of iOS 6 tell about the renewal at the top level")
  func flatRenewal() throws {
    let answer = try Self.answer(
      """
      {"status":21006,"auto_renew_status":0,"auto_renew_product_id":"p","expiration_intent":"1",
      "is_in_billing_retry_period":"0","cancellation_reason":"1"}
      """)
    #expect(answer.autoRenewStatus == .off)
    #expect(answer.autoRenewProductID == "p")
    #expect(answer.expirationIntent == .customerCancelled)
    #expect(answer.isInBillingRetryPeriod == false)
    #expect(answer.cancellationReason == .issueInApp)
    #expect(
      answer.json
        == .object([
          "status": .integer(21006), "auto_renew_status": .integer(0),
          "auto_renew_product_id": .string("p"), "expiration_intent": .string("1"),
          "is_in_billing_retry_period": .string("0"), "cancellation_reason": .string("1"),
        ]))
  }

  @Test("write Apple's numbers of the app as numbers")
  func appNumbers() throws {
    let receipt = #"{"adam_id":"7","app_item_id":7.0,"download_id":null,"bundle_id":"a"}"#
    let answer = try Self.answer(#"{"status":0,"receipt":\#(receipt)}"#)
    #expect(answer.receipt?.adamID == 7)
    #expect(answer.receipt?.appItemID == 7)
    #expect(answer.receipt?.downloadID == nil)
    #expect(
      answer.receipt?.json
        == .object(["adam_id": .integer(7), "app_item_id": .integer(7), "bundle_id": .string("a")]))
  }

  @Test(
    "name the range of internal errors",
    arguments: [
      (21099, false), (21100, true), (21150, true), (21199, true), (21200, false), (0, false),
      (Int.max, false), (.min, false),
    ])
  func internalErrors(code: Int, isOne: Bool) {
    #expect(VerifyReceiptStatus(rawValue: code).isInternalDataAccess == isOne)
  }

  @Test("the request has Apple's member names")
  func request() throws {
    let request = VerifyReceiptRequest(
      receiptData: "AA==", password: "p", excludeOldTransactions: false)
    let json = JSONValue.object([
      "receipt-data": .string("AA=="), "password": .string("p"),
      "exclude-old-transactions": .boolean(false),
    ])
    #expect(request.json == json)
    #expect(try VerifyReceiptRequest(json: json) == request)
    #expect(
      VerifyReceiptRequest(receiptData: "AA==").json
        == .object(["receipt-data": .string("AA==")]))
    #expect(throws: FieldTypeFailure(path: "receipt-data", expected: .string, found: .absent)) {
      try VerifyReceiptRequest(json: .object([:]))
    }
  }

  @Test("nor is what stands in a place where no secret belongs")
  func redactionElsewhere() throws {
    let answer = try Self.answer(
      """
      {"status":0,"receipt":{"bundle_id":"a","unique_identifier":"SECRET-1","in_app":[]},
      "pending_renewal_info":[{"product_id":"p","unique_identifier":"SECRET-2"}]}
      """)
    let receipt = try #require(answer.receipt)
    let renewal = try #require(answer.pendingRenewalInfo?.first)
    #expect(receipt.additionalMembers["unique_identifier"] == .string("SECRET-1"))
    for model in [answer, receipt, renewal] as [any JSONModel] {
      var dumped = ""
      dump(model, to: &dumped)
      for text in ["\(model)", String(reflecting: model), dumped] {
        #expect(!text.contains("SECRET"))
        #expect(text.contains("unique_identifier"))
      }
    }
  }

  @Test("neither receipt nor password nor device is printed or dumped")
  func redaction() throws {
    let answer = try Self.answer(
      """
      {"status":0,"latest_receipt":"SECRET-1","latest_expired_receipt":"SECRET-2",
      "receipt":{"bid":"a","unique_identifier":"SECRET-3","unique_vendor_identifier":"SECRET-4"},
      "latest_receipt_info":[{"unique_identifier":["SECRET-5"]}]}
      """)
    #expect(answer.latestReceipt == "SECRET-1")
    let request = VerifyReceiptRequest(receiptData: "SECRET-6", password: "SECRET-7")
    for model in [answer, request] as [any JSONModel] {
      var dumped = ""
      dump(model, to: &dumped)
      for text in ["\(model)", String(reflecting: model), dumped] {
        #expect(!text.contains("SECRET"))
        #expect(text.contains("redacted"))
      }
    }
  }
}
