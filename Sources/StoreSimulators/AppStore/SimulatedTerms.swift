internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The plan by which a subscription is paid from a charge on.
struct SimulatedTerms: Sendable {
  let plan: BillingPlanType
  /// The duration of the period that a charge pays for, and the price of all periods; nil if all is paid at once.
  let commitment: (length: TimeInterval, price: Int)?
}

extension TestProduct {
  /// Returns the terms of a plan; nil without a plan.
  func terms(of plan: BillingPlanType?) throws(SimulatorFailure) -> SimulatedTerms? {
    guard let plan else { return nil }
    guard case .autoRenewable(let period, _) = kind, let commitmentPrice else {
      throw .noCommitment
    }
    guard plan == .monthly else { return SimulatedTerms(plan: plan, commitment: nil) }
    let length = period.timeInterval / Double(SimulatedCommitment.periods)
    return SimulatedTerms(plan: plan, commitment: (length, commitmentPrice))
  }
}

extension SimulatedTransaction {
  /// Makes this the first charge of a plan.
  mutating func begin(_ terms: SimulatedTerms?) {
    plan = terms?.plan
    guard let (length, price) = terms?.commitment else { return }
    expiresDate = purchaseDate.addingTimeInterval(length)
    commitment = SimulatedCommitment(from: purchaseDate, length: length, price: price)
  }

  /// Makes this the charge for the next period of a commitment.
  mutating func go(on last: SimulatedTransaction) {
    guard let known = last.commitment else { return }
    plan = last.plan
    expiresDate = purchaseDate.addingTimeInterval(known.length)
    commitment = known.next(from: purchaseDate)
  }
}

extension TestOffer {
  /// Returns whether Apple gives the offer to a customer who buys a product.
  func isAvailable(
    for product: TestProduct, to customer: String, in store: SimulatedStore, at now: Date
  ) -> Bool {
    switch (self, product.kind) {
    case (.code, _): true
    case (.trial, .autoRenewable(_, let group)), (.introductory, .autoRenewable(_, let group)):
      !store.hasUsedIntroduction(customer, in: group)
    case (.promotional, .autoRenewable(_, let group)):
      store.subscription(of: customer, in: group) != nil
    case (.winBack(let id), .autoRenewable(_, let group)):
      store.hasLapsed(customer, in: group, at: now) && product.winBackOffers.contains(id)
    case (.trial, _), (.introductory, _), (.promotional, _), (.winBack, _): false
    }
  }
}
