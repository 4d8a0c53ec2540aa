public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A server notification of version 1: a hint that a receipt should be verified again.
///
/// It is not signed. Its only proof is ``password``, to be compared in constant time; then the
/// state follows from ``latestReceipt`` once that is verified, and from nothing else in here.
/// Scalars and dates are read as in ``ReceiptTransaction``. Neither the password nor a receipt is
/// printed.
///
/// Source: Apple, `responseBodyV1`; contract on signed data, section 7.3.
public struct ServerNotificationV1: FieldModel {
  /// What happened.
  public var notificationType: NotificationTypeV1?
  /// The app's shared secret.
  public var password: String?
  /// Where it happened, in Apple's spelling for this version: `PROD` or `Sandbox`.
  public var environmentText: String?
  /// The identifier of the app (`bid`).
  public var bundleID: String?
  /// The version of the app (`bvrs`).
  public var bundleVersion: String?
  /// The identifier of the first charge.
  public var originalTransactionID: String?
  /// The identifier of the purchase event of a subscription.
  public var webOrderLineItemID: String?
  /// The number that Apple gave the product that will renew.
  public var autoRenewAdamID: String?
  /// The product that will renew.
  public var autoRenewProductID: String?
  /// Whether the subscription will renew by itself.
  public var autoRenewStatus: Bool?
  /// When that was last changed.
  public var autoRenewStatusChangeDate: Date?
  /// When Apple refunded or revoked the purchase.
  public var cancellationDate: Date?
  /// Why the subscription ended, once it has.
  public var expirationIntent: ExpirationIntent?
  /// The receipt and its newest 100 transactions.
  public var unifiedReceipt: UnifiedReceipt?

  /// Members that this version does not know, deprecated ones, and what could not be read.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty notification, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    coder.scalar("notification_type", &notificationType)
    coder.scalar("password", &password)
    coder.scalar("environment", &environmentText)
    coder.scalar("bid", &bundleID)
    coder.scalar("bvrs", &bundleVersion)
    coder.scalar("original_transaction_id", &originalTransactionID)
    coder.scalar("web_order_line_item_id", &webOrderLineItemID)
    coder.scalar("auto_renew_adam_id", &autoRenewAdamID)
    coder.scalar("auto_renew_product_id", &autoRenewProductID)
    coder.flag("auto_renew_status", &autoRenewStatus)
    coder.date(
      milliseconds: "auto_renew_status_change_date_ms", text: "auto_renew_status_change_date",
      &autoRenewStatusChangeDate)
    coder.date(milliseconds: "cancellation_date_ms", text: "cancellation_date", &cancellationDate)
    coder.scalar("expiration_intent", &expirationIntent)
    try coder("unified_receipt", &unifiedReceipt)
  }
}

extension ServerNotificationV1 {
  /// The environment, with `PROD` and other spellings understood; nil if it is another text.
  public var environment: AppStoreEnvironment? {
    environmentText.flatMap { AppStoreEnvironment(anyCase: $0) }
  }

  /// The receipt to verify again, in base64; an empty one is none.
  public var latestReceipt: String? {
    unifiedReceipt?.latestReceipt.flatMap { $0.utf8.isEmpty ? nil : $0 }
  }

  /// The receipt inside of a notification, and what Apple says it holds.
  ///
  /// Source: Apple, `unified_receipt`; contract on signed data, section 7.3.
  public struct UnifiedReceipt: FieldModel {
    /// Where the receipt was issued.
    public var environment: AppStoreEnvironment?
    /// What Apple says of the receipt; may be missing.
    public var status: VerifyReceiptStatus?
    /// The newest receipt in base64; not printed.
    public var latestReceipt: String?
    /// The newest 100 transactions, in no certain order.
    public var latestReceiptInfo: [ReceiptTransaction]?
    /// The coming or failed renewals.
    public var pendingRenewalInfo: [PendingRenewal]?

    /// Members that this version does not know, and what could not be read.
    public var additionalMembers: [String: JSONValue] = [:]

    /// An empty receipt, to be filled field by field.
    public init() {}

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      coder.scalar("environment", &environment)
      coder.integer("status", &status)
      coder.scalar("latest_receipt", &latestReceipt)
      try coder("latest_receipt_info", &latestReceiptInfo)
      try coder("pending_renewal_info", &pendingRenewalInfo)
    }
  }
}
