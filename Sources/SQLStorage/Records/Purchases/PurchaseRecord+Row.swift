internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLColumns<PurchaseRecord> {
  /// The columns of `apple_transaction`, except its stamp and the date of creation.
  static let transaction = SQLColumns(
    PurchaseRecord(transactionID: "", originalTransactionID: "", productID: "")
  ) { row, column in
    column.text("transaction_id", &row.transactionID)
    column.text("original_transaction_id", &row.originalTransactionID)
    column.text("product_id", &row.productID)
    column.name("plan_id", &row.planID)
    column.environment("environment", &row.environment)
    column.number("quantity", &row.quantity, default: 1)
    column.name("web_order_line_item_id", &row.webOrderLineItemID)
    column.milliseconds("purchase_date_ms", &row.purchaseDate)
    column.milliseconds("original_purchase_date_ms", &row.originalPurchaseDate)
    column.milliseconds("expires_date_ms", &row.expiresDate)
    column.flag("is_trial_period", &row.isTrialPeriod)
    column.flag("is_in_intro_offer_period", &row.isInIntroOfferPeriod)
    column.flag("is_upgraded", &row.isUpgraded)
    column.milliseconds("cancellation_date_ms", &row.cancellationDate)
    column.code("cancellation_reason", &row.revocationReason)
    column.offer(&row.offer)
    column.name("subscription_group_id", &row.subscriptionGroupID)
    column.word("product_type", &row.productType)
    column("app_account_token", .name(row.appAccountToken?.uuidString)) {
      row.appAccountToken = $0.name.flatMap(UUID.init(uuidString:))
    }
    column.word("in_app_ownership_type", &row.ownership)
    column.word("revocation_type", &row.revocationType)
    column.offerType(&row.offer)
    column("commitment", .name(row.commitment?.json)) {
      row.commitment = $0.name.flatMap(PurchaseCommitment.init(json:))
    }
    column("unreadable_fields", .number(row.unreadableFields)) {
      row.unreadableFields = $0.number ?? 0
    }
    column.number("price", &row.price)
    column.name("currency", &row.currency)
    column.name("country", &row.country)
    column.number("revocation_percentage", &row.revocationPercentage)
  }
}

extension PurchaseRecord {
  /// Reads a row of `transaction_find`: the columns, the transaction's own stamp, and that of the whole
  /// answer.
  init(row: SQLRow) {
    let columns = SQLColumns.transaction
    self = columns.row(row)
    signedDate = row[columns.count...].compactMap(\.milliseconds).max()
  }

  /// The fields that could not be read, as bits.
  fileprivate var unreadableFields: Int {
    get {
      (hasUnreadableExpiry ? 1 : 0) | (hasUnreadableCancellation ? 2 : 0)
        | (hasUnreadableOffer ? 4 : 0) | (isOutdated ? 8 : 0)
    }
    set {
      hasUnreadableExpiry = newValue & 1 != 0
      hasUnreadableCancellation = newValue & 2 != 0
      hasUnreadableOffer = newValue & 4 != 0
      isOutdated = newValue & 8 != 0
    }
  }
}

// An offer is stored in two columns, of which the identifier is read first. Rows of earlier versions
// have no type; their offers are promotional.
extension SQLColumnVisit {
  fileprivate mutating func offer(_ offer: inout PurchaseOffer?) {
    self("promotional_offer_id", .name(offer?.identifier)) {
      offer = $0.name.map { PurchaseOffer(type: .promotional, identifier: $0) }
    }
  }

  fileprivate mutating func offerType(_ offer: inout PurchaseOffer?) {
    self("offer_type", .number(offer?.type.rawValue)) {
      guard let type = $0.number else { return }
      offer = PurchaseOffer(type: OfferType(rawValue: type), identifier: offer?.identifier)
    }
  }
}

extension SQLColumns<RenewalRecord> {
  /// The columns of `apple_pending_renewal`, except its stamp and its dates.
  static let renewal = SQLColumns(
    RenewalRecord(originalTransactionID: "")
  ) { row, column in
    column.text("original_transaction_id", &row.originalTransactionID)
    column.environment("environment", &row.environment)
    column.name("product_id", &row.productID)
    column.name("auto_renew_product_id", &row.autoRenewProductID)
    column.flag("auto_renew_status", &row.willRenew)
    column.code("expiration_intent", &row.expirationIntent)
    column.milliseconds("grace_period_expires_date_ms", &row.gracePeriodExpiresDate)
    column.flag("is_in_billing_retry_period", &row.isInBillingRetry)
    column.code("price_consent_status", &row.priceIncreaseStatus)
    column.offer(&row.offer)
    column.offerType(&row.offer)
    column("commitment", .name(row.commitment?.json)) {
      row.commitment = $0.name.flatMap(CommitmentRenewal.init(json:))
    }
  }
}

extension RenewalRecord {
  /// Reads a row of `renewal_find`: the columns, then the stamp.
  init(row: SQLRow) {
    let columns = SQLColumns.renewal
    self = columns.row(row)
    signedDate = row[columns.count].milliseconds
  }
}

extension SQLColumns<VerificationSession> {
  /// The columns of `apple_verification_session`, except the date of creation.
  static let session = SQLColumns(
    VerificationSession(
      environment: .production, originalTransactionID: "", transactionID: "",
      requestDate: StoredMoment.date(seconds: 0), responseStatus: 0)
  ) { row, column in
    column.environment("environment", &row.environment)
    column.text("original_transaction_id", &row.originalTransactionID)
    column.text("transaction_id", &row.transactionID)
    column.name("app_item_id", &row.appItemID)
    column.name("application_version", &row.applicationVersion)
    column.name("bundle_id", &row.bundleID)
    column.name("download_id", &row.downloadID)
    column.milliseconds("expiration_date_ms", &row.expirationDate)
    column.milliseconds("original_purchase_date_ms", &row.originalPurchaseDate)
    column.name("original_application_version", &row.originalApplicationVersion)
    column.milliseconds("preorder_date_ms", &row.preorderDate)
    column.milliseconds("receipt_creation_date_ms", &row.receiptCreationDate)
    column.name("receipt_type", &row.receiptType)
    column.milliseconds("request_date_ms", &row.requestDate)
    column.number("response_status", &row.responseStatus)
    column.name("version_external_identifier", &row.versionExternalIdentifier)
  }
}
