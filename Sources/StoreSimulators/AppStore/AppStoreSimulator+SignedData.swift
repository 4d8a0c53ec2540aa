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
    if latest.group.map(moment.lapsedGroups.contains) ?? false, !latest.isShared,
      !latest.product.winBackOffers.isEmpty
    {
      info.eligibleWinBackOfferIDs = latest.product.winBackOffers
    }
    if let next = moment.upcoming[originalID] { add(next, to: &info) }
    return info
  }

  private func add(_ next: SimulatedRenewal, to info: inout RenewalInfo) {
    if let offer = next.offer {
      (info.offerType, info.offerIdentifier, info.offerDiscountType) = offer.members
    }
    info.renewalBillingPlanType = next.nextPlan
    let nextPrice =
      next.renewalPlan == .monthly
      ? products.first { $0.id == next.renewalProductID }?.commitmentPrice : nil
    info.renewalPrice =
      next.isCommitted
      ? next.commitment?.periodPrice : nextPrice.map { $0 / SimulatedCommitment.periods }
    guard let commitment = next.commitment else { return }
    var renewal = RenewalCommitmentInfo()
    renewal.commitmentAutoRenewProductID = next.renewalProductID
    renewal.commitmentAutoRenewStatus = next.isOn ? .on : .off
    renewal.commitmentRenewalBillingPlanType = next.renewalPlan
    renewal.commitmentRenewalDate = commitment.end
    renewal.commitmentRenewalPrice = nextPrice
    info.commitmentInfo = renewal
    info.currency = Self.currency
  }

  /// The currency of the prices that a simulator knows.
  static let currency = "USD"
}

extension TestOffer {
  /// The type, the identifier and the kind of discount, as Apple signs them.
  var members: (OfferType, String?, OfferDiscountType?) {
    switch self {
    case .trial: (.introductory, nil, .freeTrial)
    case .introductory: (.introductory, nil, .payAsYouGo)
    case .promotional(let id): (.promotional, id, nil)
    case .code(let name): (.offerCode, name, nil)
    case .winBack(let id): (.winBack, id, nil)
    }
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
    if let offer {
      (transaction.offerType, transaction.offerIdentifier, transaction.offerDiscountType) =
        offer.members
    }
    transaction.billingPlanType = plan
    if let price = product.price {
      transaction.price = transaction.offerDiscountType == .freeTrial ? 0 : price * quantity
      transaction.currency = AppStoreSimulator.currency
    }
    if let commitment {
      transaction.commitmentInfo = commitment.info
      transaction.price = commitment.periodPrice
      transaction.currency = AppStoreSimulator.currency
    }
    guard let cancellationDate else { return transaction }
    transaction.revocationDate = cancellationDate
    transaction.revocationReason = cancellationReason
    transaction.revocationType = kindOfRevocation
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

  private var kindOfRevocation: RevocationType {
    switch ownership {
    case .familyShared: .familyRevoke
    case .assigned: .assignmentRevoke
    default: revocationType ?? .refundFull
    }
  }
}
