import JSONValues

extension PurchaseRecord {
  /// Creates a record from a transaction of verifyReceipt.
  ///
  /// Returns nil without identifiers of 1 to 64 digits and a product. The environment is not in the
  /// transaction, so set it afterwards.
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
      cancellationDate == nil && transaction.hasUnreadableCancellation
    revocationReason = transaction.cancellationReason
    // An unreadable flag counts as false, so that no paid period ends because of it.
    isUpgraded = transaction.isUpgraded ?? false
    isTrialPeriod = transaction.isTrialPeriod
    isInIntroOfferPeriod = transaction.isInIntroOfferPeriod
    // An absent flag, as the second one before 2017, is different from an unreadable one.
    hasUnreadableOffer =
      isTrialPeriod == nil && transaction.additionalMembers["is_trial_period"] != nil
      || isInIntroOfferPeriod == nil
        && transaction.additionalMembers["is_in_intro_offer_period"] != nil
    offer = PurchaseOffer(
      promotionalOfferID: transaction.promotionalOfferID,
      offerCodeRefName: transaction.offerCodeRefName)
  }

  /// Creates a record from a purchase in a local receipt.
  ///
  /// Receipts from Xcode lack the original identifier. The transaction is then its own original,
  /// and each renewal stands alone. Returns nil without identifiers of 1 to 64 digits and a
  /// product.
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

  /// Creates a record from a signed transaction.
  ///
  /// Returns nil without identifiers of 1 to 64 digits and a product.
  public init?(_ transaction: Transaction) {
    self.init(
      transactionID: transaction.transactionID,
      originalTransactionID: transaction.originalTransactionID, productID: transaction.productID)
    environment = transaction.environment
    planID = transaction.billingPlanType?.rawValue
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
    // As in verifyReceipt, a trial is not also an introductory offer.
    let isIntroductory = transaction.offerType == .introductory
    let discount = transaction.offerDiscountType
    isTrialPeriod = isIntroductory ? discount.map { $0 == .freeTrial } : false
    isInIntroOfferPeriod = isIntroductory && discount != .freeTrial
    offer = transaction.offerType.map {
      PurchaseOffer(type: $0, identifier: transaction.offerIdentifier)
    }
    commitment = transaction.commitmentInfo.flatMap(PurchaseCommitment.init)
    note(price: transaction.price, currency: transaction.currency)
    country = transaction.storefront.flatMap(CountryCode.twoLetters)
    revocationPercentage = transaction.revocationPercentage.flatMap {
      (0...100_000).contains($0) ? $0 : nil
    }
  }

  /// Takes over what another copy knows of the price, where this one tells none.
  package mutating func adoptPrice(of other: PurchaseRecord) {
    if price == nil { (price, currency) = (other.price, other.currency) }
    country = country ?? other.country
    revocationPercentage = revocationPercentage ?? other.revocationPercentage
  }

  /// Notes a price in thousandths of the currency unit; one without a currency is none, and so is one beyond
  /// ``prices``.
  package mutating func note(price: Int?, currency: String?) {
    guard let price, Self.prices.contains(price), let currency, currency.utf8.count == 3,
      currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { return }
    self.price = price
    self.currency = currency
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
  /// Whether this has a member that only subscriptions have, such as an expiry under any name.
  fileprivate var hasSignsOfSubscription: Bool {
    PurchaseRecord.isPurchaseEvent(webOrderLineItemID)
      || subscriptionGroupIdentifier?.utf8.isEmpty == false
      || isUpgraded != nil || isTrialPeriod == true || isInIntroOfferPeriod == true
      || hasContent(in: "is_upgraded") || hasContent(in: "web_order_line_item_id")
      || hasContent(in: "subscription_group_identifier")
      // This includes an empty expiry and the one in California time; permanent products have
      // neither.
      || additionalMembers.contains { $0.key.utf8.starts(with: "expires_date".utf8) }
  }

  /// Whether a cancellation date that could not be read has content.
  fileprivate var hasUnreadableCancellation: Bool {
    // Most transactions have a few other members, whose first letters are seen faster than two names are hashed.
    additionalMembers.keys.contains { $0.utf8.first == UInt8(ascii: "c") }
      && (hasContent(in: "cancellation_date_ms") || hasContent(in: "cancellation_date"))
  }

  /// Returns whether an unreadable member has content; empty text is no content.
  fileprivate func hasContent(in name: String) -> Bool {
    switch additionalMembers[name] {
    case nil, .null?: false
    case .string(let text)?: !text.utf8.isEmpty
    default: true
    }
  }
}
