internal import ReceiptModels

extension RenewalRecord {
  /// The values of `renewal_put` between its key and its dates.
  var row: [SQLValue] {
    [
      .name(productID), .name(autoRenewProductID), .flag(willRenew),
      .number(expirationIntent?.rawValue), .milliseconds(gracePeriodExpiresDate),
      .flag(isInBillingRetry), .number(priceIncreaseStatus?.rawValue),
      .name(offer?.identifier), .number(offer?.type.rawValue),
    ]
  }

  /// Reads a row of `renewal_find`.
  init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(originalTransactionID: reader.text())
    environment = reader.environment()
    productID = reader.name()
    autoRenewProductID = reader.name()
    willRenew = reader.flag()
    expirationIntent = reader.number().map(ExpirationIntent.init(rawValue:))
    gracePeriodExpiresDate = reader.milliseconds()
    isInBillingRetry = reader.flag() ?? false
    priceIncreaseStatus = reader.number().map(PriceIncreaseStatus.init(rawValue:))
    let offerID = reader.name()
    offer = PurchaseOffer(storedType: reader.number(), identifier: offerID)
    signedDate = reader.milliseconds()
  }
}
