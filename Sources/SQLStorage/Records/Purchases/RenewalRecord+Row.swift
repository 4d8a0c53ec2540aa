internal import PurchaseStorage
internal import ReceiptModels

extension SQLColumns<RenewalRecord> {
  /// The columns of `apple_pending_renewal`, except its stamp and its dates.
  static let renewal = SQLColumns([
    .text("original_transaction_id", \.originalTransactionID),
    .environment("environment", \.environment),
    .name("product_id", \.productID),
    .name("auto_renew_product_id", \.autoRenewProductID),
    .flag("auto_renew_status", \.willRenew),
    .code("expiration_intent", \.expirationIntent),
    .milliseconds("grace_period_expires_date_ms", \.gracePeriodExpiresDate),
    .flag("is_in_billing_retry_period", \.isInBillingRetry),
    .code("price_consent_status", \.priceIncreaseStatus),
    .name("promotional_offer_id", \.offer.storedIdentifier),
    .number("offer_type", \.offer.storedType),
  ])
}

extension RenewalRecord {
  /// Reads a row of `renewal_find`: the columns, then the stamp.
  init(row: SQLRow) {
    self.init(originalTransactionID: "")
    let columns = SQLColumns.renewal
    columns.read(row, into: &self)
    signedDate = row[columns.count].milliseconds
  }
}
