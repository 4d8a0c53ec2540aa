internal import ReceiptModels

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
