import AppStoreServerAPI
import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Reports on external purchases")
struct ExternalPurchaseReportTests {
  static let id = "aaaaaaaa-aaaa-4aaa-aaaa-aaaaaaaaaaaa"

  static func report(
    _ change: (inout ExternalPurchaseLineItem) -> Void
  ) -> ExternalPurchaseReport {
    var item = ExternalPurchaseLineItem(
      lineItemID: id, creationDate: Date(timeIntervalSince1970: 1_706_047_472.367),
      eventType: .buy, pricingCurrency: "EUR", reportingCurrency: "EUR",
      amountTaxExclusive: 8000, amountTaxInclusive: 10_000, netAmountTaxExclusive: 8000,
      taxAmount: 2000, taxCountry: "DE")
    change(&item)
    var report = ExternalPurchaseReport(
      requestIdentifier: RequestLimitTests.id, externalPurchaseID: "token", status: .lineItem)
    report.lineItems = [item]
    return report
  }

  static let once = report {
    $0.productType = .oneTimeBuy
    $0.productIdentifier = "p"
    $0.quantity = 1
  }
  static let start = report {
    $0.productType = .subscription
    $0.productIdentifier = "p"
    $0.quantity = 1
    $0.subscriptionEvent = .subscriptionStart
    $0.subscriptionStartDate = Date(timeIntervalSince1970: 1000)
    $0.subscriptionEndDate = Date(timeIntervalSince1970: 2000)
    $0.subscriptionDaysOfPaidService = 0
  }
  static let renewal: ExternalPurchaseReport = {
    var report = start
    report.lineItems?[0].subscriptionEvent = .renewal
    report.lineItems?[0].subscriptionDaysOfPaidService = 30
    report.lineItems?[0].referenceLineItemID = id
    return report
  }()
  static let refund = report {
    $0.eventType = .refund
    $0.referenceLineItemID = id
  }

  static func missing(
    _ report: ExternalPurchaseReport, _ field: String,
    change: (inout ExternalPurchaseLineItem) -> Void
  ) -> RequestCase {
    refused("no \(field)", report, field, .missing, change: change)
  }

  static func refused(
    _ description: String, _ report: ExternalPurchaseReport, _ field: String,
    _ fault: InvalidRequest.Fault, change: (inout ExternalPurchaseLineItem) -> Void
  ) -> RequestCase {
    .refused(description, report, "lineItems[0].\(field)", fault) {
      guard var item = $0.lineItems?.first else { return }
      change(&item)
      $0.lineItems = [item]
    }
  }

  static let cases: [RequestCase] = [
    .accepted("one product", once), .accepted("a start", start), .accepted("a renewal", renewal),
    .accepted("a refund", refund),
    .accepted("a token without purchases", once) {
      $0.status = .noLineItem
      $0.lineItems = nil
    },
    .refused("line items of none", once, "lineItems", .notAllowed(with: "status")) {
      $0.status = .noLineItem
    },
    .refused("empty line items of none", once, "lineItems", .notAllowed(with: "status")) {
      $0.status = .unrecognizedToken
      $0.lineItems = []
    },
    .refused("no line items", once, "lineItems", .missing) { $0.lineItems = nil },
    .refused("empty line items", once, "lineItems", .empty) { $0.lineItems = [] },
    .refused("no token", once, "externalPurchaseId", .empty) { $0.externalPurchaseID = "" },
    .refused("an unknown status", once, "status", .notAccepted) {
      $0.status = ExternalPurchaseReportStatus(rawValue: "X")
    },
    refused("an identifier", once, "lineItemId", .notUUID) { $0.lineItemID = "1" },
    refused("an unknown event", once, "eventType", .notAccepted) {
      $0.eventType = ExternalPurchaseEventType(rawValue: "GIFT")
    },
    refused("a pricing currency", once, "pricingCurrency", .notCurrencyCode) {
      $0.pricingCurrency = "eur"
    },
    refused("a reporting currency", once, "reportingCurrency", .notCurrencyCode) {
      $0.reportingCurrency = "EURO"
    },
    refused("no country", once, "taxCountry", .empty) { $0.taxCountry = "" },
    refused(
      "another sum", once, "amountTaxInclusive", .inconsistent(with: "lineItems[0].taxAmount")
    ) { $0.amountTaxInclusive = 10_001 },
    refused(
      "an overflowing sum", once, "amountTaxInclusive",
      .inconsistent(with: "lineItems[0].taxAmount")
    ) { $0.taxAmount = Int.max },
    missing(once, "restatement") { $0.erroneouslySubmitted = true },
    .accepted("a mistake taken back", once) {
      $0.lineItems?[0].erroneouslySubmitted = true
      $0.lineItems?[0].restatement = true
    },
    missing(once, "productType") { $0.productType = nil },
    missing(once, "productIdentifier") { $0.productIdentifier = nil },
    missing(once, "quantity") { $0.quantity = nil },
    refused("0 pieces", once, "quantity", .outOfRange(allowed: 1...Int.max, found: 0)) {
      $0.quantity = 0
    },
    missing(start, "subscriptionEvent") { $0.subscriptionEvent = nil },
    missing(start, "subscriptionStartDate") { $0.subscriptionStartDate = nil },
    missing(start, "subscriptionEndDate") { $0.subscriptionEndDate = nil },
    missing(start, "subscriptionDaysOfPaidService") { $0.subscriptionDaysOfPaidService = nil },
    refused("an empty period", start, "subscriptionStartDate", .notBeforeEnd) {
      $0.subscriptionEndDate = $0.subscriptionStartDate
    },
    refused(
      "a day before the start", start, "subscriptionDaysOfPaidService",
      .outOfRange(allowed: 0...0, found: 1)
    ) { $0.subscriptionDaysOfPaidService = 1 },
    missing(renewal, "referenceLineItemId") { $0.referenceLineItemID = nil },
    missing(refund, "referenceLineItemId") { $0.referenceLineItemID = nil },
  ]

  @Test("are checked with their path before anything is sent", arguments: cases)
  func limits(_ request: RequestCase) { request.check() }

  @Test("of sandbox tokens belong to the sandbox")
  func sandbox() {
    var report = Self.once
    #expect(!report.isSandbox)
    report.externalPurchaseID = "SANDBOX_1"
    #expect(report.isSandbox)
  }

  @Test("keep rates of any type, unknown events and unknown members")
  func retrieved() throws {
    for rate in [JSONValue.string("1.5"), .number(1.5), .integer(1)] {
      guard case .object(var item) = Self.once.lineItems?.first?.json else { return }
      item["exchangeRate"] = rate
      item["eventType"] = .string("NEW")
      item["more"] = .array([.null])
      let model = try ExternalPurchaseLineItem(json: .object(item))
      #expect(model.exchangeRate == rate)
      #expect(model.json == .object(item))
    }
  }
}
