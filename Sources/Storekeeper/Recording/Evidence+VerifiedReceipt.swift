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
  /// Nil without a transaction.
  init?(_ verified: VerifiedReceipt) {
    let response = verified.response
    let transactions = (response.latestReceiptInfo ?? []).compactMap { transaction in
      PurchaseRecord(transaction)?.stamped(verified.requestDate, verified.environment)
    }
    guard let latest = Self.latest(of: transactions) else { return nil }
    var renewals: [String: [RenewalRecord]] = [:]
    for transaction in transactions { renewals[transaction.originalTransactionID] = [] }
    for entry in response.pendingRenewalInfo ?? [] {
      guard let renewal = RenewalRecord(entry)?.stamped(verified.requestDate, verified.environment)
      else { continue }
      renewals[renewal.originalTransactionID]?.append(renewal)
    }
    self.init(
      environment: verified.environment, asOf: verified.requestDate,
      transactions: transactions.sorted { $0.transactionID < $1.transactionID },
      renewals: renewals, session: VerificationSession(verified, latest: latest),
      receipt: response.latestReceipt.flatMap { $0.utf8.isEmpty ? nil : $0 })
  }
}

extension PurchaseRecord {
  func stamped(_ asOf: Date, _ environment: AppStoreEnvironment) -> PurchaseRecord {
    var record = self
    record.signedDate = asOf
    record.environment = environment
    return record
  }
}

extension RenewalRecord {
  /// Nil without a product, which is part of the key of its row.
  func stamped(_ asOf: Date, _ environment: AppStoreEnvironment) -> RenewalRecord? {
    var record = self
    record.signedDate = asOf
    record.environment = environment
    record.productID = productID ?? autoRenewProductID
    return record.productID == nil ? nil : record
  }
}

extension VerificationSession {
  fileprivate init(_ verified: VerifiedReceipt, latest: PurchaseRecord) {
    self.init(
      environment: verified.environment, originalTransactionID: latest.originalTransactionID,
      transactionID: latest.transactionID, requestDate: verified.requestDate,
      responseStatus: verified.response.status.rawValue)
    let receipt = verified.response.receipt
    bundleID = verified.response.bundleID
    appItemID = receipt?.appItemID.map(String.init)
    applicationVersion = receipt?.applicationVersion
    downloadID = receipt?.downloadID.map(String.init)
    expirationDate = receipt?.expirationDate
    originalPurchaseDate = receipt?.originalPurchaseDate
    originalApplicationVersion = receipt?.originalApplicationVersion
    preorderDate = receipt?.preorderDate
    receiptCreationDate = receipt?.receiptCreationDate
    receiptType = receipt?.receiptType?.rawValue
    versionExternalIdentifier = receipt?.versionExternalIdentifier.map(String.init)
  }
}
