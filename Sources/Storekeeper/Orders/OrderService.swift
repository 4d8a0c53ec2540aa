public import OrderPolicy
internal import PurchaseStorage
public import ReceiptModels

/// A service that takes orders of subscriptions, and checks them again at each login.
///
/// ```swift
/// let orders = try OrderService(shop, vendors: [AppleVendor(receipts: appStore)])
///
/// let bought = try await orders.order(
///   SubscriptionOrder(userID: "alice", vendor: .apple, receiptData: receipt))
/// let present = try await orders.subscriptionForProfile(of: "alice")
/// ```
///
/// A user has one subscription at most. An order is one transaction of the store. Any number of services and
/// processes may share a store: a purchase belongs to the user that ordered with it first. The verified facts behind
/// each answer of a vendor are recorded in the same transaction, and the memberships of a ``SubscriptionService``
/// that shares the store follow them. Source: entitlement rules, sections 12 to 14.
public struct OrderService: PurchaseService {
  /// The parts that the service shares with others; its accounts may know the marks by which the host's apps
  /// tell a vendor the user.
  public let context: PurchaseContext
  /// The vendors, each with a name of its own.
  public let vendors: [any PurchaseVendor]
  public let options: OrderOptions
  /// The subscription service of the same store, whose memberships follow the purchases; nil for a host
  /// without memberships.
  public let subscriptions: SubscriptionService?
  /// The entitlement service of the same store, whose entitlements follow the purchases; nil for a host
  /// without entitlements.
  public let entitlements: EntitlementService?

  let clock: any Clock<Duration>

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - context: The parts that the service shares with others.
  ///   - vendors: The vendors; of two with the same name the first is asked.
  ///   - subscriptions: The subscription service of the same store, whose memberships follow every purchase that this
  ///     service records; nil for that of the entitlement service, if there is one.
  ///   - entitlements: The entitlement service of the same store: the owner of a purchase also owns one that
  ///     continues it. Nil for a host without entitlements.
  ///   - options: The settings.
  ///   - clock: The clock that measures the time of a login.
  /// - Throws: ``ServiceFailure/capabilityMissing(_:)`` if the database has no orders, or not what a service that
  ///   follows needs.
  public init(
    _ context: PurchaseContext, vendors: [any PurchaseVendor],
    subscriptions: SubscriptionService? = nil, entitlements: EntitlementService? = nil,
    options: OrderOptions = OrderOptions(), clock: any Clock<Duration> = ContinuousClock()
  ) throws(ServiceFailure) {
    try context.require(.orders)
    if subscriptions != nil { try context.require(.subscriptions) }
    if entitlements != nil { try context.require(.entitlements) }
    self.context = context
    self.vendors = vendors
    self.subscriptions = subscriptions ?? entitlements?.subscriptions
    self.entitlements = entitlements
    self.options = options
    self.clock = clock
  }

  func vendor(_ vendor: Vendor) -> (any PurchaseVendor)? {
    vendors.first { $0.vendor == vendor }
  }

  /// Returns the user whom the mark of a purchase stands for, or nil if it has none that the host knows.
  func markedUser(
    of answer: VendorAnswer, for userID: AccountID? = nil
  ) async throws -> AccountID? {
    guard case .valid(let purchase) = answer, let mark = purchase.accountMark,
      let owner = try await accounts.account(markedBy: mark)
    else { return nil }
    if let userID, owner.isKnown(as: userID) { return userID }
    return owner.id
  }

  /// Returns the environments whose purchases count for a user.
  func environments(for userID: AccountID) async throws -> CountedEnvironments {
    try await options.environments.counting(for: userID, in: accounts, store, at: now())
  }

  /// Reports a failure that somebody should look after.
  func note(
    _ failure: IncidentalFailure, of vendor: Vendor, in vendorReport: VendorReport? = nil
  ) {
    guard failure.needsAttention else { return }
    let source = vendorReport?.source ?? PurchaseScope(vendor: vendor)
    report(.vendorNeedsAttention(failure, of: source))
  }
}

// MARK: Levels

extension OrderService {
  /// Returns the levels that are sold.
  public func levels() async throws -> SubscriptionLevels {
    try await store.read { try await $0.levels.all() }
  }

  /// Stores levels instead of the present ones.
  ///
  /// - Throws: ``OrderFailure/levelsInUse(_:)`` if a subscription has a level that is not among them, or an error of
  ///   the store; nothing has changed then.
  public func replaceLevels(with levels: SubscriptionLevels) async throws {
    try await store.write { records in
      guard try await records.levels.all() != levels else { return }
      let missing = try await records.orderedSubscriptions.levelNames()
        .filter { levels.level(named: $0) == nil }
      guard missing.isEmpty else { throw OrderFailure.levelsInUse(missing) }
      try await records.levels.replace(with: levels)
    }
  }
}

/// The settings of orders.
///
/// Source: entitlement rules, section 12.
public struct OrderOptions: Hashable, Sendable {
  /// The environments whose purchases count; Production and the Sandbox by default.
  ///
  /// The Sandbox also stands for the purchases of Google's license testers.
  public var environments = CountedEnvironments.all
  /// The time for which the answer of a vendor is enough, so that a login does not ask again; 0 by default.
  public var minimumRevalidationInterval: Duration = .zero
  /// The time that a login or a token refresh waits for a vendor; 5 seconds by default.
  public var hookLimit: Duration = .seconds(5)
  /// The purchases of Google that are acknowledged; all that are claimed by default.
  public var acknowledgement = AcknowledgedPurchases.claimed
  /// The rules for purchases that another user orders than the one that has them; by default the first one keeps them.
  ///
  /// A purchase that can be ordered gives something, so that ``/ReceiptModels/TransferRule/ifLapsed`` moves none.
  public var transfer = TransferOptions.never

  /// Creates the default settings.
  public init() {}
}

/// The purchases of Google that are acknowledged; Google refunds the others after three days.
///
/// Source: entitlement rules, section 13.
public enum AcknowledgedPurchases: Hashable, Sendable, CaseIterable {
  /// Every purchase that a user has claimed, in use or not: the claim is a promise.
  case claimed
  /// Only the purchase that a user's subscription rests on.
  ///
  /// The answer to an order whose purchase is not in use then says so.
  case inUse
}

/// The reason why an ``OrderService`` refused an order.
///
/// Errors of the store and of the host's accounts are passed on unchanged. Nothing was written then, unless the store says
/// that it may have committed. Source: entitlement rules, section 14.
@nonexhaustive
public enum OrderFailure: Error, Hashable, Sendable {
  case unknownVendor
  /// The evidence is empty, longer than 1 MiB, or has a zero byte.
  case receiptSize
  /// The evidence gives the user no subscription.
  case refused(ExplicitFailure.Reason)
  /// The vendor could not say whether it does.
  case vendorUnavailable(IncidentalFailure)
  /// Subscriptions have these levels, which therefore cannot be removed.
  case levelsInUse([String])
}
