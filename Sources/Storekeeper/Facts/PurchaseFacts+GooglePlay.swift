internal import GooglePlayVerifier
internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Google's purchases beside Apple's. A purchase token takes the place of an original transaction ID, and an
// order that of a transaction. License testers buy in the Sandbox.
//
// Source: Google Play rules, section 3.1.
extension PurchaseFacts {
  /// Creates the facts of Google's answer about a subscription.
  ///
  /// Every item that the user owns is a purchase under the ID of its latest order. Google names no date of a
  /// renewal, so only the date of the first charge is known.
  ///
  /// - Throws: ``FactsFailure/empty`` if nothing was paid yet, or if the state is unknown;
  ///   ``FactsFailure/malformedTransaction`` if no identifier can be stored.
  init(
    _ subscription: SubscriptionPurchaseV2, token: String, asOf: Date
  ) throws(FactsFailure) {
    guard let isRunning = subscription.isRunning else { throw .empty }
    let (asOf, environment) = (asOf.stamp, AppStoreEnvironment(isTest: subscription.isTest))
    let mark = subscription.accountMark
    let items = subscription.ownedLineItems(at: asOf)
    // While another item runs, one that is past its end was not renewed.
    let hasRunningItem = isRunning && items.contains { $0.expiryTime.map { asOf < $0 } ?? false }
    var purchases: [String: PurchaseRecord] = [:]
    var renewals: [RenewalRecord] = []
    for item in items {
      guard
        var purchase = PurchaseRecord(
          token: token, orderID: subscription.orderID(of: item), productID: item.productID)
      else { continue }
      purchase.planID = item.offerDetails?.basePlanID
      purchase.note(item.offerPhase, of: item.offerDetails?.offerID)
      purchase.note(priceOf: item)
      purchase.country = subscription.regionCode.flatMap(CountryCode.twoLetters)
      purchase.commitment = item.autoRenewingPlan?.installmentDetails.map(
        PurchaseCommitment.init)
      purchase.productType = .autoRenewableSubscription
      purchase.originalPurchaseDate = subscription.startTime?.stamp
      purchase.expiresDate = item.expiryTime?.stamp
      // Google has ended it, so that the days of grace for a late renewal do not count.
      let isOver = hasRunningItem && item.expiryTime.map { $0 <= asOf } ?? false
      purchase.cancellationDate =
        isRunning && !isOver ? nil : min(item.expiryTime?.stamp ?? asOf, asOf)
      purchase.hasUnreadableExpiry = item.expiryTime == nil
      purchase.appAccountToken = mark.flatMap { UUID(uuidString: $0) }
      purchases[purchase.transactionID] = purchase.stamped(asOf, environment)
      if let renewal = RenewalRecord(item, of: purchase, in: subscription)?
        .stamped(asOf, environment)
      {
        renewals.append(renewal)
      }
    }
    guard !purchases.isEmpty else { throw items.isEmpty ? .empty : .malformedTransaction }
    self.init(
      .googlePlay, .single, environment: environment, asOf: asOf,
      purchases: Array(purchases.values), renewals: renewals)
    accountMark = mark
    needsAcknowledgement = isRunning && subscription.acknowledgementState == .pending
    receipt = StoredText.fits(token, .receipt) ? token : nil
    endDate = isRunning ? nil : self.purchases.compactMap(\.cancellationDate).max()
    if let linked = subscription.replacedToken, let id = TransactionIDs.googleOriginal(of: linked),
      let own = originalTransactionIDs.first, id != own
    {
      moves = [own: [id]]
      continuedToken = linked
      replacementDate = subscription.startTime?.stamp ?? asOf
    }
  }

  /// Creates the facts of Google's answer about a purchase of one-time products.
  ///
  /// Google does not say whether a product is consumable, nor when a purchase was canceled.
  ///
  /// - Throws: As the initializer for subscriptions.
  init(_ purchase: ProductPurchaseV2, token: String, asOf: Date) throws(FactsFailure) {
    let isCancelled: Bool
    switch purchase.purchaseState {
    case .purchased?: isCancelled = false
    case .cancelled?: isCancelled = true
    default: throw .empty
    }
    let (asOf, environment) = (asOf.stamp, AppStoreEnvironment(isTest: purchase.isTest))
    let mark = purchase.obfuscatedExternalAccountID
    var records: [String: PurchaseRecord] = [:]
    for item in purchase.productLineItems {
      guard
        var record = PurchaseRecord(
          token: token, orderID: purchase.orderID, productID: item.productID)
      else { continue }
      record.quantity = item.productOfferDetails?.quantity ?? 1
      record.country = purchase.regionCode.flatMap(CountryCode.twoLetters)
      record.purchaseDate = purchase.purchaseCompletionTime?.stamp
      record.originalPurchaseDate = record.purchaseDate
      record.hasUnreadableCancellation = isCancelled
      record.appAccountToken = mark.flatMap { UUID(uuidString: $0) }
      records[record.transactionID] = record.stamped(asOf, environment)
    }
    guard !records.isEmpty else {
      throw purchase.productLineItems.isEmpty ? .empty : .malformedTransaction
    }
    self.init(
      .googlePlay, .single, environment: environment, asOf: asOf,
      purchases: Array(records.values), renewals: [])
    accountMark = mark
    needsAcknowledgement = !isCancelled && purchase.acknowledgementState == .pending
    receipt = StoredText.fits(token, .receipt) ? token : nil
  }
}

extension AppStoreEnvironment {
  fileprivate init(isTest: Bool) { self = isTest ? .sandbox : .production }
}

extension TransactionIDs {
  /// The identifier that stands for a purchase token: its SHA-256, as a token is too long for a key.
  package static func googleOriginal(of token: String) -> String? {
    guard let digest = try? SHA256.digest(of: Array(token.utf8)) else { return nil }
    return google(hexadecimal(digest))
  }
}

extension PurchaseRecord {
  /// Creates a record of an order; nil if its identifiers cannot be stored.
  ///
  /// An order may have several products. A purchase with a promotion code may have no order.
  fileprivate init?(token: String, orderID: String?, productID: String) {
    guard let original = TransactionIDs.googleOriginal(of: token) else { return nil }
    let order = orderID.map(TransactionIDs.google) ?? original
    let id = "\(order):\(productID)"
    guard TransactionIDs.areGoogle(id), StoredText.fits(productID, .productID) else { return nil }
    self.init(transactionID: id, originalTransactionID: original, productID: productID)
    ownership = .purchased
  }

  /// Notes the phase of an offer that the customer is in; a period of proration belongs to another phase, or to none.
  fileprivate mutating func note(_ phase: OfferPhase?, of offerID: String?) {
    switch phase?.kind {
    case .freeTrial?, .prorationPeriod(.freeTrial?)?:
      (isTrialPeriod, isInIntroOfferPeriod) = (true, false)
    case .introductoryPrice?, .prorationPeriod(.introductory?)?:
      (isTrialPeriod, isInIntroOfferPeriod) = (false, true)
    case .basePrice?, .prorationPeriod?: (isTrialPeriod, isInIntroOfferPeriod) = (false, false)
    case nil: return
    }
    if isTrialPeriod == true || isInIntroOfferPeriod == true {
      offer = PurchaseOffer(type: .introductory, identifier: offerID.fitting(.other))
    }
  }
}

extension PurchaseRecord {
  /// Notes the price of a period: that of a renewal, unless an offer runs, of which Google tells only that a free trial
  /// costs nothing.
  fileprivate mutating func note(priceOf item: SubscriptionPurchaseLineItem) {
    guard let price = item.autoRenewingPlan?.recurringPrice else { return }
    switch item.offerPhase?.kind {
    case .freeTrial?: note(price: 0, currency: price.currencyCode)
    case .basePrice?: note(price: price.thousandths, currency: price.currencyCode)
    case nil where item.offerDetails?.offerID == nil:
      note(price: price.thousandths, currency: price.currencyCode)
    case .introductoryPrice?, .prorationPeriod?, nil: return
    }
  }
}

extension PlayMoney {
  /// The amount in thousandths of the unit; nil if it has a smaller part.
  fileprivate var thousandths: Int? {
    guard nanos.isMultiple(of: 1_000_000), (-999_000_000...999_000_000).contains(nanos) else {
      return nil
    }
    let (units, overflow) = units.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : units &+ nanos / 1_000_000
  }
}

extension PurchaseCommitment {
  /// Creates a commitment to Google's instalments.
  ///
  /// How many there are in all depends on whether this is the first commitment, which Google does not tell. A number of
  /// zero is left out.
  fileprivate init(_ plan: InstallmentPlan) {
    self.init(
      paymentsLeft: max(0, plan.remainingCommittedPaymentsCount ?? 0),
      payments: plan.subsequentCommittedPaymentsCount == nil
        ? plan.initialCommittedPaymentsCount : nil)
  }
}

extension RenewalRecord {
  /// Creates the entry about the next renewal of an item; nil for a prepaid one.
  fileprivate init?(
    _ item: SubscriptionPurchaseLineItem, of purchase: PurchaseRecord,
    in subscription: SubscriptionPurchaseV2
  ) {
    guard let plan = item.autoRenewingPlan else { return nil }
    self.init(originalTransactionID: purchase.originalTransactionID)
    productID = item.productID
    autoRenewProductID = item.deferredReplacementProductID ?? item.productID
    willRenew = plan.autoRenewEnabled && !item.isRemovedAtExpiry
    let isInGracePeriod = subscription.subscriptionState == .inGracePeriod
    isInBillingRetry = isInGracePeriod || subscription.subscriptionState == .onHold
    gracePeriodExpiresDate = isInGracePeriod ? item.expiryTime?.stamp : nil
    if let installments = plan.installmentDetails {
      commitment = CommitmentRenewal(
        willRenew: willRenew == true && !installments.isPendingCancellation
          && installments.subsequentCommittedPaymentsCount != nil,
        productID: autoRenewProductID)
    }
  }
}

extension SubscriptionPurchaseV2 {
  /// Whether the items give their products until their expiry; nil if nothing was paid, or if nobody knows.
  fileprivate var isRunning: Bool? {
    switch subscriptionState {
    case .pending?, .pendingPurchaseCanceled?: nil
    case _ where isReplaced: false
    case .active?, .inGracePeriod?, .canceled?: true
    case .expired?, .onHold?, .paused?: false
    default: nil
    }
  }

  /// The text by which the app marked the user, also at an earlier purchase that Google's own pages continued.
  var accountMark: String? {
    (externalAccountIdentifiers ?? outOfAppPurchaseContext?.expiredExternalAccountIdentifiers)?
      .obfuscatedExternalAccountID
  }

  /// The token of the earlier purchase that this one continues.
  var replacedToken: String? {
    linkedPurchaseToken ?? outOfAppPurchaseContext?.expiredPurchaseToken
  }
}

extension PurchaseFacts {
  /// Returns the facts with their ``ancestors``: those of the purchases of Google Play that they continue, back to
  /// the first.
  ///
  /// A customer may change plans several times before anybody hears of it. Google names the purchase before each, so
  /// the way back is asked for step by step: `ask` returns the facts of a token, or nil if the vendor has none.
  /// Source: entitlement rules, section 13.
  func withLineage(
    asking ask: (String) async throws -> PurchaseFacts?
  ) async throws -> PurchaseFacts {
    var facts = self
    var (seen, token) = (Set(originalTransactionIDs), continuedToken)
    // A purchase that continues itself ends the way.
    while let next = token,
      let id = TransactionIDs.googleOriginal(of: next), seen.insert(id).inserted,
      let earlier = try await ask(next)
    {
      facts.ancestors.insert(earlier, at: 0)
      token = earlier.continuedToken
    }
    facts.distantIDs = facts.moves.keys.sorted().flatMap { facts.continuedIDs(by: $0) }
    return facts
  }
}
