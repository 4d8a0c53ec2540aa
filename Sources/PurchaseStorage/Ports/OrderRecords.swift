public import OrderPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The records of orders, beside those that all capabilities have in common.
///
/// Units of work that need several of them ask for the subscription first, then for levels and claims. Source:
/// entitlement rules, section 12.
public protocol OrderRecords {
  var levels: any LevelRepository { get }
  var orderedSubscriptions: any OrderedSubscriptionRepository { get }
  var subscriptionClaims: any SubscriptionClaimRepository { get }
  var pushedMessages: any PushedMessageRepository { get }
}

/// The levels that are sold.
public protocol LevelRepository {
  /// Returns all levels.
  func all() async throws -> SubscriptionLevels

  /// Stores these levels instead of all others; subscriptions keep the name of their level, also if it is no longer
  /// there.
  func replace(with levels: SubscriptionLevels) async throws
}

/// The subscriptions of users, one each at most.
///
/// Users are opaque texts of 1 to 128 bytes, compared byte by byte as all texts are. A text that no row can
/// have finds nothing.
public protocol OrderedSubscriptionRepository {
  /// Returns the subscription of a user, or nil.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(_ userID: AccountID) async throws -> OrderedSubscription?

  /// Adds the subscription of a user that has none, and returns whether it did; a stored one stays.
  ///
  /// If another unit of work is adding one for the same user, this waits for its end. A store that has told before that
  /// there is none may add it with the commit, which throws ``StorageFailure/duplicate(_:)`` if there is one then.
  func add(_ subscription: OrderedSubscription) async throws -> Bool

  /// Replaces the subscription of a user; one that is not stored is added.
  func save(_ subscription: OrderedSubscription) async throws

  /// Removes the subscription of a user; returns whether there was one.
  func remove(_ userID: AccountID) async throws -> Bool

  /// Returns the names of levels that subscriptions have, each once, in ascending order of their bytes.
  ///
  /// In a unit of work that writes, this waits for all others that write and have asked for a subscription, and
  /// holds up further ones until its end.
  func levelNames() async throws -> [String]
}

/// The users that purchases belong to.
///
/// A claim outlasts the subscription that rests on it, so that nobody else takes the purchase over unless a host lets it
/// move. It is found under
/// every key that is equal to that with which it was made, whatever the environment of Google's.
public protocol SubscriptionClaimRepository {
  /// Returns the user that has claimed each of these purchases, in the order of the keys; nil for one that
  /// nobody has claimed.
  ///
  /// In a unit of work that writes, the rows are locked in ascending order of the bytes of their keys until its
  /// end.
  func owners(of purchases: [PurchaseKey]) async throws -> [AccountID?]

  /// Claims a purchase for a user, unless somebody has claimed it, and returns the user that has it then.
  ///
  /// If another unit of work is claiming it, this waits for its end: of any number of users that claim a purchase at
  /// once, one gets it. A store that has told before that nobody has it may claim it with the commit, which throws
  /// ``StorageFailure/duplicate(_:)`` if another unit of work was faster.
  func claim(_ purchase: PurchaseKey, for userID: AccountID) async throws -> AccountID

  /// Gives the claim to a purchase that somebody has to another user, in place, so that nobody who waits for its row
  /// finds the purchase unclaimed; without a claim nothing happens.
  func transfer(_ purchase: PurchaseKey, to userID: AccountID) async throws

  /// Removes the claim to a purchase, whoever has it.
  func remove(_ purchase: PurchaseKey) async throws
}

/// The messages that Google pushed, by their identifiers.
public protocol PushedMessageRepository {
  /// Records a message that was worked on; returns false if it was recorded before, and its date stays then.
  func record(_ messageID: String, now: Date) async throws -> Bool

  /// Returns whether a message is recorded.
  func isRecorded(_ messageID: String) async throws -> Bool

  /// Removes messages that were recorded before a moment, oldest first, at most `limit`, and returns their number.
  func remove(before: Date, limit: Int) async throws -> Int
}
