internal import ReceiptModels

extension AppStoreSimulator {
  /// Returns a transaction as Apple signs it at a moment.
  func transaction(_ simulated: SimulatedTransaction, at moment: SimulatedMoment) -> Transaction {
    var transaction = simulated.payload
    transaction.bundleID = bundleID
    transaction.appTransactionID = moment.appTransactionID
    transaction.environment = environment
    transaction.signedDate = moment.date
    return transaction
  }

  /// Returns the renewal info that Apple signs at a moment; nil for a purchase that does not renew.
  func renewalInfo(_ originalID: Int, at moment: SimulatedMoment) -> RenewalInfo? {
    guard let entry = moment.renewal(originalID), let latest = moment.latest(originalID) else {
      return nil
    }
    var info = RenewalInfo()
    info.originalTransactionID = entry.originalTransactionID
    info.productID = entry.productID
    info.autoRenewProductID = entry.autoRenewProductID
    info.appTransactionID = moment.appTransactionID
    info.advancedCommerceInfo = moment.advancedCommerce[originalID]
    info.appAccountToken = latest.appAccountToken
    info.autoRenewStatus = entry.autoRenewStatus
    info.expirationIntent = entry.expirationIntent
    info.isInBillingRetryPeriod = entry.isInBillingRetryPeriod
    info.gracePeriodExpiresDate = entry.gracePeriodExpiresDate
    info.priceIncreaseStatus = entry.priceConsentStatus
    info.recentSubscriptionStartDate = latest.originalPurchaseDate
    info.renewalDate = latest.expiresDate
    info.signedDate = moment.date
    info.environment = environment
    return info
  }
}

extension SimulatedTransaction {
  /// The transaction as Apple signs it, without the members that all transactions of an app share.
  fileprivate var payload: Transaction {
    var transaction = Transaction()
    transaction.transactionID = String(id)
    transaction.originalTransactionID = String(originalID)
    transaction.webOrderLineItemID = webOrderLineItemID.map { String($0) }
    transaction.appAccountToken = appAccountToken
    transaction.productID = product.id
    transaction.subscriptionGroupIdentifier = group
    transaction.type = type
    transaction.quantity = quantity
    transaction.inAppOwnershipType = ownership
    transaction.transactionReason = reason
    transaction.isUpgraded = isUpgraded ? true : nil
    transaction.purchaseDate = purchaseDate
    transaction.originalPurchaseDate = originalPurchaseDate
    transaction.expiresDate = expiresDate
    transaction.storefront = "USA"
    transaction.storefrontID = "143441"
    transaction.advancedCommerceInfo = advancedCommerceInfo
    addOffer(to: &transaction)
    guard let cancellationDate else { return transaction }
    transaction.revocationDate = cancellationDate
    transaction.revocationReason = cancellationReason
    transaction.revocationType =
      ownership == .familyShared ? .familyRevoke : revocationType ?? .refundFull
    transaction.revocationPercentage = revocationPercentage
    return transaction
  }

  private var type: ProductType {
    switch product.kind {
    case .consumable: .consumable
    case .nonConsumable: .nonConsumable
    case .nonRenewing: .nonRenewingSubscription
    case .autoRenewable: .autoRenewableSubscription
    }
  }

  private func addOffer(to transaction: inout Transaction) {
    switch offer {
    case .trial:
      transaction.offerType = .introductory
      transaction.offerDiscountType = .freeTrial
    case .introductory:
      transaction.offerType = .introductory
      transaction.offerDiscountType = .payAsYouGo
    case .promotional(let id):
      transaction.offerType = .promotional
      transaction.offerIdentifier = id
    case .code(let name):
      transaction.offerType = .offerCode
      transaction.offerIdentifier = name
    case nil: break
    }
  }
}
