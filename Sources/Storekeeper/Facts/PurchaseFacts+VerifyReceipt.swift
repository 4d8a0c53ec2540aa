internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Creates the facts of an answer of verifyReceipt: the transactions of `latest_receipt_info`,
  /// and all renewal entries with their original transaction IDs.
  ///
  /// The date is always Apple's. With the local clock, an outdated answer could overwrite a newer
  /// one.
  ///
  /// - Throws: ``SubscriptionFailure/verification(_:)`` if the status is not 0, there is no
  ///   transaction, or the answer has no date.
  public init(_ verified: VerifiedReceipt) throws(SubscriptionFailure) {
    let response = verified.response
    guard response.status == .valid else {
      throw .verification(.transient(.unknownStatus(response.status)))
    }
    guard let asOf = response.requestDate?.stamp else {
      let missing = FieldTypeFailure(
        path: "receipt.request_date_ms", expected: .number, found: .absent)
      throw .verification(.transient(.answerMalformed(missing)))
    }
    let purchases = (response.latestReceiptInfo ?? []).compactMap { transaction in
      PurchaseRecord(transaction)?.stamped(asOf, verified.environment)
    }
    guard let latest = purchases.max(by: PurchaseRank.areInOrder) else {
      throw .verification(.refused(.noSubscriptions))
    }
    self.init(
      .verifyReceipt, .all, environment: verified.environment, asOf: asOf, purchases: purchases,
      renewals: Self.renewals(of: response, for: purchases, asOf, verified.environment))
    session = VerificationSession(verified, latest: latest, asOf: asOf)
    receipt = response.latestReceipt.flatMap { StoredText.fits($0, .receipt) ? $0 : nil }
  }

  /// Returns the renewal entries with the purchases' original transaction IDs, ordered by product.
  ///
  /// If a product has two entries, the first one counts.
  private static func renewals(
    of response: VerifyReceiptResponse, for purchases: [PurchaseRecord], _ asOf: Date,
    _ environment: AppStoreEnvironment
  ) -> [RenewalRecord] {
    var seen: Set<[String]> = []
    let ids = Set(purchases.map(\.originalTransactionID))
    let renewals = (response.pendingRenewalInfo ?? []).compactMap { entry -> RenewalRecord? in
      guard let renewal = RenewalRecord(entry)?.stamped(asOf, environment),
        ids.contains(renewal.originalTransactionID), let product = renewal.productID,
        seen.insert([renewal.originalTransactionID, product]).inserted
      else { return nil }
      return renewal
    }
    return renewals.sorted { ($0.productID ?? "") < ($1.productID ?? "") }
  }
}

extension PurchaseRank {
  /// Returns whether the second of two purchases ranks above the first.
  fileprivate static func areInOrder(_ one: PurchaseRecord, _ other: PurchaseRecord) -> Bool {
    PurchaseRank(one, end: one.expiresDate) < PurchaseRank(other, end: other.expiresDate)
  }
}

extension VerificationSession {
  fileprivate init(_ verified: VerifiedReceipt, latest: PurchaseRecord, asOf: Date) {
    self.init(
      environment: verified.environment, originalTransactionID: latest.originalTransactionID,
      transactionID: latest.transactionID, requestDate: asOf,
      responseStatus: verified.response.status.rawValue)
    let receipt = verified.response.receipt
    bundleID = verified.response.bundleID.fitting(.other)
    appItemID = receipt?.appItemID.map(String.init)
    applicationVersion = receipt?.applicationVersion.fitting(.other)
    downloadID = receipt?.downloadID.map(String.init)
    expirationDate = receipt?.expirationDate
    originalPurchaseDate = receipt?.originalPurchaseDate
    originalApplicationVersion = receipt?.originalApplicationVersion.fitting(.other)
    preorderDate = receipt?.preorderDate
    receiptCreationDate = receipt?.receiptCreationDate
    receiptType = (receipt?.receiptType?.rawValue).fitting(.other)
    versionExternalIdentifier = receipt?.versionExternalIdentifier.map(String.init)
  }
}
