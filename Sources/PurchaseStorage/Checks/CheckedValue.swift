internal import CreditPolicy
internal import EntitlementPolicy
internal import OrderPolicy
package import ReceiptModels

func check(_ field: StoredText.Field, _ text: String?) throws(StorageFailure) {
  guard let text, !fits(field, text) else { return }
  throw .invalidValue(field: field.name)
}

/// Throws unless the environment is Production or Sandbox.
func check(_ environment: AppStoreEnvironment) throws(StorageFailure) {
  guard environment == .production || environment == .sandbox else {
    throw .invalidValue(field: .evidence("environment"))
  }
}

func fits(_ field: StoredText.Field, _ text: String) -> Bool { StoredText.fits(text, field.shape) }

func fitting(_ field: StoredText.Field, _ texts: [String]) -> [String] {
  texts.allSatisfy { fits(field, $0) } ? texts : texts.filter { fits(field, $0) }
}

/// A value that is refused as a whole, before any of it is written, if one of its texts fits no row.
protocol CheckedValue {
  func checkTexts() throws(StorageFailure)
}

extension Array where Element: CheckedValue {
  func checkTexts() throws(StorageFailure) { for value in self { try value.checkTexts() } }
}

// MARK: Common

extension PurchaseRecord: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.transactionID, transactionID)
    try check(.originalTransactionID, originalTransactionID)
    try check(.productID, productID)
    try check(.planID, planID)
    try check(.subscriptionGroupID, subscriptionGroupID)
    try check(.webOrderLineItemID, webOrderLineItemID)
    try check(.offer, offer?.identifier)
    try check(.productType, productType?.rawValue)
    try check(.ownership, ownership?.rawValue)
    try check(.revocationType, revocationType?.rawValue)
    try check(.countryOrCurrency, currency)
    try check(.countryOrCurrency, country)
  }
}

extension RenewalRecord: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.originalTransactionID, originalTransactionID)
    try check(.productID, productID)
    try check(.autoRenewProductID, autoRenewProductID)
    try check(.offer, offer?.identifier)
    try check(.productID, commitment?.productID)
    try check(.planID, commitment?.planID)
  }
}

extension VerificationSession: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(environment)
    try check(.originalTransactionID, originalTransactionID)
    try check(.transactionID, transactionID)
    try check(.appItemID, appItemID)
    try check(.applicationVersion, applicationVersion)
    try check(.sessionBundleID, bundleID)
    try check(.downloadID, downloadID)
    try check(.originalApplicationVersion, originalApplicationVersion)
    try check(.receiptType, receiptType)
    try check(.versionExternalIdentifier, versionExternalIdentifier)
  }
}

extension StoredReceipt: CheckedValue {
  package func checkTexts() throws(StorageFailure) {
    try Self.checkKey(originalTransactionID, environment)
    try check(.receipt, receipt)
  }

  /// Throws `StorageFailure.invalidValue` unless these are the identifier of a purchase and one of two words, so
  /// that no input becomes a path or another key.
  package static func checkKey(
    _ originalTransactionID: String, _ environment: AppStoreEnvironment
  ) throws(StorageFailure) {
    try check(.originalTransactionID, originalTransactionID)
    try check(environment)
  }
}

extension HistoryRevision: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try StoredReceipt.checkKey(originalTransactionID, environment)
    try check(.revision, revision)
  }
}

extension PurchaseTransfer: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try StoredReceipt.checkKey(originalTransactionID, environment)
    try check(.presentOwner, previousOwner.rawValue)
    try check(.claimant, owner.rawValue)
  }
}

extension NotificationRecord: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.key, key)
    try check(environment)
    try check(.originalTransactionID, originalTransactionID)
    try check(.notificationType, notificationType)
    try check(.subtype, subtype)
    try check(.notificationUUID, notificationUUID)
    try check(.autoRenewProductID, autoRenewProductID)
  }
}

extension KeptNotification: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.key, key)
    if let environment { try check(environment) }
    try check(.signedPayload, signedPayload)
    try check(.path, path)
  }
}

extension ConsumptionCase: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.caseKey, key)
    try check(environment)
    try check(.transactionID, transactionID)
    try check(.originalTransactionID, originalTransactionID)
    try check(.productID, productID)
    try check(.caseReason, reason)
    try check(.pendingRefundToken, pendingRefundToken)
    try check(.answer, answer)
    try check(.answer, proposedAnswer)
    try check(.outcome, outcome)
  }
}

extension OutboxMessage: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.kind, kind.rawValue)
    try check(.originalTransactionID, originalTransactionID)
    try check(.tier, tier?.rawValue)
    try check(.reference, reference)
    try check(.messageBody, body)
  }
}

extension ParkingReason: CheckedValue {
  package func checkTexts() throws(StorageFailure) {
    try check(.cause, cause.rawValue)
    try check(.detail, detail)
  }
}

extension JobPlace: CheckedValue {
  // Of the lease alone; the place that it was read with is not written.
  func checkTexts() throws(StorageFailure) {
    try check(.job, job)
    try check(.token, token)
  }
}

// MARK: Subscriptions

extension Subscription: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(environment)
    try check(.originalTransactionID, originalTransactionID)
    try check(.lastTransactionID, lastTransactionID)
    try check(.productID, productID)
    try check(.tier, tier.rawValue)
    try check(.cycle, cycle.rawValue)
  }
}

// MARK: Credits

extension CreditTransaction: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.creditEnvironment, purchase.environment.rawValue)
    try check(.creditTransactionID, purchase.transactionID)
    try check(.creditOriginalID, purchase.originalTransactionID)
    try check(.bundleID, purchase.bundleID)
    try check(.productID, purchase.productID)
    try check(.creditUserID, userID?.rawValue)
    try check(.productCode, productCode)
    try check(.ledgerEventID, ledgerEventID)
  }
}

extension CreditNotification: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.uuid, uuid)
    try check(.creditNotificationType, type)
    try check(.creditSubtype, subtype)
    try check(.creditEnvironment, environment.rawValue)
    try check(.creditTransactionID, transactionID)
  }
}

// MARK: Entitlements

extension PurchaseAssociation: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(environment)
    try check(.originalTransactionID, originalTransactionID)
    try check(.userID, userID.rawValue)
    try check(.bundleID, bundleID)
    try check(.evidence, evidence.rawValue)
  }
}

extension AssociationConflict: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.originalTransactionID, originalTransactionID)
    try check(.presentOwner, owner.rawValue)
    try check(.claimant, claimant.rawValue)
  }
}

extension AcquiredProduct: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.acquiredProductID, productID)
    try check(.viaProductID, viaProductID)
  }
}

extension AppValidation: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.app, bundleID)
    try check(.lastFailure, lastFailure?.rawValue)
  }
}

extension UnansweredPurchase: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(environment)
    try check(.unansweredID, originalTransactionID)
  }
}

// MARK: Orders

extension OrderedSubscription: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.userID, userID.rawValue)
    try check(.levelName, levelName)
    try check(.vendor, vendor.rawValue)
    try check(environment)
    try purchaseKey.checkTexts()
    try check(.receiptData, receiptData)
  }
}

extension PurchaseKey: CheckedValue {
  package func checkTexts() throws(StorageFailure) {
    try check(.vendor, vendor.rawValue)
    // Rows don't have the environment of other purchases.
    if vendor == .apple { try check(.claimEnvironment, environment.rawValue) }
    try check(.purchaseKey, identifier)
  }

  package var isStorable: Bool { (try? checkTexts()) != nil }
}
