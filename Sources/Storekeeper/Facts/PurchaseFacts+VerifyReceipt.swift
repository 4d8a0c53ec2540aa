internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The purchases of an answer of verifyReceipt that its facts have.
///
/// A receipt has two sets of facts, and not one, as rows of memberships would change with those of entitlements.
public enum ReceiptExtent: Hashable, Sendable, CaseIterable {
  /// The transactions of `latest_receipt_info` and all renewal entries with their original transaction IDs, for
  /// memberships (linking rules, section 4.6).
  case subscriptions
  /// Also the transactions of the receipt itself, but for charges of a subscription that it alone has, for
  /// entitlements (entitlement rules, section 4; App Store rules, section 5.5).
  case allPurchases
}

extension PurchaseFacts {
  /// Creates the facts of an answer of verifyReceipt.
  ///
  /// The date is always Apple's: that of the answer or, for all purchases, else that of the receipt. With the local
  /// clock, an outdated answer could overwrite a newer one. With all purchases, `posted`, the receipt that was asked
  /// about, is kept if the answer has none; Apple returns one for subscriptions only.
  ///
  /// - Throws: ``EvidenceFailure/verifyReceipt(_:)`` if the status is not 0 or, for all purchases, 21006, if the
  ///   answer has no date or no subscription; ``EvidenceFailure/facts(_:)`` if it has no purchase at all.
  public init(
    _ verified: VerifiedReceipt, _ extent: ReceiptExtent = .subscriptions, posted: String? = nil
  ) throws(EvidenceFailure) {
    let (response, isAll) = (verified.response, extent == .allPurchases)
    guard response.status == .valid || isAll && response.status == .subscriptionExpired else {
      throw .verifyReceipt(.transient(.unknownStatus(response.status)))
    }
    let created = isAll ? response.receipt?.receiptCreationDate : nil
    guard let asOf = (response.requestDate ?? created)?.stamp else {
      let missing = FieldTypeFailure(
        path: "receipt.request_date_ms", expected: .number, found: .absent)
      throw .verifyReceipt(.transient(.answerMalformed(missing)))
    }
    let histories = isAll ? verified.purchaseHistories : []
    let records =
      isAll
      ? histories.flatMap(\.transactions).filter { !$0.isOutdated }
      : (response.latestReceiptInfo ?? []).compactMap { PurchaseRecord($0) }
    let purchases = records.map { $0.stamped(asOf, verified.environment) }
    guard let latest = purchases.max(by: PurchaseRank.areInOrder) else {
      throw isAll ? .facts(.empty) : .verifyReceipt(.refused(.noSubscriptions))
    }
    self.init(
      .verifyReceipt, .all, environment: verified.environment, asOf: asOf, purchases: purchases,
      renewals: isAll
        ? histories.flatMap(\.renewals).compactMap { $0.stamped(asOf, verified.environment) }
        : Self.renewals(of: response, for: purchases, asOf, verified.environment))
    receipt = (response.latestReceipt ?? (isAll ? posted : nil)).fitting(.receipt)
    session = isAll ? nil : VerificationSession(verified, latest: latest, asOf: asOf)
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
