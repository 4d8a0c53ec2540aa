/// The records of orders, beside those that all capabilities have in common.
///
/// Units of work that need several of them ask for the subscription first, then for levels and claims.
///
/// Source: entitlement rules, section 12.
public protocol OrderRecords {
  /// The levels that are sold.
  var levels: any LevelRepository { get }
  /// The subscription of each user.
  var orderedSubscriptions: any OrderedSubscriptionRepository { get }
  /// The users that purchases belong to.
  var subscriptionClaims: any SubscriptionClaimRepository { get }
  /// The messages that Google pushed.
  var pushedMessages: any PushedMessageRepository { get }
}
