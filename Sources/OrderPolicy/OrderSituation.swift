public import ReceiptModels

/// The rows on which the decision on an order depends.
public struct OrderSituation: Hashable, Sendable {
  /// The user's stored subscription, or nil.
  public var subscription: OrderedSubscription?
  /// The user that claimed the purchase, or nil.
  public var owner: AccountID?
  /// The user that claimed an older purchase which this one continues, the nearest that anybody claimed; or nil.
  public var linkedOwner: AccountID?
  /// The user that the purchase's account mark stands for, or nil if it has none or the host knows none.
  public var markedUser: AccountID?
  /// The user that has the purchase, which nobody has ordered, by the records of another capability, such as
  /// memberships; or nil.
  public var otherOwner: AccountID?
  /// Whether others have the purchase, and the host lets it move from them.
  public var mayMove = false

  /// Creates a situation.
  public init(
    subscription: OrderedSubscription? = nil, owner: AccountID? = nil,
    linkedOwner: AccountID? = nil, markedUser: AccountID? = nil, otherOwner: AccountID? = nil
  ) {
    self.subscription = subscription
    self.owner = owner
    self.linkedOwner = linkedOwner
    self.markedUser = markedUser
    self.otherOwner = otherOwner
  }

  /// Whether the purchase is the user's, or may become it; the user that the app marked it for keeps it.
  func isObtainable(by userID: AccountID) -> Bool {
    isFree(for: userID) || mayMove && (markedUser == nil || markedUser == userID)
  }

  /// Whether nobody but the user has a right to the purchase.
  func isFree(for userID: AccountID) -> Bool {
    [owner, linkedOwner, markedUser, otherOwner].allSatisfy { $0 == nil || $0 == userID }
  }
}
