public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A server notification of version 1: a hint that a receipt should be verified again.
///
/// It is not signed. Its only proof is ``password``, to be compared in constant time. After that
/// the state follows only from verifying ``latestReceipt``, and from nothing else in the
/// notification. Scalars and dates are read as in ``ReceiptTransaction``. Neither the password nor
/// a receipt is ever printed. Source: Apple, `responseBodyV1`; App Store rules, section 7.3.
public struct ServerNotificationV1: FieldModel {
  public var notificationType: NotificationTypeV1?
  public var password: String?
  /// The environment as Apple spells it in this version: `PROD` or `Sandbox`.
  public var environmentText: String?
  /// The identifier of the app (`bid`).
  public var bundleID: String?
  /// The version of the app (`bvrs`).
  public var bundleVersion: String?
  /// The identifier of the first charge.
  public var originalTransactionID: String?
  public var webOrderLineItemID: String?
  /// Apple's number of the product that will renew.
  public var autoRenewAdamID: String?
  public var autoRenewProductID: String?
  public var autoRenewStatus: Bool?
  public var autoRenewStatusChangeDate: Date?
  /// The date on which Apple refunded or revoked the purchase.
  public var cancellationDate: Date?
  public var expirationIntent: ExpirationIntent?
  public var unifiedReceipt: UnifiedReceipt?
  public var additionalMembers: [String: JSONValue] = [:]
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

  /// The environment in any spelling, including `PROD`, or nil for any other text.
  public var environment: AppStoreEnvironment? {
    environmentText.flatMap { AppStoreEnvironment(anyCase: $0) }
  }

  /// The receipt to verify again in base64, or nil if absent or empty.
  public var latestReceipt: String? {
    unifiedReceipt?.latestReceipt.flatMap { $0.utf8.isEmpty ? nil : $0 }
  }

  /// The receipt in a notification, with its contents according to Apple.
  ///
  /// Source: Apple, `unified_receipt`; App Store rules, section 7.3.
  public struct UnifiedReceipt: FieldModel {
    public var environment: AppStoreEnvironment?
    /// The status of the receipt, which may be missing.
    public var status: VerifyReceiptStatus?
    /// The newest receipt in base64; never printed.
    public var latestReceipt: String?
    /// The newest 100 transactions, in no particular order.
    public var latestReceiptInfo: [ReceiptTransaction]?
    public var pendingRenewalInfo: [PendingRenewal]?
    public var additionalMembers: [String: JSONValue] = [:]
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
