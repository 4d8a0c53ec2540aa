public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The decision on an order.
///
/// Source: entitlement rules, sections 13 and 14.
@nonexhaustive
public enum OrderDecision: Hashable, Sendable {
  /// The purchase is claimed for the user, and its subscription stored instead of the present one.
  case accept(OrderedSubscription)
  /// The purchase is claimed for the user, whose present subscription ends later and stays.
  case keep(OrderedSubscription)
  /// The order is refused; whether the stored subscription, which rests on the same purchase, is removed.
  case refuse(ExplicitFailure.Reason, removesSubscription: Bool)
  /// The vendor said nothing; nothing is stored.
  case unavailable(IncidentalFailure)

  /// Decides on an order.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - answer: The vendor's word about its evidence.
  ///   - levels: The levels that are sold.
  ///   - situation: The rows that it may change.
  ///   - now: The present moment.
  public init(
    on order: SubscriptionOrder, _ answer: VendorAnswer, levels: SubscriptionLevels,
    _ situation: OrderSituation, at now: Date
  ) {
    let purchase: VendorPurchase
    switch answer {
    case .incidentalFailure(let failure):
      self = .unavailable(failure)
      return
    case .explicitFailure(let failure):
      // A refusal of one purchase says nothing about another one.
      // A later answer about the same purchase counts more.
      let isStored = failure.purchaseKey.map { key in
        situation.subscription.map { $0.isOf(order.vendor, key) && $0.validatedDate <= now }
          ?? false
      }
      self = .refuse(failure.reason, removesSubscription: isStored ?? false)
      return
    case .valid(let valid): purchase = valid
    }
    guard let level = levels.level(ofProduct: purchase.productID, from: order.vendor) else {
      self = .refuse(.unknownProduct, removesSubscription: false)
      return
    }
    guard situation.isFree(for: order.userID) else {
      self = .refuse(.alreadyUsed, removesSubscription: false)
      return
    }
    if let stored = situation.subscription, stored.outlasts(purchase, from: order.vendor, at: now) {
      self = .keep(stored)
    } else {
      self = .accept(
        OrderedSubscription(
          userID: order.userID, levelName: level.name, vendor: order.vendor,
          purchaseKey: purchase.purchaseKey,
          receiptData: purchase.receiptData ?? order.receiptData, expiration: purchase.expiration,
          validatedDate: now))
    }
  }
}

/// An order: evidence that a user bought a subscription from a vendor.
///
/// Source: entitlement rules, section 12.
public struct SubscriptionOrder: Hashable, Sendable {
  /// The user.
  public var userID: AccountID
  /// The store that sold the subscription.
  public var vendor: Vendor
  /// The evidence, 1 byte to 1 MiB.
  ///
  /// From Apple a receipt in base64 or a signed transaction, from Google a purchase token.
  public var receiptData: String

  /// The maximum number of bytes of the evidence.
  public static let maximumReceiptLength = 1 << 20

  /// Creates an order.
  public init(userID: AccountID, vendor: Vendor, receiptData: String) {
    self.userID = userID
    self.vendor = vendor
    self.receiptData = receiptData
  }
}

/// The rows on which the decision on an order depends.
public struct OrderSituation: Hashable, Sendable {
  /// The user's stored subscription, or nil.
  public var subscription: OrderedSubscription?
  /// The user that claimed the purchase, or nil.
  public var owner: AccountID?
  /// The user that claimed the older purchase which the vendor replaced by this one, or nil.
  public var linkedOwner: AccountID?
  /// The user that the purchase's account mark stands for, or nil if it has none or the host knows none.
  public var markedUser: AccountID?

  /// Creates a situation.
  public init(
    subscription: OrderedSubscription? = nil, owner: AccountID? = nil,
    linkedOwner: AccountID? = nil, markedUser: AccountID? = nil
  ) {
    self.subscription = subscription
    self.owner = owner
    self.linkedOwner = linkedOwner
    self.markedUser = markedUser
  }

  /// Whether nobody but the user has a right to the purchase.
  func isFree(for userID: AccountID) -> Bool {
    [owner, linkedOwner, markedUser].allSatisfy { $0 == nil || $0 == userID }
  }
}

extension OrderedSubscription {
  /// Whether another purchase of the same user leaves this one in its place.
  fileprivate func outlasts(
    _ purchase: VendorPurchase, from vendor: Vendor, at now: Date
  ) -> Bool {
    if isOf(vendor, purchase.purchaseKey) {
      // A later answer about the same purchase counts more, and so does a later end than that of old evidence.
      return now < validatedDate
        || !purchase.isPresent && now < expiration && purchase.expiration < expiration
    }
    if let linked = purchase.linkedPurchaseKey, isOf(vendor, linked) { return false }
    return now < expiration && purchase.expiration <= expiration
  }
}

extension SubscriptionOrder: CustomStringConvertible, CustomReflectable {
  /// The vendor and the size of the evidence, never the evidence.
  public var description: String {
    "SubscriptionOrder(\(vendor.rawValue), \(receiptData.utf8.count) bytes)"
  }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
