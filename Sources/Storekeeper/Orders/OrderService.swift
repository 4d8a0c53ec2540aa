public import EntitlementPolicy
public import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A service that takes orders of subscriptions, and checks them again at each login.
///
/// ```swift
/// let orders = try OrderService(store: store.forOrders, vendors: [AppleVendor(receipts: appStore)])
///
/// let bought = try await orders.order(
///   SubscriptionOrder(userID: "alice", vendor: .apple, receiptData: receipt))
/// let present = try await orders.subscriptionForProfile(of: "alice")
/// ```
///
/// A user has one subscription at most. An order is one transaction of the store. Any number of services and
/// processes may share a store: a purchase belongs to the user that ordered with it first. The verified facts
/// behind each answer of a vendor are recorded in the same transaction, and the memberships of a
/// ``SubscriptionService`` that shares the store follow them.
///
/// Source: entitlement rules, sections 12 to 14.
public struct OrderService: Sendable {
  /// The store of all records.
  public let store: any OrderStore
  /// The vendors, each with a name of its own.
  public let vendors: [any PurchaseVendor]
  /// The host's accounts, which may know the marks by which its apps tell a vendor the user; nil for none.
  public let accounts: (any AccountDirectory)?
  /// The settings.
  public let options: OrderOptions
  /// The subscription service of the same store, whose memberships follow the purchases; nil for a host
  /// without memberships.
  public let subscriptions: SubscriptionService?

  /// The store, showing the records that a unit of work about an order needs.
  let unitStore: any PurchaseStore<OrderUnitRecords>
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - store: The store of all records.
  ///   - vendors: The vendors; of two with the same name the first is asked.
  ///   - accounts: The host's accounts, if they know app account tokens.
  ///   - options: The settings.
  ///   - clock: The clock that measures the time of a login.
  ///   - now: Returns the present moment; called once for each request.
  ///   - report: Receives problems, for the host's log; by default
  ///     ``ServiceIncident/toStandardError``.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init(
    store: any OrderStore, vendors: [any PurchaseVendor],
    accounts: (any AccountDirectory)? = nil, options: OrderOptions = OrderOptions(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) throws(StorageFailure) {
    try self.init(
      store: store, unitStore: store.narrowed { OrderUnitRecords($0) }, subscriptions: nil,
      vendors: vendors, accounts: accounts, options: options, clock: clock, now: now,
      report: report)
  }

  /// Creates a service that shares a store with a subscription service, whose memberships follow every
  /// purchase that this service records.
  ///
  /// Accounts, time of day and log are those of the subscription service.
  ///
  /// - Parameters:
  ///   - store: The store of both services.
  ///   - subscriptions: The subscription service.
  ///   - vendors: The vendors; of two with the same name the first is asked.
  ///   - options: The settings.
  ///   - clock: The clock that measures the time of a login.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init<Store: PurchaseStore>(
    store: Store, subscriptions: SubscriptionService, vendors: [any PurchaseVendor],
    options: OrderOptions = OrderOptions(), clock: any Clock<Duration> = ContinuousClock()
  ) throws(StorageFailure) where Store.Records: OrderRecords & SubscriptionRecords {
    try self.init(
      store: store.forOrders,
      unitStore: store.narrowed { OrderUnitRecords($0, subscriptions: $0) },
      subscriptions: subscriptions, vendors: vendors, accounts: subscriptions.accounts,
      options: options, clock: clock, now: subscriptions.now, report: subscriptions.report)
  }

  /// Creates a service that shares a store with an entitlement service of a host without memberships.
  ///
  /// The owner of a purchase also owns one that continues it. Accounts, time of day and log are those of the
  /// entitlement service.
  ///
  /// - Parameters:
  ///   - store: The store of both services.
  ///   - entitlements: The entitlement service.
  ///   - vendors: The vendors; of two with the same name the first is asked.
  ///   - options: The settings.
  ///   - clock: The clock that measures the time of a login.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init<Store: PurchaseStore>(
    store: Store, entitlements: EntitlementService, vendors: [any PurchaseVendor],
    options: OrderOptions = OrderOptions(), clock: any Clock<Duration> = ContinuousClock()
  ) throws(StorageFailure) where Store.Records: OrderRecords & EntitlementRecords {
    try self.init(
      store: store.forOrders,
      unitStore: store.narrowed { OrderUnitRecords($0, entitlements: $0, of: entitlements) },
      subscriptions: nil,
      vendors: vendors, accounts: entitlements.accounts, options: options, clock: clock,
      now: entitlements.now, report: entitlements.report)
  }

  /// Creates a service that shares a store with an entitlement service, and with the subscription service of
  /// that one if it has one.
  ///
  /// The owner of a purchase also owns one that continues it. Accounts, time of day and log are those of the
  /// entitlement service.
  ///
  /// - Parameters:
  ///   - store: The store of all services.
  ///   - entitlements: The entitlement service.
  ///   - vendors: The vendors; of two with the same name the first is asked.
  ///   - options: The settings.
  ///   - clock: The clock that measures the time of a login.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init<Store: PurchaseStore>(
    store: Store, entitlements: EntitlementService, vendors: [any PurchaseVendor],
    options: OrderOptions = OrderOptions(), clock: any Clock<Duration> = ContinuousClock()
  ) throws(StorageFailure)
  where Store.Records: OrderRecords & SubscriptionRecords & EntitlementRecords {
    let subscriptions = entitlements.subscriptions
    try self.init(
      store: store.forOrders,
      unitStore: store.narrowed {
        OrderUnitRecords(
          $0, subscriptions: subscriptions == nil ? nil : $0, entitlements: $0, of: entitlements)
      },
      subscriptions: subscriptions, vendors: vendors, accounts: entitlements.accounts,
      options: options, clock: clock, now: entitlements.now, report: entitlements.report)
  }

  private init(
    store: any OrderStore, unitStore: any PurchaseStore<OrderUnitRecords>,
    subscriptions: SubscriptionService?, vendors: [any PurchaseVendor],
    accounts: (any AccountDirectory)?, options: OrderOptions, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date, report: @escaping @Sendable (ServiceIncident) -> Void
  ) throws(StorageFailure) {
    try store.require(.orders)
    self.store = store
    self.unitStore = unitStore
    self.subscriptions = subscriptions
    self.vendors = vendors
    self.accounts = accounts
    self.options = options
    self.clock = clock
    self.now = now
    self.report = report
  }

  func vendor(_ vendor: Vendor) -> (any PurchaseVendor)? {
    vendors.first { $0.vendor == vendor }
  }

  /// Returns the user whom the mark of a purchase stands for, or nil if it has none that the host knows.
  func markedUser(
    of answer: VendorAnswer, for userID: AccountID? = nil
  ) async throws -> AccountID? {
    guard case .valid(let purchase) = answer, let mark = purchase.accountMark,
      let owner = try await accounts?.account(markedBy: mark)
    else { return nil }
    if let userID, owner.isKnown(as: userID) { return userID }
    return owner.id
  }

  /// Returns the environments whose purchases count for a user.
  func environments(for userID: AccountID) async throws -> CountedEnvironments {
    try await options.environments.narrowed(to: userID, in: accounts)
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
  ///
  /// - Throws: An error of the store.
  public func levels() async throws -> SubscriptionLevels {
    try await store.read { try await $0.levels.all() }
  }

  /// Stores levels instead of the present ones.
  ///
  /// - Throws: ``OrderFailure/levelsInUse(_:)`` if a subscription has a level that is not among them, or an
  ///   error of the store; nothing has changed then.
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
