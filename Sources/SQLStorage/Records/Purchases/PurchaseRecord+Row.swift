internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLColumns<PurchaseRecord> {
  /// The columns of `apple_transaction`, except its stamp and the date of creation.
  static let transaction = SQLColumns([
    .text("transaction_id", \.transactionID),
    .text("original_transaction_id", \.originalTransactionID),
    .text("product_id", \.productID),
    .environment("environment", \.environment),
    .number("quantity", \.quantity, default: 1),
    .name("web_order_line_item_id", \.webOrderLineItemID),
    .milliseconds("purchase_date_ms", \.purchaseDate),
    .milliseconds("original_purchase_date_ms", \.originalPurchaseDate),
    .milliseconds("expires_date_ms", \.expiresDate),
    .flag("is_trial_period", \.isTrialPeriod),
    .flag("is_in_intro_offer_period", \.isInIntroOfferPeriod),
    .flag("is_upgraded", \.isUpgraded),
    .milliseconds("cancellation_date_ms", \.cancellationDate),
    .code("cancellation_reason", \.revocationReason),
    .name("promotional_offer_id", \.offer.storedIdentifier),
    .name("subscription_group_id", \.subscriptionGroupID),
    .word("product_type", \.productType),
    .name("app_account_token", \.appAccountToken.text),
    .word("in_app_ownership_type", \.ownership),
    .word("revocation_type", \.revocationType),
    .number("offer_type", \.offer.storedType),
    .number("unreadable_fields", \.unreadableFields),
  ])
}

extension PurchaseRecord {
  /// Reads a row of `transaction_find`: the columns, the transaction's own stamp, and that of the whole
  /// answer.
  init(row: SQLRow) {
    self.init(transactionID: "", originalTransactionID: "", productID: "")
    let columns = SQLColumns.transaction
    columns.read(row, into: &self)
    signedDate = row[columns.count...].compactMap(\.milliseconds).max()
  }

  /// The fields that could not be read, as bits.
  fileprivate var unreadableFields: Int {
    get { Self.fields.reduce(0) { bits, field in self[keyPath: field.1] ? bits | field.0 : bits } }
    set { for (bit, field) in Self.fields { self[keyPath: field] = newValue & bit != 0 } }
  }

  private static var fields: [(Int, WritableKeyPath<PurchaseRecord, Bool>)] {
    [
      (1, \.hasUnreadableExpiry), (2, \.hasUnreadableCancellation), (4, \.hasUnreadableOffer),
      (8, \.isOutdated),
    ]
  }
}

extension UUID? {
  fileprivate var text: String? {
    get { self?.uuidString }
    set { self = newValue.flatMap(UUID.init(uuidString:)) }
  }
}

// An offer is stored in two columns, of which the identifier is read first. Rows of earlier versions
// have no type; their offers are promotional.
extension PurchaseOffer? {
  var storedIdentifier: String? {
    get { self?.identifier }
    set { self = newValue.map { PurchaseOffer(type: .promotional, identifier: $0) } }
  }

  var storedType: Int? {
    get { self?.type.rawValue }
    set {
      guard let newValue else { return }
      self = PurchaseOffer(type: OfferType(rawValue: newValue), identifier: self?.identifier)
    }
  }
}

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

extension SQLColumns<VerificationSession> {
  /// The columns of `apple_verification_session`, except the date of creation.
  static let session = SQLColumns([
    .environment("environment", \.environment),
    .text("original_transaction_id", \.originalTransactionID),
    .text("transaction_id", \.transactionID),
    .name("app_item_id", \.appItemID),
    .name("application_version", \.applicationVersion),
    .name("bundle_id", \.bundleID),
    .name("download_id", \.downloadID),
    .milliseconds("expiration_date_ms", \.expirationDate),
    .milliseconds("original_purchase_date_ms", \.originalPurchaseDate),
    .name("original_application_version", \.originalApplicationVersion),
    .milliseconds("preorder_date_ms", \.preorderDate),
    .milliseconds("receipt_creation_date_ms", \.receiptCreationDate),
    .name("receipt_type", \.receiptType),
    .milliseconds("request_date_ms", \.requestDate),
    .number("response_status", \.responseStatus),
    .name("version_external_identifier", \.versionExternalIdentifier),
  ])
}
