internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension VerificationSession {
  /// The values of `session_record`, in its order.
  func row(now: Date) -> [SQLValue] {
    [
      .environment(environment), .text(originalTransactionID), .text(transactionID),
      .name(appItemID), .name(applicationVersion), .name(bundleID), .name(downloadID),
      .milliseconds(expirationDate), .milliseconds(originalPurchaseDate),
      .name(originalApplicationVersion), .milliseconds(preorderDate),
      .milliseconds(receiptCreationDate), .name(receiptType), .milliseconds(requestDate),
      .number(responseStatus), .name(versionExternalIdentifier), .seconds(now),
    ]
  }
}

extension NotificationRecord {
  /// The values of `notification_record`, in its order.
  func row(now: Date) -> [SQLValue] {
    [
      .text(key), .environment(environment), .name(originalTransactionID),
      .text(notificationType), .name(subtype), .name(notificationUUID),
      .name(autoRenewProductID), .flag(autoRenewStatus),
      .milliseconds(autoRenewStatusChangeDate), .number(expirationIntent),
      .number(responseStatus), .seconds(now),
    ]
  }
}
