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
