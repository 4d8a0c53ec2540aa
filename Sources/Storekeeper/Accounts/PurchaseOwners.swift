internal import LinkPolicy
package import PurchaseStorage
package import ReceiptModels

/// The users that have purchases by the records of the other capabilities in a database.
///
/// A purchase has one owner, whichever capability it was brought to. Each capability asks its own records first, and
/// the others about purchases that nobody has there. Source: entitlement rules, section 7.
package struct PurchaseOwners {
  private let entitlements: (any EntitlementRecords)?
  private let orders: (any OrderRecords)?
  private let subscriptions: (any SubscriptionRecords)?
  private let credits: (any CreditRecords)?
  private let countsAll: Bool
  private var users: [PurchaseKey: [AccountID]] = [:]

  /// Creates the owners besides those that one capability knows.
  init(besides capability: StoreCapability, in unit: UnitOfWork) {
    entitlements = capability == .entitlements ? nil : unit.entitlements
    orders = capability == .orders ? nil : unit.orders
    subscriptions = capability == .subscriptions ? nil : unit.subscriptions
    // A pack is no subscription, and only credits can be had of it.
    credits = nil
    countsAll = false
  }

  /// Creates the owners that any capability knows.
  package init(in unit: UnitOfWork) {
    entitlements = unit.entitlements
    orders = unit.orders
    subscriptions = unit.subscriptions
    credits = unit.credits
    countsAll = true
  }

  /// The questions of ``find(_:)`` about purchases of one environment, in the order in which rows are locked.
  static func questions(
    about purchases: [PurchaseKey], besides capability: StoreCapability
  ) -> [UnitQuestion] {
    let ids = purchases.compactMap(\.originalTransactionID)
    guard let environment = purchases.first?.environment, !ids.isEmpty else { return [] }
    var questions: [UnitQuestion] = []
    if capability != .orders {
      questions.append(
        .claims(ids.map { PurchaseKey(originalTransactionID: $0, environment: environment) }))
    }
    if capability != .entitlements { questions.append(.associations(ids, environment)) }
    if capability != .subscriptions {
      questions += [
        .subscriptions(ids), .memberships(account: nil, appleSubscriptionIDs: ids),
      ]
    }
    return questions
  }

  /// Finds the owners of purchases of one environment; of a vendor's that only orders know there are none.
  package mutating func find(_ purchases: [PurchaseKey]) async throws {
    let ids = purchases.compactMap(\.originalTransactionID)
    guard let environment = purchases.first?.environment, !ids.isEmpty else { return }
    func key(_ id: String) -> PurchaseKey {
      PurchaseKey(originalTransactionID: id, environment: environment)
    }
    // Units of work of different capabilities lock in different orders here. Where that is a deadlock, the database
    // runs one of them again.
    if let entitlements {
      for held in try await entitlements.associations.find(ids, environment: environment) {
        users[held.key, default: []].append(held.userID)
      }
    }
    if let orders {
      let keys = ids.map(key)
      for (key, owner) in zip(keys, try await orders.subscriptionClaims.owners(of: keys)) {
        if let owner { users[key, default: []].append(owner) }
      }
    }
    if let credits {
      // A pack's transaction is its own first one.
      for id in ids {
        let pack = try await credits.creditTransactions.find(
          transactionID: id, environment: environment)
        if let owner = pack?.userID { users[key(id), default: []].append(owner) }
      }
    }
    guard let subscriptions else { return }
    let found = try await subscriptions.find(ids, account: nil)
    for row in found.subscriptions.map(\.subscription) where row.environment == environment {
      let id = row.originalTransactionID
      // An account with a second identifier only owns what its membership rests on.
      let membership = found.memberships.first { $0.isIAP && $0.originalTransactionID == id }
      let found = [row.owner, membership?.accountID].compactMap(\.self)
      // Where the two disagree, a link goes by the row; who asks for all that have something gets both.
      users[key(id), default: []] += countsAll ? found : Array(found.prefix(1))
    }
  }

  /// Returns whether the nearest of some purchases that somebody has is the user's own, and if not, whose it is;
  /// unknown if nobody has any of them.
  ///
  /// The first purchase is followed by those that it continues, the nearest first.
  ///
  /// - Throws: ``UnknownIdentifiers`` if only the host's accounts can tell.
  func relation(
    of purchases: [PurchaseKey], to identifiers: OwnIdentifiers
  ) throws(UnknownIdentifiers) -> Relation {
    for purchase in purchases {
      guard let users = users[purchase], let first = users.first else { continue }
      for user in users {
        if try identifiers.contain(user) { return .own }
      }
      return .foreign(first)
    }
    return .unknown
  }

  /// Returns the identifiers of those that have a purchase, each once.
  package func owners(of purchase: PurchaseKey) -> [AccountID] {
    var owners: [AccountID] = []
    for user in users[purchase, default: []] where !owners.contains(user) { owners.append(user) }
    return owners
  }

  /// The relation of a purchase to a user.
  enum Relation: Hashable {
    case own
    case foreign(AccountID)
    case unknown
  }
}
