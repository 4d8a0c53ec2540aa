internal import EntitlementPolicy
public import JWSVerifier
public import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A service that remembers which purchases belong to which user, and answers what a user may use.
///
/// ```swift
/// let entitlements = try EntitlementService(
///   store: store.forEntitlements, apps: [EntitledApp(bundleID: "com.example.draw", catalog: catalog)],
///   verifier: verifier)
///
/// try await entitlements.validate(
///   UploadedEvidence(signedTransactions: [token]), for: "alice", in: "com.example.draw")
/// try await entitlements.acquire("com.example.draw.brushes", for: "alice", in: "com.example.draw")
/// let allowed = try await entitlements.products(of: "alice", in: "com.example.draw").allowedProducts
/// ```
///
/// Each request is one transaction of the store, so it takes effect completely or not at all. Any number of
/// requests, services and processes may share a store. The host checks whether the caller may act for the
/// user. Refunds and renewals arrive through ``NotificationService``; ``revalidateDue(limit:leaseDuration:)`` is the
/// safety net, which the host calls on a schedule.
///
/// Source: entitlement rules.
public struct EntitlementService: Sendable {
  /// The store of all records.
  public let store: any EntitlementStore
  /// The subscription service of the same store, whose memberships follow the purchases; nil for a host
  /// without memberships.
  public let subscriptions: SubscriptionService?
  /// The host's accounts, which may know app account tokens; nil for a host without them.
  public let accounts: (any AccountDirectory)?
  /// The verifier of signed transactions; nil to accept none.
  public let verifier: SignedDataVerifier?
  /// The client of verifyReceipt, which is asked about uploaded receipts; nil to ask Apple about none.
  public let appStore: VerifyReceiptClient?
  /// The verifier of receipts that are not sent to Apple; nil to accept none without asking Apple.
  public let receipts: AppReceiptVerifier?
  /// The sources of the present state of a purchase, in the order in which they are asked.
  public let sources: [any PurchaseSource]

  private let currentApps: @Sendable () -> EntitledApps
  /// The store, showing the records that a unit of work about evidence needs.
  let evidenceStore: any PurchaseStore<EvidenceRecords>
  let chance: @Sendable () -> Double
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// The maximum number of signed transactions in a request.
  public static let maximumTransactionCount = 200
  /// The maximum number of purchase tokens in a request; Google is asked about each.
  public static let maximumTokenCount = 20

  /// Creates a service for a host without memberships.
  ///
  /// - Parameters:
  ///   - store: The store of all records.
  ///   - apps: Returns the apps at the moment of a request, so that they can be replaced without a restart.
  ///   - accounts: The host's accounts, if they know app account tokens.
  ///   - verifier: The verifier of signed transactions, which should accept both Production and Sandbox.
  ///   - appStore: The client of verifyReceipt, configured as `.entitlementService` or stricter. With a
  ///     client, stored receipts are the last source.
  ///   - receipts: The verifier of receipts where there is no client.
  ///   - sources: Further sources of the present state of a purchase.
  ///   - chance: Returns a random number from 0 up to 1, which spreads the pauses after failures.
  ///   - now: Returns the present moment; called once for each request.
  ///   - report: Receives problems, for the host's log; by default
  ///     ``ServiceIncident/toStandardError``.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init(
    store: any EntitlementStore, apps: @escaping @Sendable () -> EntitledApps,
    accounts: (any AccountDirectory)? = nil, verifier: SignedDataVerifier? = nil,
    appStore: VerifyReceiptClient? = nil, receipts: AppReceiptVerifier? = nil,
    sources: [any PurchaseSource] = [],
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) throws(StorageFailure) {
    try self.init(
      store: store, evidenceStore: store.narrowed { EvidenceRecords($0) }, subscriptions: nil,
      apps: apps, accounts: accounts, verifier: verifier, appStore: appStore, receipts: receipts,
      sources: sources, chance: chance, now: now, report: report)
  }

  /// Creates a service for a host without memberships, with apps that stay the same.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init(
    store: any EntitlementStore, apps: [EntitledApp], accounts: (any AccountDirectory)? = nil,
    verifier: SignedDataVerifier? = nil, appStore: VerifyReceiptClient? = nil,
    receipts: AppReceiptVerifier? = nil, sources: [any PurchaseSource] = [],
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) throws(StorageFailure) {
    let apps = EntitledApps(apps)
    try self.init(
      store: store, apps: { apps }, accounts: accounts, verifier: verifier, appStore: appStore,
      receipts: receipts, sources: sources, chance: chance, now: now, report: report)
  }

  /// Creates a service that shares a store with a subscription service, whose memberships follow every
  /// purchase that this service records.
  ///
  /// Clock and log are those of the subscription service.
  ///
  /// - Parameters:
  ///   - store: The store of both services.
  ///   - subscriptions: The subscription service.
  ///   - apps: Returns the apps at the moment of a request.
  ///   - verifier: As in the other initializers.
  ///   - appStore: As in the other initializers.
  ///   - receipts: As in the other initializers.
  ///   - sources: Further sources of the present state of a purchase; nil for those of the subscription
  ///     service.
  ///   - chance: As in the other initializers.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init<Store: PurchaseStore>(
    store: Store, subscriptions: SubscriptionService, apps: @escaping @Sendable () -> EntitledApps,
    verifier: SignedDataVerifier? = nil, appStore: VerifyReceiptClient? = nil,
    receipts: AppReceiptVerifier? = nil, sources: [any PurchaseSource]? = nil,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) throws(StorageFailure) where Store.Records: SubscriptionRecords & EntitlementRecords {
    try self.init(
      store: store.forEntitlements,
      evidenceStore: store.narrowed { EvidenceRecords($0, subscriptions: $0) },
      subscriptions: subscriptions, apps: apps, accounts: subscriptions.accounts,
      verifier: verifier, appStore: appStore, receipts: receipts,
      sources: sources ?? subscriptions.sources, chance: chance, now: subscriptions.now,
      report: subscriptions.report)
  }

  private init(
    store: any EntitlementStore, evidenceStore: any PurchaseStore<EvidenceRecords>,
    subscriptions: SubscriptionService?, apps: @escaping @Sendable () -> EntitledApps,
    accounts: (any AccountDirectory)?, verifier: SignedDataVerifier?,
    appStore: VerifyReceiptClient?, receipts: AppReceiptVerifier?,
    sources: [any PurchaseSource], chance: @escaping @Sendable () -> Double,
    now: @escaping @Sendable () -> Date, report: @escaping @Sendable (ServiceIncident) -> Void
  ) throws(StorageFailure) {
    try store.require(.entitlements)
    self.store = store
    self.evidenceStore = evidenceStore
    self.subscriptions = subscriptions
    currentApps = apps
    self.accounts = accounts
    self.verifier = verifier
    self.appStore = appStore
    self.receipts = receipts
    let tiers = ReceiptTiers(store: store.narrowed { $0 }, caches: [], report: report)
    let stored = appStore.map {
      StoredReceiptSource(tiers: tiers, client: $0) { receipt, posted throws(SubscriptionFailure) in
        try PurchaseFacts(allOf: receipt, posted: posted)
      }
    }
    self.sources = sources + (stored.map { [$0] } ?? [])
    self.chance = chance
    self.now = now
    self.report = report
  }

  /// The apps in use now.
  public var apps: EntitledApps { currentApps() }

  /// Returns an app as it is for a user, for whom other environments may count than for all.
  ///
  /// - Parameters:
  ///   - bundleID: The app.
  ///   - userID: The user; nil for evidence of nobody.
  /// - Returns: The app.
  /// - Throws: ``EntitlementFailure/unknownApp``, or an error of the host's accounts.
  func app(_ bundleID: String, for userID: AccountID?) async throws -> EntitledApp {
    guard let app = apps[bundleID] else { throw EntitlementFailure.unknownApp }
    return app.narrowed(
      to: try await app.options.environments.narrowed(to: userID, in: accounts))
  }
}

/// The records of a unit of work about evidence.
struct EvidenceRecords {
  let entitlements: any EntitlementRecords
  /// The records of memberships, if the host has them.
  let subscriptions: (any SubscriptionRecords)?

  init(_ entitlements: any EntitlementRecords, subscriptions: (any SubscriptionRecords)? = nil) {
    self.entitlements = entitlements
    self.subscriptions = subscriptions
  }
}

extension VerifyReceiptClient.Configuration {
  /// The configuration of a client for an ``EntitlementService``.
  ///
  /// As `.subscriptionService`, but receipts without subscriptions are accepted.
  ///
  /// Source: entitlement rules, section 4.
  public static var entitlementService: VerifyReceiptClient.Configuration {
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    configuration.missingSubscriptions = .accept
    return configuration
  }
}
