internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SimulatedTransaction: Hashable, Sendable {
  let id: Int
  let originalID: Int
  let product: TestProduct
  let customer: String
  var purchaseDate: Date
  let originalPurchaseDate: Date
  var expiresDate: Date?
  var quantity = 1
  var offer: TestOffer?
  /// The billing plan; nil for a product that has one only.
  var plan: BillingPlanType?
  /// The commitment that this charge belongs to; nil for one that was paid whole.
  var commitment: SimulatedCommitment?
  var ownership = InAppOwnershipType.purchased
  var reason = TransactionReason.purchase
  var appAccountToken: UUID?
  var cancellationDate: Date?
  var cancellationReason: RevocationReason?
  /// The kind of a refund other than a full one.
  var revocationType: RevocationType?
  /// The refunded share of the price, in thousandths of a per cent.
  var revocationPercentage: Int?
  /// The statement of Advanced Commerce about the purchase, if it sold it.
  var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
  /// The place in the order of changes, by which Apple sorts a history.
  var modified = 0
  var isUpgraded = false
  var isFinished = false

  /// Whether somebody else paid for it.
  var isShared: Bool { ownership != .purchased }

  var group: String? {
    guard case .autoRenewable(_, let group) = product.kind else { return nil }
    return group
  }

  var webOrderLineItemID: Int? { expiresDate.map { _ in id + 500_000_000 } }

  /// The number of the order under which the customer finds the charge in a mail of Apple.
  var orderID: String { "M" + String(id, radix: 36, uppercase: true) }

  /// The element of `latest_receipt_info`.
  var entry: ReceiptTransaction {
    var entry = ReceiptTransaction(purchase)
    entry.cancellationReason = cancellationReason
    entry.isUpgraded = isUpgraded ? true : nil
    entry.subscriptionGroupIdentifier = group
    entry.inAppOwnershipType = ownership
    entry.appAccountToken = appAccountToken
    if case .code(let name) = offer { entry.offerCodeRefName = name }
    return entry
  }

  /// The element of an app receipt, which has fewer members.
  var purchase: AppReceipt.Purchase {
    var purchase = AppReceipt.Purchase()
    purchase.quantity = quantity
    purchase.productID = product.id
    purchase.transactionID = String(id)
    purchase.originalTransactionID = String(originalID)
    purchase.purchaseDate = purchaseDate
    purchase.originalPurchaseDate = originalPurchaseDate
    purchase.productType = productType
    purchase.expiresDate = expiresDate
    purchase.itemID = 0
    purchase.webOrderLineItemID = webOrderLineItemID ?? 0
    purchase.cancellationDate = cancellationDate
    purchase.isTrialPeriod = offer == .trial
    if group != nil { purchase.isInIntroOfferPeriod = offer == .introductory }
    if case .promotional(let id) = offer { purchase.promotionalOfferID = id }
    purchase.ownershipCode = ownership == .familyShared ? 1 : 0
    return purchase
  }

  private var productType: AppReceiptProductType {
    switch product.kind {
    case .consumable: .consumable
    case .nonConsumable: .nonConsumable
    case .nonRenewing: .nonRenewingSubscription
    case .autoRenewable: .autoRenewableSubscription
    }
  }
}
