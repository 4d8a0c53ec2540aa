/// The records of orders, beside those that all capabilities have in common.
///
/// Units of work that need several of them ask for the subscription first, then for levels and claims.
///
/// Source: entitlement rules, section 12.
public protocol OrderRecords: PurchaseRecords {
  /// Whether the database has the tables of orders; by default it does.
  ///
  /// Other capabilities ask this before they ask for the owner of a purchase.
  var hasOrders: Bool { get }
  /// The levels that are sold.
  var levels: any LevelRepository { get }
  /// The subscription of each user.
  var orderedSubscriptions: any OrderedSubscriptionRepository { get }
  /// The users that purchases belong to.
  var subscriptionClaims: any SubscriptionClaimRepository { get }
  /// The messages that Google pushed.
  var pushedMessages: any PushedMessageRepository { get }
}

extension OrderRecords {
  /// True.
  public var hasOrders: Bool { true }
}

/// A store whose units of work see the records of orders.
public typealias OrderStore = PurchaseStore<any OrderRecords>

extension PurchaseStore where Records: OrderRecords {
  /// This store, showing the records of orders only.
  public var forOrders: any OrderStore { narrowed { $0 } }
}
