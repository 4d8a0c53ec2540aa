internal import EntitlementPolicy
public import JWSVerifier
internal import LinkPolicy
internal import ReceiptModels
public import ReceiptVerifier
internal import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A service that remembers which purchases belong to which user, and answers what a user may use.
///
/// ```swift
/// let entitlements = try EntitlementService(
///   shop, apps: [EntitledApp(bundleID: "com.example.draw", catalog: catalog)])
///
/// try await entitlements.validate(
///   UploadedEvidence(signedTransactions: [token]), for: "alice", in: "com.example.draw")
/// try await entitlements.acquire("com.example.draw.brushes", for: "alice", in: "com.example.draw")
/// let allowed = try await entitlements.products(of: "alice", in: "com.example.draw").allowedProducts
/// ```
///
/// Each request is one transaction of the store, so it takes effect completely or not at all. Any number of requests,
/// services and processes may share a store. The host checks whether the caller may act for the user. Refunds and
/// renewals arrive through ``NotificationService``; ``revalidateDue(limit:leaseDuration:)`` is the safety net, which
/// the host calls on a schedule. Source: entitlement rules.
public struct EntitlementService: PurchaseService {
  public let context: PurchaseContext
  /// The subscription service of the same store, whose memberships follow the purchases; nil for a host
  /// without memberships.
  public let subscriptions: SubscriptionService?
  /// The client of verifyReceipt, which is asked about uploaded receipts; nil to ask Apple about none.
  public let appStore: VerifyReceiptClient?
  /// The verifier of receipts that are not sent to Apple; nil to accept none without asking Apple.
  public let receipts: AppReceiptVerifier?
  /// The sources of the present state of a purchase, in the order in which they are asked: those of the
  /// context, then the stored receipts.
  public let sources: [any PurchaseSource]

  private let currentApps: @Sendable () -> EntitledApps
  let chance: @Sendable () -> Double

  /// The maximum number of signed transactions in a request.
  public static let maximumTransactionCount = 200
  /// The maximum number of purchase tokens in a request; Google is asked about each.
  public static let maximumTokenCount = 20

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - context: The parts that the service shares with others.
  ///   - subscriptions: The subscription service of the same store, whose memberships follow every purchase that this
  ///     service records; nil for a host without memberships.
  ///   - appStore: The client of verifyReceipt, configured as `.entitlementService` or stricter. With a client,
  ///     stored receipts are the last source.
  ///   - receipts: The verifier of receipts where there is no client.
  ///   - chance: Returns a random number from 0 up to 1, which spreads the pauses after failures.
  ///   - apps: Returns the apps at the moment of a request, so that they can be replaced without a restart.
  /// - Throws: ``ServiceFailure/capabilityMissing(_:)`` if the database has no entitlements.
  public init(
    _ context: PurchaseContext, subscriptions: SubscriptionService? = nil,
    appStore: VerifyReceiptClient? = nil, receipts: AppReceiptVerifier? = nil,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    apps: @escaping @Sendable () -> EntitledApps
  ) throws(ServiceFailure) {
    try context.require(.entitlements)
    if subscriptions != nil { try context.require(.subscriptions) }
    self.context = context
    self.subscriptions = subscriptions
    self.appStore = appStore
    self.receipts = receipts
    self.chance = chance
    currentApps = apps
    let tiers = ReceiptTiers(store: context.store, caches: [], report: context.tell)
    let stored = appStore.map {
      StoredReceiptSource(
        tiers: tiers, evidence: EvidenceVerifier(appStore: $0, telemetry: context.telemetry))
    }
    sources = context.sources + (stored.map { [$0] } ?? [])
  }

  /// Creates a service with apps that stay the same.
  ///
  /// - Throws: ``ServiceFailure/capabilityMissing(_:)`` if the database has no entitlements.
  public init(
    _ context: PurchaseContext, apps: [EntitledApp], subscriptions: SubscriptionService? = nil,
    appStore: VerifyReceiptClient? = nil, receipts: AppReceiptVerifier? = nil
  ) throws(ServiceFailure) {
    let apps = EntitledApps(apps)
    try self.init(
      context, subscriptions: subscriptions, appStore: appStore, receipts: receipts
    ) { apps }
  }

  /// The verifier of signed transactions; nil to accept none.
  public var verifier: SignedDataVerifier? { context.verifier }

  public var apps: EntitledApps { currentApps() }

  /// Does work in a unit of work that records evidence, again after each conflict about a unique key.
  ///
  /// - Throws: ``EntitlementFailure/environmentNotAllowed`` if a subscription is stored for the other environment, an
  ///   error of the work, or an error of the store.
  @discardableResult
  func recording<Result: Sendable>(
    at now: Date,
    _ work: nonisolated(nonsending) @Sendable (FactsRecorder, UnitOfWork) async throws -> Result
  ) async throws -> Result {
    let recorder = recorder(at: now)
    do {
      return try await recorder.recording(in: context) { try await work(recorder, $0) }
    } catch SubscriptionFailure.environmentMismatch {
      throw EntitlementFailure.environmentNotAllowed
    }
  }

  /// Returns a recorder that memberships and entitlements follow.
  func recorder(at now: Date) -> FactsRecorder {
    FactsRecorder(
      memberships: subscriptions?.memberships(because: .verify), entitlements: self, now: now)
  }

  /// Returns an app as it is for a user, for whom other environments may count than for all; nil stands for evidence
  /// of nobody.
  ///
  /// - Throws: ``EntitlementFailure/unknownApp``, or an error of the host's accounts.
  func app(_ bundleID: String, for userID: AccountID?) async throws -> EntitledApp {
    guard let app = apps[bundleID] else { throw EntitlementFailure.unknownApp }
    return app.counting(
      try await app.options.environments.counting(for: userID, in: accounts, store, at: now()))
  }
}

extension VerifyReceiptClient.Configuration {
  /// The configuration of a client for an ``EntitlementService``.
  ///
  /// As `.subscriptionService`, but receipts without subscriptions are accepted. Source: entitlement rules, section
  /// 4.
  public static var entitlementService: VerifyReceiptClient.Configuration {
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    configuration.missingSubscriptions = .accept
    return configuration
  }
}
