internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Evidence {
  /// What verifyReceipt says: the transactions of `latest_receipt_info`, and for each of their
  /// original ids the renewal entries, none included.
  ///
  /// - Throws: ``SubscriptionFailure/verification(_:)`` unless the status is 0, a transaction is there,
  ///   and Apple says when it spoke; by our clock a stale answer could beat a newer one.
  init(_ verified: VerifiedReceipt) throws(SubscriptionFailure) {
    let response = verified.response
    guard response.status == .valid else {
      throw .verification(.transient(.unknownStatus(response.status)))
    }
    guard let asOf = response.requestDate?.stamp else {
      let missing = FieldTypeFailure(
        path: "receipt.request_date_ms", expected: .number, found: .absent)
      throw .verification(.transient(.answerMalformed(missing)))
    }
    let transactions = (response.latestReceiptInfo ?? []).compactMap { transaction in
      PurchaseRecord(transaction)?.stamped(asOf, verified.environment)
    }
    let ranked = transactions.max {
      PurchaseRank($0, end: $0.expiresDate) < PurchaseRank($1, end: $1.expiresDate)
    }
    guard let latest = ranked else {
      throw .verification(.refused(.noSubscriptions))
    }
    var renewals: [String: [String: RenewalRecord]] = [:]
    for transaction in transactions { renewals[transaction.originalTransactionID] = [:] }
    for entry in response.pendingRenewalInfo ?? [] {
      guard let renewal = RenewalRecord(entry)?.stamped(asOf, verified.environment),
        let product = renewal.productID
      else { continue }
      // Of two entries for one product the first counts.
      let id = renewal.originalTransactionID
      if renewals[id]?[product] == nil { renewals[id]?[product] = renewal }
    }
    self.init(
      environment: verified.environment, asOf: asOf,
      transactions: transactions.sorted { $0.transactionID < $1.transactionID },
      renewals: .complete(renewals.mapValues { $0.sorted { $0.key < $1.key }.map(\.value) }),
      session: VerificationSession(verified, latest: latest, asOf: asOf),
      receipt: response.latestReceipt.flatMap { StoredText.fits($0, .receipt) ? $0 : nil })
  }
}

extension PurchaseRecord {
  /// With Apple's stamp; what no column can hold of what may be missing becomes nil (contract on
  /// linking, section 4.1).
  func stamped(_ asOf: Date, _ environment: AppStoreEnvironment) -> PurchaseRecord {
    var record = self
    record.signedDate = asOf
    record.environment = environment
    record.webOrderLineItemID = webOrderLineItemID.fitting(.other)
    record.offer?.identifier = offer?.identifier.fitting(.other)
    return record
  }
}

extension RenewalRecord {
  /// The same; nil without a product, which is part of the key of its row.
  func stamped(_ asOf: Date, _ environment: AppStoreEnvironment) -> RenewalRecord? {
    var record = self
    record.signedDate = asOf
    record.environment = environment
    record.autoRenewProductID = autoRenewProductID.fitting(.productID)
    record.productID = productID.fitting(.productID) ?? record.autoRenewProductID
    record.offer?.identifier = offer?.identifier.fitting(.other)
    return record.productID == nil ? nil : record
  }
}

extension String? {
  /// Nil for a text that no column can hold, and for an empty one.
  func fitting(_ shape: StoredText.Shape) -> String? {
    flatMap { $0.utf8.isEmpty || !StoredText.fits($0, shape) ? nil : $0 }
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
