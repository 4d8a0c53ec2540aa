internal import CreditPolicy
internal import EntitlementPolicy
internal import LinkPolicy
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The watch over one unit of work: what it found, what it changes, and the events that follow.
///
/// It is used where the unit of work is.
final class EventWatch {
  private let base: UnitOfWork
  private let now: Date

  private struct Told {
    let kind: PurchaseEvent.Kind
    let account: AccountID?
    let details: PurchaseEvent.Details
    /// What makes the event the same whichever unit of work writes it; nil for an event of this one alone.
    var identity: [String]?
  }

  /// The events so far, in the order of the changes.
  private var events: [Told] = []
  /// The purchases that are written, as they were before.
  private var purchases: [PurchaseKey: PurchaseState] = [:]
  /// The orders that were read or written, as they were before.
  private var orders: [AccountID: OrderedSubscription?] = [:]
  private var changedOrders: Set<AccountID> = []
  private var owners: [PurchaseKey: AccountID] = [:]
  private var holders: [PurchaseKey: PurchaseAssociation] = [:]
  private var claimants: [PurchaseKey: AccountID] = [:]
  /// The accounts whose memberships follow a subscription, by its identifier; the only ones that are known of an account
  /// with a second identifier alone, which owns no subscription.
  private var members: [String: AccountID] = [:]
  /// The users whose entitlements changed, with their apps, each once.
  private var entitled: [EntitledUser] = []

  struct EntitledUser: Hashable {
    let userID: AccountID
    let bundleID: String
  }

  init(_ unit: UnitOfWork, now: Date) {
    base = unit
    self.now = now
  }

  /// The unit of work that is watched.
  var unit: UnitOfWork {
    var unit = base
    unit.common = WatchedRecords(base: base.common, watch: self)
    unit.subscriptions = base.subscriptions.map { WatchedSubscriptions(base: $0, watch: self) }
    unit.credits = base.credits.map { WatchedCredits(base: $0, watch: self) }
    unit.entitlements = base.entitlements.map { WatchedEntitlements(base: $0, watch: self) }
    unit.orders = base.orders.map { WatchedOrders(base: $0, watch: self) }
    return unit
  }

  func tell(
    _ kind: PurchaseEvent.Kind, _ account: AccountID?, _ details: PurchaseEvent.Details,
    once identity: [String]? = nil
  ) {
    events.append(Told(kind: kind, account: account, details: details, identity: identity))
  }

  /// Writes the events of what has changed, at the end of the unit of work.
  func finish() async throws {
    try await tellPurchases()
    try await tellOrders()
    for user in entitled {
      tell(
        .entitlementChanged, user.userID,
        .entitlement(EntitlementChange(bundleID: user.bundleID)))
    }
    guard !events.isEmpty else { return }
    let log = try base.events
    for told in events {
      let id = try told.identity.map { try Self.id(of: told.kind, $0) } ?? LeaseToken.random()
      let event = PurchaseEvent(
        id: "evt_" + id, kind: told.kind, account: told.account, date: now,
        details: told.details)
      try await log.add(event.record)
    }
  }

  /// The identifier of an event that happens once: two units of work that write it at the same time write it once.
  private static func id(of kind: PurchaseEvent.Kind, _ identity: [String]) throws -> String {
    let text = ([kind.rawValue] + identity).joined(separator: "\n")
    return hexadecimal(Array(try SHA256.digest(of: Array(text.utf8)).prefix(16)))
  }

  // MARK: Purchases

  /// Notes purchases before they are written.
  func note(_ ids: some Sequence<String>, _ environment: AppStoreEnvironment) async throws {
    let new = Set(ids).filter {
      purchases[PurchaseKey(originalTransactionID: $0, environment: environment)] == nil
    }.sorted()
    guard !new.isEmpty else { return }
    for (key, state) in try await states(of: new, environment) { purchases[key] = state }
  }

  private func states(
    of ids: [String], _ environment: AppStoreEnvironment
  ) async throws -> [PurchaseKey: PurchaseState] {
    let transactions = try await base.purchases.transactions(of: ids, environment: environment)
    let renewals = try await base.purchases.renewals(of: ids, environment: environment)
    var states: [PurchaseKey: PurchaseState] = [:]
    for id in ids {
      let key = PurchaseKey(originalTransactionID: id, environment: environment)
      states[key] = PurchaseState(
        transactions: transactions.filter { $0.originalTransactionID.isSameText(as: id) },
        renewals: renewals.filter { $0.originalTransactionID.isSameText(as: id) })
    }
    return states
  }

  private func tellPurchases() async throws {
    let groups = Dictionary(grouping: purchases.keys, by: \.environment)
    var changes: [Told] = []
    for environment in groups.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      let ids = groups[environment]?.compactMap(\.originalTransactionID).sorted() ?? []
      let states = try await states(of: ids, environment)
      for id in ids {
        let key = PurchaseKey(originalTransactionID: id, environment: environment)
        guard let before = purchases[key], let after = states[key] else { continue }
        let told = after.changes(since: before, of: key, at: now)
        guard !told.isEmpty else { continue }
        let owner = owner(of: key)
        changes += told.map { told in
          Told(
            kind: told.kind, account: owner, details: .purchase(told.change),
            identity: told.identity.map { [environment.rawValue, id] + $0 })
        }
        if let holder = holders[key] { noteEntitlement(of: holder.userID, in: holder.bundleID) }
      }
    }
    // What a store said comes before what follows from it.
    events = changes + events
  }

  /// The account that has a purchase, as far as the unit of work knows it.
  private func owner(of purchase: PurchaseKey) -> AccountID? {
    owners[purchase] ?? holders[purchase]?.userID ?? claimants[purchase]
      ?? purchase.originalTransactionID.flatMap { members[$0] }
  }

  /// The same for what has an identifier only, in the one environment in which it is known.
  func owner(of id: String) -> AccountID? {
    [AppStoreEnvironment.production, .sandbox].lazy
      .compactMap {
        self.owner(of: PurchaseKey(originalTransactionID: id, environment: $0))
      }.first
  }

  func note(_ subscriptions: [StoredSubscription]) {
    for subscription in subscriptions.map(\.subscription) {
      note(
        owner: subscription.owner, of: subscription.originalTransactionID,
        subscription.environment)
    }
  }

  func note(owner: AccountID?, of id: String, _ environment: AppStoreEnvironment) {
    owners[PurchaseKey(originalTransactionID: id, environment: environment)] = owner
  }

  /// Notes another owner of subscriptions that were found.
  func note(owner: AccountID?, of id: String) {
    for environment in [AppStoreEnvironment.production, .sandbox] {
      note(owner: owner, of: id, environment)
    }
  }

  func note(claimant: AccountID?, of purchase: PurchaseKey) { claimants[purchase] = claimant }

  // MARK: Memberships

  func note(_ memberships: [Membership]) {
    for row in memberships where row.isIAP {
      if let id = row.originalTransactionID { members[id] = row.accountID }
    }
  }

  func tell(_ membership: Membership, instead previous: Membership?) {
    if let id = previous?.originalTransactionID { members[id] = nil }
    note([membership])
    let (kind, account) = (kind(of: membership, instead: previous), membership.accountID)
    if let kind { tell(kind, account, .membership(MembershipChange(membership, previous))) }
  }

  private func kind(
    of row: Membership, instead previous: Membership?
  ) -> PurchaseEvent.Kind? {
    guard row != previous else { return nil }
    let wasLinked = previous?.isIAP ?? false
    guard row.isIAP else { return wasLinked ? .membershipUnlinked : nil }
    guard wasLinked, let previous else { return .membershipLinked }
    guard previous.originalTransactionID == row.originalTransactionID else {
      return .membershipMoved
    }
    let today = CalendarDay(now)
    if let day = row.expireDate, day < today {
      let hadMore = previous.expireDate.map { today <= $0 } ?? true
      return hadMore || previous.autoRenew && !row.autoRenew
        ? .membershipLapsed : .membershipChanged
    }
    guard let day = row.expireDate, let before = previous.expireDate, before < day else {
      return row.tier != previous.tier || row.autoRenew != previous.autoRenew
        || row.expireDate != previous.expireDate ? .membershipChanged : nil
    }
    return .membershipRenewed
  }

  func tellUnlinked(_ membership: Membership) {
    guard membership.isIAP else { return }
    if let id = membership.originalTransactionID { members[id] = nil }
    tell(
      .membershipUnlinked, membership.accountID,
      .membership(MembershipChange(membership, membership)))
  }

  // MARK: Entitlements

  func note(_ associations: [PurchaseAssociation]) {
    for association in associations { holders[association.key] = association }
  }

  /// Notes associations as stored; those that were not known before are changes.
  func take(_ associations: [PurchaseAssociation], of asked: [PurchaseAssociation]) {
    for association in associations where holders[association.key]?.userID != association.userID {
      if let previous = holders[association.key] {
        noteEntitlement(of: previous.userID, in: previous.bundleID)
      }
      holders[association.key] = association
      guard asked.contains(where: { $0.key == association.key }) else { continue }
      noteEntitlement(of: association.userID, in: association.bundleID)
    }
  }

  func noteEntitlement(of userID: AccountID, in bundleID: String) {
    let user = EntitledUser(userID: userID, bundleID: bundleID)
    if !entitled.contains(user) { entitled.append(user) }
  }

  // MARK: Orders

  func note(_ order: OrderedSubscription?, of userID: AccountID) {
    if let order { claimants[order.purchaseKey] = claimants[order.purchaseKey] ?? userID }
    if orders[userID] == nil { orders[userID] = .some(order) }
  }

  /// Notes an order before it is written.
  func noteChange(of userID: AccountID) async throws {
    changedOrders.insert(userID)
    guard orders[userID] == nil else { return }
    note(try await base.orderedSubscriptions.find(userID), of: userID)
  }

  private func tellOrders() async throws {
    for userID in changedOrders.sorted() {
      guard let before = orders[userID] else { continue }
      let after = try await base.orderedSubscriptions.find(userID)
      guard let kind = kind(of: after, instead: before), let told = after ?? before else {
        continue
      }
      tell(kind, userID, .order(OrderChange(told)))
    }
  }

  private func kind(
    of order: OrderedSubscription?, instead previous: OrderedSubscription?
  ) -> PurchaseEvent.Kind? {
    guard let order else { return previous == nil ? nil : .orderEnded }
    guard let previous, previous.purchaseKey == order.purchaseKey else { return .orderAccepted }
    let (end, before) = (order.expiration, previous.expiration)
    if end <= now, now < before { return .orderEnded }
    if before < end { return .orderRenewed }
    return end < before || order.levelName != previous.levelName ? .orderChanged : nil
  }
}

extension MembershipChange {
  fileprivate init(_ row: Membership, _ previous: Membership?) {
    self.init(
      originalTransactionID: row.isIAP
        ? row.originalTransactionID : previous?.originalTransactionID,
      tier: row.tier, lastDay: row.expireDate, previousLastDay: previous?.expireDate,
      renews: row.autoRenew)
  }
}

extension OrderChange {
  fileprivate init(_ order: OrderedSubscription) {
    self.init(
      vendor: order.vendor, environment: order.environment,
      purchaseID: order.purchaseKey.identifier, level: order.levelName,
      expiresDate: order.expiration)
  }
}
