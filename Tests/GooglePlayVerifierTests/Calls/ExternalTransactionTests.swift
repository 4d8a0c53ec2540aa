import Foundation
import GooglePlayVerifier
import HTTPMessages
import StorekeeperFixtures
import Testing

/// Calls on payments outside of Google's billing, as Google's discovery document describes them.
@Suite("External transactions of the Play store")
struct ExternalTransactionTests {
  private static let date = Date(timeIntervalSince1970: 1_793_491_200)
  private static let price = ExternalTransaction.Price(currency: "EUR", priceMicros: 1_990_000)
  private static let report = ExternalTransaction(
    oneTime: "secret", preTaxAmount: price,
    taxAmount: ExternalTransaction.Price(currency: "EUR", priceMicros: 0), at: date,
    userTaxAddress: ExternalTransactionAddress(regionCode: "DE"))
  private static let answer = ScriptedAnswer.status(
    200,
    #"{"externalTransactionId":"a-1","transactionState":"TRANSACTION_REPORTED","#
      + #""currentPreTaxAmount":{"currency":"EUR","priceMicros":"1990000"},"testPurchase":{}}"#)

  @Test("a payment is reported under the developer's identifier")
  func report() async throws {
    let scene = try await PlayScene([Self.answer])
    let kept = try await scene.client.createExternalTransaction("a-1", Self.report)
    #expect(kept.externalTransactionID == "a-1")
    #expect(kept.transactionState == .reported)
    #expect(kept.currentPreTaxAmount?.priceMicros == 1_990_000)
    #expect(kept.isTest)
    let request = try #require(scene.play.requests.first)
    #expect(request.method == .post)
    #expect(request.url == PlayScene.app + "externalTransactions?externalTransactionId=a-1")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"oneTimeTransaction":{"externalTransactionToken":"secret"},"#
        + #""originalPreTaxAmount":{"currency":"EUR","priceMicros":"1990000"},"#
        + #""originalTaxAmount":{"currency":"EUR","priceMicros":"0"},"#
        + #""transactionTime":"2026-11-01T00:00:00.000Z","userTaxAddress":{"regionCode":"DE"}}"#)
    #expect(!printed(Self.report).contains("secret"))
  }

  @Test("a payment is read, and refunded whole or in part")
  func refunds() async throws {
    let scene = try await PlayScene([Self.answer])
    let client = scene.client
    _ = try await client.externalTransaction("a-1")
    _ = try await client.refundExternalTransaction("a-1", .init(fullAt: Self.date))
    _ = try await client.refundExternalTransaction(
      "a-1",
      .init(PartialRefund(refundID: "r-1", refundPreTaxAmount: Self.price), at: Self.date))
    let path = PlayScene.app + "externalTransactions/a-1"
    #expect(scene.play.requests.map(\.url) == [path, path + ":refund", path + ":refund"])
    #expect(
      scene.play.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        "", #"{"fullRefund":{},"refundTime":"2026-11-01T00:00:00.000Z"}"#,
        #"{"partialRefund":{"refundId":"r-1","refundPreTaxAmount":"#
          + #"{"currency":"EUR","priceMicros":"1990000"}},"refundTime":"2026-11-01T00:00:00.000Z"}"#,
      ])
  }

  @Test(
    "an identifier has 1 to 63 letters, digits, hyphens and underscores",
    arguments: [
      ("", InvalidCall.empty(.externalTransactionID)),
      ("a b", .notAccepted(.externalTransactionID)),
      ("ä", .notAccepted(.externalTransactionID)), ("a/b", .notAccepted(.externalTransactionID)),
      (String(repeating: "a", count: 64), .tooLong(.externalTransactionID, limit: 63)),
    ])
  func identifiers(id: String, fault: InvalidCall) async throws {
    let scene = try await PlayScene([Self.answer])
    let failures = [
      try await failure { try await scene.client.createExternalTransaction(id, Self.report) },
      try await failure { try await scene.client.externalTransaction(id) },
      try await failure {
        try await scene.client.refundExternalTransaction(id, .init(fullAt: Self.date))
      },
    ]
    #expect(failures.allSatisfy { $0 == .invalidCall(fault) })
    #expect(scene.play.requests.isEmpty)
  }

  @Test("a report that Google would refuse is not sent")
  func invalidReports() {
    func fault(_ change: (inout ExternalTransaction) -> Void) -> InvalidCall? {
      var report = Self.report
      change(&report)
      do throws(InvalidCall) { try report.validate() } catch { return error }
      return nil
    }
    #expect(fault { _ in } == nil)
    #expect(fault { $0.originalTaxAmount = nil } == .missing(.originalTaxAmount))
    #expect(fault { $0.transactionTime = nil } == .missing(.transactionTime))
    #expect(
      fault { $0.originalPreTaxAmount?.priceMicros = -1 } == .notAccepted(.originalPreTaxAmount))
    #expect(fault { $0.originalPreTaxAmount?.currency = "eur" } == .notAccepted(.currency))
    #expect(fault { $0.userTaxAddress?.regionCode = "DEU" } == .notAccepted(.regionCode))
    #expect(fault { $0.oneTimeTransaction = nil } == .missing(.oneTimeTransaction))
    #expect(
      fault { $0.recurringTransaction = .init(first: "token", of: .recurring) }
        == .notAllowed(.oneTimeTransaction, with: .recurringTransaction))
    #expect(fault { $0.createTime = Self.date } == .notAccepted(.createTime))
    #expect(fault { $0.isTest = true } == .notAccepted(.testPurchase))
    #expect(
      fault {
        $0.transactionProgramCode = 1
        $0.externalOfferDetails = ExternalOfferDetails()
      } == .notAllowed(.transactionProgramCode, with: .externalOfferDetails))
    #expect(
      fault {
        $0.externalOfferDetails = ExternalOfferDetails()
        $0.externalOfferDetails?.linkType = .linkToAppDownload
      } == .missing(.installedAppPackage))
    #expect(
      fault { $0.externalContentLinkDetails = .init(.unspecified) } == .notAccepted(.linkType))
  }

  @Test("a payment of a series has a token, or names the first payment")
  func series() {
    func fault(_ series: RecurringExternalTransaction) -> InvalidCall? {
      let report = ExternalTransaction(
        recurring: series, preTaxAmount: Self.price, taxAmount: Self.price, at: Self.date,
        userTaxAddress: ExternalTransactionAddress(regionCode: "DE"))
      do throws(InvalidCall) { try report.validate() } catch { return error }
      return nil
    }
    #expect(fault(.init(first: "token", of: .recurring)) == nil)
    #expect(fault(.init(after: "a-1", of: .prepaid)) == nil)
    #expect(fault(.init(after: "a-1", of: .unspecified)) == .notAccepted(.subscriptionType))
    var neither = RecurringExternalTransaction(after: "a-1", of: .recurring)
    neither.initialExternalTransactionID = nil
    #expect(fault(neither) == .missing(.externalTransactionToken))
  }

  @Test("a refund is whole, or of a part with an identifier and an amount")
  func invalidRefunds() {
    func fault(_ refund: RefundExternalTransactionRequest) -> InvalidCall? {
      do throws(InvalidCall) { try refund.validate() } catch { return error }
      return nil
    }
    let part = PartialRefund(refundID: "r-1", refundPreTaxAmount: Self.price)
    var both = RefundExternalTransactionRequest(part, at: Self.date)
    #expect(fault(both) == nil)
    both.isFullRefund = true
    #expect(fault(both) == .notAllowed(.fullRefund, with: .partialRefund))
    both.partialRefund = nil
    #expect(fault(both) == nil)
    both.isFullRefund = false
    #expect(fault(both) == .missing(.partialRefund))
    let unnamed = PartialRefund(refundID: "", refundPreTaxAmount: Self.price)
    #expect(fault(.init(unnamed, at: Self.date)) == .empty(.refundID))
    let nothing = PartialRefund(
      refundID: "r-1", refundPreTaxAmount: .init(currency: "EUR", priceMicros: 0))
    #expect(fault(.init(nothing, at: Self.date)) == .notAccepted(.refundPreTaxAmount))
  }
}
