public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A purchase, a subscription event or a refund outside the App Store.
///
/// Its JSON form is flat: members that another kind of event has stay nil. Reading and writing
/// check no limits; ``ExternalPurchaseReport/validate()`` does. Source: App Store Server API rules,
/// section 2.7.
public struct ExternalPurchaseLineItem: FieldModel {
  /// The identifier of the line item, a UUID; a correction restates the whole item under it.
  public var lineItemID: String = ""
  /// The date on which the customer authorized the purchase or the refund was made.
  public var creationDate: Date = Date(timeIntervalSince1970: 0)
  public var eventType = ExternalPurchaseEventType(rawValue: "")
  /// The type of product; required for purchases.
  public var productType: ExternalPurchaseProductType?
  /// The product; required for purchases.
  public var productIdentifier: String?
  /// The quantity; required for purchases.
  public var quantity: Int?
  /// The event; required for subscriptions.
  public var subscriptionEvent: ExternalPurchaseSubscriptionEvent?
  /// The start of the period; required for subscriptions.
  public var subscriptionStartDate: Date?
  /// The end of the period; required for subscriptions.
  public var subscriptionEndDate: Date?
  /// The number of days of paid service so far, 0 at the start; required for subscriptions.
  public var subscriptionDaysOfPaidService: Int?
  /// The line item of the start of the subscription, or the refunded one; required for refunds.
  public var referenceLineItemID: String?
  /// The ISO 4217 code of the currency that the customer paid in.
  public var pricingCurrency: String = ""
  /// The ISO 4217 code of the currency of all amounts.
  public var reportingCurrency: String = ""
  /// The rate from the pricing currency to the reporting currency, of any JSON type because Apple
  /// documents none.
  public var exchangeRate: JSONValue?
  /// The amount without taxes, in thousandths of the unit of the reporting currency.
  public var amountTaxExclusive: Int = 0
  /// The amount with taxes, in thousandths of the unit of the reporting currency.
  public var amountTaxInclusive: Int = 0
  /// The amount without taxes after all refunds and corrections, in thousandths of the unit of the
  /// reporting currency.
  public var netAmountTaxExclusive: Int = 0
  /// The taxes, in thousandths of the unit of the reporting currency.
  public var taxAmount: Int = 0
  /// The code of the country of the taxes.
  public var taxCountry: String = ""
  /// Whether this corrects an item reported before.
  public var restatement: Bool?
  /// Whether the item reported before was a mistake; only in a restatement.
  public var erroneouslySubmitted: Bool?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a value with the required fields.
  public init(
    lineItemID: String, creationDate: Date, eventType: ExternalPurchaseEventType,
    pricingCurrency: String, reportingCurrency: String, amountTaxExclusive: Int,
    amountTaxInclusive: Int, netAmountTaxExclusive: Int, taxAmount: Int, taxCountry: String
  ) {
    self.lineItemID = lineItemID
    self.creationDate = creationDate
    self.eventType = eventType
    self.pricingCurrency = pricingCurrency
    self.reportingCurrency = reportingCurrency
    self.amountTaxExclusive = amountTaxExclusive
    self.amountTaxInclusive = amountTaxInclusive
    self.netAmountTaxExclusive = netAmountTaxExclusive
    self.taxAmount = taxAmount
    self.taxCountry = taxCountry
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("lineItemId", &lineItemID)
    try coder.required("creationDate", &creationDate)
    try coder.required("eventType", &eventType)
    try coder("productType", &productType)
    try coder("productIdentifier", &productIdentifier)
    try coder("quantity", &quantity)
    try coder("subscriptionEvent", &subscriptionEvent)
    try coder("subscriptionStartDate", &subscriptionStartDate)
    try coder("subscriptionEndDate", &subscriptionEndDate)
    try coder("subscriptionDaysOfPaidService", &subscriptionDaysOfPaidService)
    try coder("referenceLineItemId", &referenceLineItemID)
    try coder.required("pricingCurrency", &pricingCurrency)
    try coder.required("reportingCurrency", &reportingCurrency)
    coder.raw("exchangeRate", &exchangeRate)
    try coder.required("amountTaxExclusive", &amountTaxExclusive)
    try coder.required("amountTaxInclusive", &amountTaxInclusive)
    try coder.required("netAmountTaxExclusive", &netAmountTaxExclusive)
    try coder.required("taxAmount", &taxAmount)
    try coder.required("taxCountry", &taxCountry)
    try coder("restatement", &restatement)
    try coder("erroneouslySubmitted", &erroneouslySubmitted)
  }
}

extension ExternalPurchaseLineItem {
  /// Checks one line item, with a path that ends with a dot.
  func check(_ path: String) throws(InvalidRequest) {
    _ = try RequestPart.uuid(lineItemID, field: path + "lineItemId")
    try RequestCheck.milliseconds(creationDate, path + "creationDate")
    try RequestCheck.currency(pricingCurrency, path + "pricingCurrency")
    try RequestCheck.currency(reportingCurrency, path + "reportingCurrency")
    try RequestCheck.notEmpty(taxCountry, path + "taxCountry")
    let (sum, isOverflow) = amountTaxExclusive.addingReportingOverflow(taxAmount)
    guard !isOverflow, sum == amountTaxInclusive else {
      throw InvalidRequest(path + "amountTaxInclusive", .inconsistent(with: path + "taxAmount"))
    }
    if erroneouslySubmitted == true, restatement != true {
      throw InvalidRequest(path + "restatement", .missing)
    }
    try RequestCheck.known(eventType, path + "eventType")
    if eventType == .buy {
      try checkPurchase(path)
    } else {
      _ = try required(referenceLineItemID, path + "referenceLineItemId")
    }
  }

  private func checkPurchase(_ path: String) throws(InvalidRequest) {
    let type = try required(productType, path + "productType")
    try RequestCheck.known(type, path + "productType")
    let product = try required(productIdentifier, path + "productIdentifier")
    try RequestCheck.notEmpty(product, path + "productIdentifier")
    let count = try required(quantity, path + "quantity")
    try RequestCheck.range(count, 1...Int.max, path + "quantity")
    if type == .subscription { try checkSubscription(path) }
  }

  private func checkSubscription(_ path: String) throws(InvalidRequest) {
    let event = try required(subscriptionEvent, path + "subscriptionEvent")
    try RequestCheck.known(event, path + "subscriptionEvent")
    let start = try required(subscriptionStartDate, path + "subscriptionStartDate")
    let end = try required(subscriptionEndDate, path + "subscriptionEndDate")
    try RequestCheck.window(
      start, path + "subscriptionStartDate", end, path + "subscriptionEndDate")
    let days = try required(
      subscriptionDaysOfPaidService, path + "subscriptionDaysOfPaidService")
    let isStart = event == .subscriptionStart
    try RequestCheck.range(
      days, 0...(isStart ? 0 : Int.max), path + "subscriptionDaysOfPaidService")
    if !isStart { _ = try required(referenceLineItemID, path + "referenceLineItemId") }
  }

  private func required<Value>(_ value: Value?, _ field: String) throws(InvalidRequest) -> Value {
    guard let value else { throw InvalidRequest(field, .missing) }
    return value
  }
}
