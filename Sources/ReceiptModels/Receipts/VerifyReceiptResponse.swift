public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An answer of verifyReceipt, in the style of iOS 7 or iOS 6.
///
/// Only ``status`` is required. Scalars are read from strings, numbers and Booleans alike; an
/// unreadable one is nil and is kept in ``additionalMembers``. The answer is proof only if it came
/// from Apple's own server. Its environment is that of the server; ``environment`` is missing in
/// old answers and in errors.
///
/// Source: Apple, `responseBody` of verifyReceipt; App Store rules, section 5.4.
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
}

extension VerifyReceiptResponse {
  public var style: ReceiptStyle? {
    if receipt != nil { .iOS7 } else if transactionReceipt != nil { .iOS6 } else { nil }
  }

  public var bundleID: String? { receipt?.bundleID ?? transactionReceipt?.bundleID }

  /// The date of Apple's answer, which is the current date for rules about this answer.
  ///
  /// Only answers in the style of iOS 7 have it.
  public var requestDate: Date? { receipt?.requestDate }
}
