internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Whether a customer is eligible for an introductory offer in a subscription group.
///
/// Source: App Store rules, section 8.2.
public enum IntroOfferEligibility: Hashable, Sendable {
  /// No subscription of the group had a trial or an introductory period, and none is active.
  case eligible
  /// A subscription of the group had a trial or an introductory period, or is active.
  case ineligible
  /// The transactions are not sufficient for an answer.
  case unknown
}

extension PurchaseHistory {
  /// Returns whether a customer is eligible for an introductory offer in a subscription group.
  ///
  /// The answer is eligible only if proved: by all transactions of the customer, which neither
  /// `exclude-old-transactions` nor local receipts provide, and by the group of each relevant one. A
  /// trial shared by a family member proves nothing either way.
  /// `areComplete` says whether the histories are all purchases ever made, not those of an old receipt;
  /// they are not if a transaction could not be made into a ``PurchaseRecord``.
  public static func introOfferEligibility(
    groupID: String, in histories: [PurchaseHistory], areComplete: Bool, at date: Date
  ) -> IntroOfferEligibility {
    var isUncertain = !areComplete
    for history in histories where history.mayBeOffer {
      let usage = history.introOfferUsage(at: date)
      switch history.subscriptionGroupID {
      case nil:
        // The history may belong to the group, so it leaves a doubt unless its own answer is
        // eligible.
        isUncertain = isUncertain || usage != .eligible
      case let id? where id.isSameText(as: groupID):
        if usage == .ineligible { return .ineligible }
        isUncertain = isUncertain || usage == .unknown
      case _?:
        continue
      }
    }
    return isUncertain ? .unknown : .eligible
  }

  /// Whether this is a subscription, or may be one because its offer flags are unreadable.
  private var mayBeOffer: Bool {
    isSubscription || transactions.contains { $0.hasUnreadableOffer }
  }

  /// Returns the eligibility in the history's own group, as far as this history shows it.
  private func introOfferUsage(at date: Date) -> IntroOfferEligibility {
    if summary(at: date).isEntitled { return .ineligible }
    var isUncertain = knowledge == .local
    for record in transactions {
      let isUsed = record.isTrialPeriod == true || record.isInIntroOfferPeriod == true
      if isUsed && !record.isFamilyShared { return .ineligible }
      // Answers from before 2017 lack the second flag, but never the first. An unreadable flag may
      // mean anything.
      if isUsed || record.isTrialPeriod == nil || record.hasUnreadableOffer { isUncertain = true }
    }
    return isUncertain ? .unknown : .eligible
  }
}

extension VerifyReceiptResponse {
  /// Returns whether the customer is eligible for an introductory offer in a subscription group.
  ///
  /// The answer is unknown rather than eligible if a transaction is unreadable, if Apple's answer
  /// only repeats the receipt, or if it is in the style of iOS 6.
  /// `areComplete` says whether the request was for the newest receipt, and without
  /// `exclude-old-transactions`. The date should be ``requestDate``; nil takes the answer's environment.
  ///
  /// Source: App Store rules, section 8.2.
  public func introOfferEligibility(
    groupID: String, areComplete: Bool, at date: Date, environment: AppStoreEnvironment? = nil
  ) -> IntroOfferEligibility {
    PurchaseHistory.introOfferEligibility(
      groupID: groupID, in: purchaseHistories(environment: environment),
      areComplete: areComplete && mayListAll, at: date)
  }
}
