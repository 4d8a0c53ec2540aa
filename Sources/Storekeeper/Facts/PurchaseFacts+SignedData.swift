public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Creates the facts of a signed transaction and, if given, its renewal info.
  ///
  /// Whether the certificates were revoked is not checked; see
  /// ``/JWSVerifier/SignedDataVerifier/checkingRevocation(of:)``.
  public init(
    _ transaction: Verified<Transaction>, renewalInfo: Verified<RenewalInfo>? = nil
  ) throws(FactsFailure) {
    try self.init(
      transaction, renewalInfo, signedDate: transaction.signedDate ?? renewalInfo?.signedDate,
      by: .signedTransaction)
    if let renewalInfo {
      guard renewalInfo.environment == transaction.environment,
        renewals.allSatisfy({ $0.originalTransactionID == originalTransactionIDs.first })
      else { throw .renewalInfoOfOtherSubscription }
    }
  }

  /// Creates the facts of the purchase in a notification, of any kind of product.
  init(_ notification: Verified<NotificationContent>) throws(FactsFailure) {
    guard let transaction = notification.payload.transaction else { throw .empty }
    let isSubscription = transaction.payload.type == .autoRenewableSubscription
    try self.init(
      transaction, isSubscription ? notification.payload.renewalInfo : nil,
      signedDate: transaction.signedDate ?? notification.signedDate, by: .notification)
  }

  private init(
    _ transaction: Verified<Transaction>, _ renewalInfo: Verified<RenewalInfo>?,
    signedDate: Date?, by voucher: Voucher
  ) throws(FactsFailure) {
    try Self.check(transaction.environment)
    guard let asOf = signedDate?.stamp,
      let record = PurchaseRecord(transaction.payload)?.stamped(asOf, transaction.environment)
    else { throw .malformedTransaction }
    let renewal = renewalInfo.flatMap { renewal in
      RenewalRecord(renewal.payload)?.stamped(
        renewal.signedDate?.stamp ?? asOf, transaction.environment)
    }
    self.init(
      voucher, .single, environment: transaction.environment, asOf: asOf, purchases: [record],
      renewals: renewal.map { [$0] } ?? [])
    if let previous = transaction.payload.previousOriginalTransactionID,
      TransactionIDs.areDigits(previous), previous != record.originalTransactionID
    {
      moves = [record.originalTransactionID: [previous]]
    }
  }
}
