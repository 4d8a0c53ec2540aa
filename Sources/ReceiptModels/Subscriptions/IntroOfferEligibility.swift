#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Whether a customer may have an introductory offer of a group of subscriptions.
///
/// Source: contract on signed data, section 8.2.
public enum IntroOfferEligibility: Hashable, Sendable {
  /// No subscription of the group was a trial or an introductory period, and none runs.
  case eligible
  /// There was one, or a subscription of the group runs.
  case ineligible
  /// The transactions do not tell.
  case unknown
}

extension PurchaseHistory {
  /// Whether a customer may have an introductory offer of a group of subscriptions.
  ///
  /// Eligible only on proof: with all transactions of the customer, which
  /// `exclude-old-transactions` and local receipts do not give, and with the group of each that
  /// matters. A trial that a family member shared proves nothing either way.
  ///
  /// - Parameters:
  ///   - groupID: Apple's identifier of the group.
  ///   - histories: All purchases of the customer that are known, possibly none.
  ///   - areComplete: Whether these are all that there ever were, and not those of an old receipt. A
  ///     transaction that no ``PurchaseRecord`` could be made of is missing: then they are not all.
  ///   - date: The moment.
  /// - Returns: The answer; unknown rather than a guess.
  public static func introOfferEligibility(
    groupID: String, in histories: [PurchaseHistory], areComplete: Bool, at date: Date
  ) -> IntroOfferEligibility {
    var isUncertain = !areComplete
    for history in histories where history.mayBeOffer {
      let usage = history.introOfferUsage(at: date)
      switch history.subscriptionGroupID {
      case nil:
        // It may be of the group: only one that would not matter there is no doubt.
        isUncertain = isUncertain || usage != .eligible
      case let id? where id.utf8.elementsEqual(groupID.utf8):
        if usage == .ineligible { return .ineligible }
        isUncertain = isUncertain || usage == .unknown
      case _?:
        continue
      }
    }
    return isUncertain ? .unknown : .eligible
  }

  /// Whether this is a subscription, or may be one by its flags, which cannot be read.
  private var mayBeOffer: Bool {
    isSubscription || transactions.contains { $0.hasUnreadableOffer }
  }

  /// What this history alone says about its own group.
  private func introOfferUsage(at date: Date) -> IntroOfferEligibility {
    if summary(at: date).isEntitled { return .ineligible }
    var isUncertain = knowledge == .local
    for record in transactions {
      let isUsed = record.isTrialPeriod == true || record.isInIntroOfferPeriod == true
      if isUsed && !record.isFamilyShared { return .ineligible }
      // The second flag is missing in answers from before 2017, the first never is; one that is
      // there and cannot be read may say anything.
      if isUsed || record.isTrialPeriod == nil || record.hasUnreadableOffer { isUncertain = true }
    }
    return isUncertain ? .unknown : .eligible
  }
}

extension VerifyReceiptResponse {
  /// Whether the customer may have an introductory offer of a group of subscriptions.
  ///
  /// Unknown rather than eligible where the answer has a transaction that cannot be read, only repeats
  /// the receipt, or is in the style of iOS 6.
  ///
  /// Source: contract on signed data, section 8.2.
  ///
  /// - Parameters:
  ///   - groupID: Apple's identifier of the group.
  ///   - areComplete: Whether the answer was asked for without `exclude-old-transactions`, about the
  ///     customer's newest receipt.
  ///   - date: The moment, which should be ``requestDate``.
  ///   - environment: Of the server that answered; nil takes the answer's word.
  /// - Returns: The answer; unknown rather than a guess.
  public func introOfferEligibility(
    groupID: String, areComplete: Bool, at date: Date, environment: AppStoreEnvironment? = nil
  ) -> IntroOfferEligibility {
    PurchaseHistory.introOfferEligibility(
      groupID: groupID, in: purchaseHistories(environment: environment),
      areComplete: areComplete && mayListAll, at: date)
  }
}
