public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Apple's answer to a verifyReceipt request, in the styles of iOS 7 and of iOS 6.
///
/// Only ``status`` is required. Scalars are read from strings, numbers and Booleans alike; one that
/// cannot be read is nil and is kept among the ``additionalMembers``. The answer proves something
/// only if it came from Apple's own server. The environment is that of the server that answered;
/// ``environment`` is missing in old answers and in errors.
///
/// Source: Apple, `responseBody` of verifyReceipt; contract on signed data, section 5.4.
public struct VerifyReceiptResponse: FieldModel {
  /// What Apple says of the receipt as a whole.
  public var status: VerifyReceiptStatus = .valid
  /// Where the receipt was issued.
  public var environment: AppStoreEnvironment?
  /// The app receipt, in the style of iOS 7.
  public var receipt: Receipt?
  /// The transaction, in the style of iOS 6.
  public var transactionReceipt: ReceiptTransaction?
  /// The newest receipt in base64, with which to ask again; not printed.
  public var latestReceipt: String?
  /// The transactions up to now, in no certain order; nil when absent, as without a shared secret.
  public var latestReceiptInfo: [ReceiptTransaction]?
  /// The last transaction of an expired subscription, in the style of iOS 6 with status 21006.
  public var latestExpiredReceiptInfo: [ReceiptTransaction]?
  /// The coming or failed renewals.
  public var pendingRenewalInfo: [PendingRenewal]?
  /// Whether Apple advises to ask again; sent with 21100 to 21199.
  public var isRetryable: Bool?

  // MARK: Only in the style of iOS 6

  /// Whether the subscription will renew by itself.
  public var autoRenewStatus: AutoRenewStatus?
  /// The product that will renew.
  public var autoRenewProductID: String?
  /// Why the subscription ended, once it has.
  public var expirationIntent: ExpirationIntent?
  /// Whether Apple is still trying to charge the renewal.
  public var isInBillingRetryPeriod: Bool?
  /// Why Apple refunded or revoked the purchase.
  public var cancellationReason: RevocationReason?

  /// Members that this version does not know, and what could not be read.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Where Apple sent one object instead of an array, and which spelling of is-retryable.
  private var form = Form()

  package init() {}

  /// An answer with a status.
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
}

extension VerifyReceiptResponse {
  /// The style of the receipt, or nil without a receipt.
  public var style: ReceiptStyle? {
    if receipt != nil { .iOS7 } else if transactionReceipt != nil { .iOS6 } else { nil }
  }

  /// The app that the receipt is for, in either style.
  public var bundleID: String? { receipt?.bundleID ?? transactionReceipt?.bundleID }

  /// When Apple answered: the present moment for rules about this answer; only in the style of
  /// iOS 7.
  public var requestDate: Date? { receipt?.requestDate }
}
