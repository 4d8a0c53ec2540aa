import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseRecord {
  /// What verifyReceipt says of a transaction.
  ///
  /// Nil without identifiers of 1 to 64 digits and a product. The environment is not in the
  /// transaction; set it afterwards.
  ///
  /// - Parameter transaction: An element of `in_app` or `latest_receipt_info`, or an iOS 6 receipt.
  public init?(_ transaction: ReceiptTransaction) {
    self.init(
      transactionID: transaction.transactionID,
      originalTransactionID: transaction.originalTransactionID, productID: transaction.productID)
    subscriptionGroupID = Self.groupID(transaction.subscriptionGroupIdentifier)
    webOrderLineItemID = transaction.webOrderLineItemID
    appAccountToken = transaction.appAccountToken
    quantity = transaction.quantity ?? 1
    ownership = transaction.inAppOwnershipType
    purchaseDate = transaction.purchaseDate
    originalPurchaseDate = transaction.originalPurchaseDate
    expiresDate = transaction.expiresDate
    hasUnreadableExpiry = expiresDate == nil && transaction.hasSignsOfSubscription
    cancellationDate = transaction.cancellationDate
    hasUnreadableCancellation =
      cancellationDate == nil
      && (transaction.hasContent(in: "cancellation_date_ms")
        || transaction.hasContent(in: "cancellation_date"))
    revocationReason = transaction.cancellationReason
    // A flag that cannot be read is null, which ends nothing that somebody paid for.
    isUpgraded = transaction.isUpgraded ?? false
    isTrialPeriod = transaction.isTrialPeriod
    isInIntroOfferPeriod = transaction.isInIntroOfferPeriod
    // Absent, as the second flag was before 2017, is another matter than unreadable.
    hasUnreadableOffer =
      isTrialPeriod == nil && transaction.additionalMembers["is_trial_period"] != nil
      || isInIntroOfferPeriod == nil
        && transaction.additionalMembers["is_in_intro_offer_period"] != nil
    offer = PurchaseOffer(
      promotionalOfferID: transaction.promotionalOfferID,
      offerCodeRefName: transaction.offerCodeRefName)
  }

  /// What a local receipt says of a purchase.
  ///
  /// Receipts of Xcode lack the original identifier; then the transaction is its own original, so
  /// that each renewal stands alone. Nil without identifiers of 1 to 64 digits and a product.
  ///
  /// - Parameters:
  ///   - purchase: A purchase of a receipt.
  ///   - environment: That of the receipt.
  public init?(_ purchase: AppReceipt.Purchase, environment: AppStoreEnvironment?) {
    self.init(
      transactionID: purchase.transactionID,
      originalTransactionID: purchase.originalTransactionID, productID: purchase.productID)
    self.environment = environment
    productType = purchase.productType.flatMap(Self.productType)
    webOrderLineItemID = purchase.webOrderLineItemID.flatMap { $0 == 0 ? nil : String($0) }
    quantity = purchase.quantity ?? 1
    purchaseDate = purchase.purchaseDate
    originalPurchaseDate = purchase.originalPurchaseDate
    expiresDate = purchase.expiresDate
    hasUnreadableExpiry =
      expiresDate == nil && productType != .nonRenewingSubscription
      && (productType == .autoRenewableSubscription || webOrderLineItemID != nil)
    cancellationDate = purchase.cancellationDate
    isTrialPeriod = purchase.isTrialPeriod
    isInIntroOfferPeriod = purchase.isInIntroOfferPeriod
    offer = PurchaseOffer(promotionalOfferID: purchase.promotionalOfferID, offerCodeRefName: nil)
  }

  /// What Apple signed about a transaction.
  ///
  /// Nil without identifiers of 1 to 64 digits and a product.
  ///
  /// - Parameter transaction: A transaction; take it from a verified one.
  public init?(_ transaction: Transaction) {
    self.init(
      transactionID: transaction.transactionID,
      originalTransactionID: transaction.originalTransactionID, productID: transaction.productID)
    environment = transaction.environment
    productType = transaction.type
    subscriptionGroupID = Self.groupID(transaction.subscriptionGroupIdentifier)
    webOrderLineItemID = transaction.webOrderLineItemID
    appAccountToken = transaction.appAccountToken
    quantity = transaction.quantity ?? 1
    ownership = transaction.inAppOwnershipType
    purchaseDate = transaction.purchaseDate
    originalPurchaseDate = transaction.originalPurchaseDate
    expiresDate = transaction.expiresDate
    hasUnreadableExpiry =
      expiresDate == nil
      && (productType == .autoRenewableSubscription
        || productType == nil
          && (Self.isPurchaseEvent(webOrderLineItemID) || subscriptionGroupID != nil))
    signedDate = transaction.signedDate
    cancellationDate = transaction.revocationDate
    revocationReason = transaction.revocationReason
    revocationType = transaction.revocationType
    isUpgraded = transaction.isUpgraded ?? false
    // As verifyReceipt has it: a trial is not counted as an introductory offer a second time.
    let isIntroductory = transaction.offerType == .introductory
    let discount = transaction.offerDiscountType
    isTrialPeriod = isIntroductory ? discount.map { $0 == .freeTrial } : false
    isInIntroOfferPeriod = isIntroductory && discount != .freeTrial
    offer = transaction.offerType.map {
      PurchaseOffer(type: $0, identifier: transaction.offerIdentifier)
    }
  }

  private static func productType(_ type: AppReceiptProductType) -> ProductType? {
    switch type {
    case .nonConsumable: .nonConsumable
    case .consumable: .consumable
    case .nonRenewingSubscription: .nonRenewingSubscription
    case .autoRenewableSubscription, .freeSubscription: .autoRenewableSubscription
    default: nil
    }
  }
}

extension ReceiptTransaction {
  /// Whether this has what only a subscription has, an expiry under any name or anything else.
  fileprivate var hasSignsOfSubscription: Bool {
    PurchaseRecord.isPurchaseEvent(webOrderLineItemID)
      || subscriptionGroupIdentifier?.utf8.isEmpty == false
      || isUpgraded != nil || isTrialPeriod == true || isInIntroOfferPeriod == true
      || hasContent(in: "is_upgraded") || hasContent(in: "web_order_line_item_id")
      || hasContent(in: "subscription_group_identifier")
      // Also an empty one, and the one in the zone of California: products for good have none.
      || additionalMembers.contains { $0.key.utf8.starts(with: "expires_date".utf8) }
  }

  /// Whether a member that could not be read says something; an empty text says nothing.
  fileprivate func hasContent(in name: String) -> Bool {
    switch additionalMembers[name] {
    case nil, .null?: false
    case .string(let text)?: !text.utf8.isEmpty
    default: true
    }
  }
}
