public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The body of a request to verifyReceipt.
///
/// Neither the receipt nor the password is ever printed. Apple needs base64 without line breaks,
/// which is not checked here. Source: Apple, `requestBody` of verifyReceipt; App Store rules,
/// section 5.1.
package struct VerifyReceiptRequest: FieldModel {
  /// The receipt in base64.
  package var receiptData: String = ""
  /// The app's shared secret, without which Apple sends no renewal information.
  package var password: String?
  /// Whether Apple should leave out all but the newest transaction of each subscription.
  ///
  /// Apple does not do so reliably, and without the older transactions eligibility for introductory
  /// offers cannot be derived.
  package var excludeOldTransactions: Bool?
  package var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request about a receipt.
  package init(receiptData: String, password: String? = nil, excludeOldTransactions: Bool? = nil) {
    self.receiptData = receiptData
    self.password = password
    self.excludeOldTransactions = excludeOldTransactions
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("receipt-data", &receiptData)
    try coder("password", &password)
    try coder("exclude-old-transactions", &excludeOldTransactions)
  }
}

/// An answer of verifyReceipt, in the style of iOS 7 or iOS 6.
///
/// Only ``status`` is required. Scalars are read from strings, numbers and Booleans alike; an
/// unreadable one is nil and is kept in ``additionalMembers``. The answer is proof only if it came
/// from Apple's own server. Its environment is that of the server; ``environment`` is missing in
/// old answers and in errors. Source: Apple, `responseBody` of verifyReceipt; App Store rules,
/// section 5.4.
public struct VerifyReceiptResponse: FieldModel {
  public var status: VerifyReceiptStatus = .valid
  public var environment: AppStoreEnvironment?
  /// The app receipt, in the style of iOS 7.
  public var receipt: Receipt?
  /// The transaction, in the style of iOS 6.
  public var transactionReceipt: ReceiptTransaction?
  /// The newest receipt in base64, for the next request; never printed.
  public var latestReceipt: String?
  /// The transactions so far, in no particular order; nil if absent, as without a shared secret.
  public var latestReceiptInfo: [ReceiptTransaction]?
  /// The last transaction of an expired subscription, in the style of iOS 6 with status 21006.
  public var latestExpiredReceiptInfo: [ReceiptTransaction]?
  public var pendingRenewalInfo: [PendingRenewal]?
  /// Whether Apple recommends a retry; sent with statuses 21100 to 21199.
  public var isRetryable: Bool?

  // MARK: Only in the style of iOS 6

  public var autoRenewStatus: AutoRenewStatus?
  public var autoRenewProductID: String?
  public var expirationIntent: ExpirationIntent?
  public var isInBillingRetryPeriod: Bool?
  public var cancellationReason: RevocationReason?
  public var additionalMembers: [String: JSONValue] = [:]

  /// The form of the JSON: single objects in place of arrays, and the spelling of is-retryable.
  private var form = Form()

  package init() {}

  /// Creates an answer with a status.
  public init(status: VerifyReceiptStatus) {
    self.status = status
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.status(&status)
    coder.scalar("environment", &environment)
    switch coder.styleOfReceipt ?? style {
    case .iOS6: try coder("receipt", &transactionReceipt)
    case .iOS7, nil: try coder("receipt", &receipt)
    }
    coder.scalar("latest_receipt", &latestReceipt)
    try coder.list("latest_receipt_info", &latestReceiptInfo, &form.latestIsObject)
    try coder.list(
      "latest_expired_receipt_info", &latestExpiredReceiptInfo, &form.expiredIsObject)
    try coder("pending_renewal_info", &pendingRenewalInfo)
    coder.retryable(&isRetryable, &form.retryableName)

    coder.integer("auto_renew_status", &autoRenewStatus)
    coder.scalar("auto_renew_product_id", &autoRenewProductID)
    coder.scalar("expiration_intent", &expirationIntent)
    coder.digit("is_in_billing_retry_period", &isInBillingRetryPeriod)
    coder.scalar("cancellation_reason", &cancellationReason)
  }

  private struct Form: Hashable, Sendable {
    var latestIsObject = false
    var expiredIsObject = false
    var retryableName = "is-retryable"
  }

  public var style: ReceiptStyle? {
    if receipt != nil { .iOS7 } else if transactionReceipt != nil { .iOS6 } else { nil }
  }

  public var bundleID: String? { receipt?.bundleID ?? transactionReceipt?.bundleID }

  /// The date of Apple's answer, which is the current date for rules about this answer.
  ///
  /// Only answers in the style of iOS 7 have it.
  public var requestDate: Date? { receipt?.requestDate }

  /// An app receipt in an answer of verifyReceipt, in the style of iOS 7.
  ///
  /// Scalars and dates are read as in ``ReceiptTransaction``. Apple's numbers are 0 in the sandbox.
  /// Source: Apple, `responseBody.Receipt`; App Store rules, section 5.4.
  public struct Receipt: FieldModel {
    public var receiptType: ReceiptType?
    public var bundleID: String?
    /// Apple's number of the app (`adam_id`).
    public var adamID: Int?
    /// The same number as ``adamID``.
    public var appItemID: Int?
    public var applicationVersion: String?
    /// The version of the app at the first purchase, "1.0" in the sandbox.
    public var originalApplicationVersion: String?
    public var downloadID: Int?
    public var versionExternalIdentifier: Int?
    public var receiptCreationDate: Date?
    public var requestDate: Date?
    public var originalPurchaseDate: Date?
    /// The expiration date of the receipt, for the volume purchase program.
    public var expirationDate: Date?
    public var preorderDate: Date?
    /// The purchases in the receipt, which may be empty.
    public var inApp: [ReceiptTransaction]?
    public var additionalMembers: [String: JSONValue] = [:]
    public init() {}

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      coder.scalar("receipt_type", &receiptType)
      coder.scalar("bundle_id", &bundleID)
      coder.number("adam_id", &adamID)
      coder.number("app_item_id", &appItemID)
      coder.scalar("application_version", &applicationVersion)
      coder.scalar("original_application_version", &originalApplicationVersion)
      coder.number("download_id", &downloadID)
      coder.number("version_external_identifier", &versionExternalIdentifier)
      coder.date(
        milliseconds: "receipt_creation_date_ms", text: "receipt_creation_date",
        &receiptCreationDate)
      coder.date(milliseconds: "request_date_ms", text: "request_date", &requestDate)
      coder.date(
        milliseconds: "original_purchase_date_ms", text: "original_purchase_date",
        &originalPurchaseDate)
      coder.date(milliseconds: "expiration_date_ms", text: "expiration_date", &expirationDate)
      coder.date(milliseconds: "preorder_date_ms", text: "preorder_date", &preorderDate)
      try coder("in_app", &inApp)
    }
  }
}

/// An entry of verifyReceipt about the coming or failed renewal of a subscription.
///
/// Scalars and dates are read as in ``ReceiptTransaction``. The entry of a subscription may be
/// missing, for example after the customer cancelled during the grace period. Source: Apple,
/// `responseBody.Pending_renewal_info`; App Store rules, section 5.4.
public struct PendingRenewal: FieldModel {
  public var originalTransactionID: String?
  public var productID: String?
  /// The product that will renew; different from ``productID`` if a change is pending.
  public var autoRenewProductID: String?
  public var autoRenewStatus: AutoRenewStatus?
  public var expirationIntent: ExpirationIntent?
  /// Whether Apple is retrying to charge the renewal; may be false in the grace period.
  public var isInBillingRetryPeriod: Bool?
  public var gracePeriodExpiresDate: Date?
  /// Whether the customer consented to a price increase, under its older name.
  public var priceConsentStatus: PriceIncreaseStatus?
  public var priceIncreaseStatus: PriceIncreaseStatus?
  public var offerCodeRefName: String?
  public var promotionalOfferID: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    coder.scalar("original_transaction_id", &originalTransactionID)
    coder.scalar("product_id", &productID)
    coder.scalar("auto_renew_product_id", &autoRenewProductID)
    coder.scalar("auto_renew_status", &autoRenewStatus)
    coder.scalar("expiration_intent", &expirationIntent)
    coder.digit("is_in_billing_retry_period", &isInBillingRetryPeriod)
    coder.date(
      milliseconds: "grace_period_expires_date_ms", text: "grace_period_expires_date",
      &gracePeriodExpiresDate)
    coder.scalar("price_consent_status", &priceConsentStatus)
    coder.scalar("price_increase_status", &priceIncreaseStatus)
    coder.scalar("offer_code_ref_name", &offerCodeRefName)
    coder.scalar("promotional_offer_id", &promotionalOfferID)
  }
}

extension VerifyReceiptResponse.Receipt {
  /// Creates an answer from a decoded app receipt, as far as the receipt has the information.
  ///
  /// A receipt does not know the date of Apple's answer, nor what Apple stores about transactions
  /// elsewhere (see ``ReceiptTransaction/init(_:)``). The fields were compared with Apple's own
  /// answers for the same receipts. Source: App Store rules, section 6.5.
  public init(_ receipt: AppReceipt) {
    self.init()
    receiptType = receipt.receiptType
    bundleID = receipt.bundleID
    adamID = receipt.appItemID
    appItemID = receipt.appItemID
    applicationVersion = receipt.applicationVersion
    originalApplicationVersion = receipt.originalApplicationVersion
    downloadID = receipt.downloadID
    versionExternalIdentifier = receipt.versionExternalIdentifier
    receiptCreationDate = receipt.creationDate
    originalPurchaseDate = receipt.originalPurchaseDate
    expirationDate = receipt.expirationDate
    inApp = receipt.purchases.map(ReceiptTransaction.init)
  }
}

extension ReceiptTransaction {
  /// Creates a transaction from a purchase in an app receipt, as far as the receipt has the
  /// information.
  ///
  /// A receipt does not know upgrades, the subscription group, the offer code, the account that the
  /// app set, the family ownership, or the reason for a cancellation. Source: App Store rules,
  /// section 6.5.
  public init(_ purchase: AppReceipt.Purchase) {
    self.init()
    quantity = purchase.quantity
    productID = purchase.productID
    transactionID = purchase.transactionID
    originalTransactionID = purchase.originalTransactionID
    purchaseDate = purchase.purchaseDate
    originalPurchaseDate = purchase.originalPurchaseDate
    expiresDate = purchase.expiresDate
    cancellationDate = purchase.cancellationDate
    isTrialPeriod = purchase.isTrialPeriod
    isInIntroOfferPeriod = purchase.isInIntroOfferPeriod
    promotionalOfferID = purchase.promotionalOfferID
    // 0 stands for none, and Apple's answer then has no such member.
    if let number = purchase.webOrderLineItemID, number != 0 {
      webOrderLineItemID = String(number)
    }
  }
}
