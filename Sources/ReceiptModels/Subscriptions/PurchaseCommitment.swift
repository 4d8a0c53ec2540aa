#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A customer's commitment to several payments, as of one of them.
///
/// Each payment is a charge of its own. The commitment says nothing about what the customer owns. Source: App Store
/// rules, section 8.1; Google Play rules, section 3.1.
public struct PurchaseCommitment: Hashable, Sendable {
  /// The number of payments that are still to be made; 0 with the last one, and where Google tells of a commitment
  /// that is over.
  public var paymentsLeft: Int
  /// The number of all payments; nil if the source does not tell.
  public var payments: Int?
  /// The end of the period that the last payment is for; nil if the source does not tell.
  public var expiresDate: Date?
  /// The sum of all payments, in thousandths of the currency unit; nil if the source does not tell.
  public var price: Int?

  /// Creates a commitment.
  public init(paymentsLeft: Int, payments: Int? = nil, expiresDate: Date? = nil, price: Int? = nil)
  {
    self.paymentsLeft = paymentsLeft
    self.payments = payments
    self.expiresDate = expiresDate
    self.price = price
  }
}

/// The renewal of a commitment, which begins when its last period ends.
public struct CommitmentRenewal: Hashable, Sendable {
  /// Whether it will be renewed, or nil if unknown.
  public var willRenew: Bool?
  /// The product that follows; nil if the source does not tell.
  public var productID: String?
  /// The billing plan that follows; nil if the source does not tell.
  public var planID: String?
  public var renewalDate: Date?
  /// The sum of all payments of the new commitment, in thousandths of the currency unit; nil if the source does not
  /// tell.
  public var renewalPrice: Int?

  /// Creates a renewal.
  public init(
    willRenew: Bool? = nil, productID: String? = nil, planID: String? = nil,
    renewalDate: Date? = nil, renewalPrice: Int? = nil
  ) {
    self.willRenew = willRenew
    self.productID = productID
    self.planID = planID
    self.renewalDate = renewalDate
    self.renewalPrice = renewalPrice
  }
}

extension PurchaseCommitment {
  /// Creates a commitment as Apple signs it; nil unless the period is one of those that it has.
  init?(_ info: TransactionCommitmentInfo) {
    guard let period = info.billingPeriodNumber, let payments = info.totalBillingPeriods,
      (1...Self.mostPayments).contains(payments), (1...payments).contains(period)
    else { return nil }
    self.init(
      paymentsLeft: payments - period, payments: payments, expiresDate: info.commitmentExpiresDate,
      price: info.commitmentPrice)
  }

  private static let mostPayments = 1000
}

extension CommitmentRenewal {
  /// Creates a renewal as Apple signs it.
  init(_ info: RenewalCommitmentInfo) {
    self.init(
      willRenew: info.commitmentAutoRenewStatus.map { $0 == .on },
      productID: info.commitmentAutoRenewProductID,
      planID: info.commitmentRenewalBillingPlanType?.rawValue,
      renewalDate: info.commitmentRenewalDate, renewalPrice: info.commitmentRenewalPrice)
  }
}
