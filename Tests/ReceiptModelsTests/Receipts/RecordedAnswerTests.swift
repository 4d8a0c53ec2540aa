import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Recorded answers", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct RecordedAnswerTests {
  @Test("are read as what they are", arguments: RecordedAnswer.all)
  func content(_ answer: RecordedAnswer) throws {
    let response = try VerifyReceiptResponse(json: answer.json())
    #expect(response.status.rawValue == answer.status)
    #expect(response.style == answer.style)
    #expect(response.environment == answer.environment)
    #expect(response.receipt?.inApp?.count == answer.inApp)
    #expect(response.latestReceiptInfo?.count == answer.latest)
    #expect(response.pendingRenewalInfo?.count == answer.pending)
  }

  @Test("lose no member when written again", arguments: RecordedAnswer.all)
  func roundTrip(_ answer: RecordedAnswer) throws {
    let json = try answer.json()
    let response = try VerifyReceiptResponse(json: json)
    #expect(LenientComparison.losses(from: json, to: response.json, at: "") == [])
    #expect(try VerifyReceiptResponse(json: response.json) == response)
    let coded = try JSONDecoder().decode(
      VerifyReceiptResponse.self, from: JSONEncoder().encode(response))
    #expect(coded == response)
    print("Members compared, \(answer.testDescription): \(LenientComparison.count(json))")
  }

  @Test("have no field that was not understood", arguments: RecordedAnswer.all)
  func understood(_ answer: RecordedAnswer) throws {
    let response = try VerifyReceiptResponse(json: answer.json())
    let receipt = response.receipt
    let transactions =
      (receipt?.inApp ?? []) + (response.latestReceiptInfo ?? [])
      + [response.transactionReceipt].compactMap(\.self)
    let names = Set(
      response.additionalMembers.keys.map(\.self)
        + (receipt?.additionalMembers.keys.map(\.self) ?? [])
        + transactions.flatMap(\.additionalMembers.keys)
        + (response.pendingRenewalInfo ?? []).flatMap(\.additionalMembers.keys))
    // `receipt_type` stands in a notification's unified receipt, where Apple does not document it.
    let left = names.filter { !$0.hasSuffix("_pst") && $0 != "receipt_type" }
    #expect(left == [])
  }

  @Test("every recorded file is assigned")
  func assignment() {
    let present = ["verify-receipt/json", "verify-receipt/http", "notifications-v1"].flatMap {
      Fixtures.paths(in: $0, withExtension: "json")
    }
    #expect(Set(present) == Set(RecordedAnswer.all.map(\.path) + RecordedAnswer.fragments))
  }

  @Test("a subscription's transaction alone is read in full")
  func subscription() throws {
    let json = try JSONValue(parsing: Array(Fixtures.data(RecordedAnswer.fragments[0])))
    let transaction = try ReceiptTransaction(json: json)
    #expect(transaction.transactionID == "1000000741421650")
    #expect(transaction.originalTransactionID == "1000000741421650")
    #expect(transaction.webOrderLineItemID == "1000000057349989")
    #expect(transaction.productID == "test_subscription")
    #expect(transaction.quantity == 1)
    #expect(transaction.purchaseDate == Date(timeIntervalSince1970: 1_605_229_763))
    #expect(transaction.originalPurchaseDate == Date(timeIntervalSince1970: 1_605_229_764))
    #expect(transaction.expiresDate == Date(timeIntervalSince1970: 1_605_229_943))
    #expect(transaction.isTrialPeriod == true)
    #expect(transaction.isInIntroOfferPeriod == false)
    #expect(transaction.cancellationDate == nil)
    #expect(transaction.style == .iOS7)
    #expect(LenientComparison.losses(from: json, to: transaction.json, at: "") == [])
    #expect(try ReceiptTransaction(json: transaction.json) == transaction)
  }

  @Test("a consumable's transaction alone has no expiry")
  func consumable() throws {
    let json = try JSONValue(parsing: Array(Fixtures.data(RecordedAnswer.fragments[1])))
    let transaction = try ReceiptTransaction(json: json)
    #expect(transaction.productID == "test_consumable")
    #expect(transaction.expiresDate == nil)
    #expect(LenientComparison.losses(from: json, to: transaction.json, at: "") == [])
    #expect(try ReceiptTransaction(json: transaction.json) == transaction)
  }

  @Test("a coming renewal alone is read in full")
  func renewal() throws {
    let json = try JSONValue(parsing: Array(Fixtures.data(RecordedAnswer.fragments[2])))
    let renewal = try PendingRenewal(json: json)
    #expect(renewal.originalTransactionID == "1000000741421650")
    #expect(renewal.productID == "test_subscription")
    #expect(renewal.autoRenewProductID == "test_subscription")
    #expect(renewal.autoRenewStatus == .on)
    #expect(renewal.additionalMembers == [:])
    #expect(renewal.json == json)
  }

  @Test("the recorded answer of iOS 6 is one flat transaction, twice")
  func flat() throws {
    let answer = try #require(RecordedAnswer.all.first { $0.style == .iOS6 })
    let response = try VerifyReceiptResponse(json: answer.json())
    let transaction = try #require(response.transactionReceipt)
    #expect(response.bundleID == "com.example.001")
    #expect(response.latestReceiptInfo == [transaction])
    #expect(transaction.style == .iOS6)
    #expect(transaction.bundleVersion == "7")
    #expect(transaction.itemID == "580190000")
    #expect(transaction.uniqueIdentifier == "0000b0090000")
    #expect(transaction.expiresDate == Date(timeIntervalSince1970: 1_354_436_154))
    #expect(transaction.purchaseDate == Date(timeIntervalSince1970: 1_354_432_554))
    #expect(response.json["latest_receipt_info"]?.kind == .object)
  }

  @Test("the moment of the answer is its request date")
  func requestDate() throws {
    let answer = try #require(RecordedAnswer.all.first { $0.path.contains("bought_consumable") })
    let response = try VerifyReceiptResponse(json: answer.json())
    #expect(response.requestDate == Date(timeIntervalSince1970: 1_605_231_830.640))
    #expect(response.bundleID == "com.foo.foo")
  }
}
