public import LinkPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The records of subscriptions and their owners, beside those that all capabilities have in common.
public protocol SubscriptionRecords {
  var storedSubscriptions: any SubscriptionRepository { get }
  var memberships: any MembershipRepository { get }
  var refreshes: any RefreshRepository { get }

  /// Returns the rows of these subscriptions, then the memberships of an account or of one of them:
  /// found, and locked, as ``storedSubscriptions`` and ``memberships`` do it.
  ///
  /// A store may ask for both in one exchange with its server; the default asks one after the other.
  func find(_ originalTransactionIDs: [String], account: Account?) async throws -> LinkRows

  /// Returns the evidence of these subscriptions, then the memberships that carry one of
  /// `appleSubscriptionIDs`: found, and locked, as `purchases` and ``memberships`` do it.
  ///
  /// As with ``find(_:account:)``. `purchases` are those of the same unit of work; a store that
  /// reads all at once may ignore them.
  func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String], purchases: any PurchaseRepository
  ) async throws -> EvidenceRows
}

extension SubscriptionRecords {
  /// Asks for one after the other.
  public func find(
    _ originalTransactionIDs: [String], account: Account?
  ) async throws -> LinkRows {
    let found = try await storedSubscriptions.find(originalTransactionIDs)
    return LinkRows(
      subscriptions: found,
      memberships: try await memberships.find(
        account: account, appleSubscriptionIDs: originalTransactionIDs))
  }

  /// Asks for one after the other.
  public func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String], purchases: any PurchaseRepository
  ) async throws -> EvidenceRows {
    let transactions = try await purchases.transactions(
      of: originalTransactionIDs, environment: environment)
    let renewals = try await purchases.renewals(
      of: originalTransactionIDs, environment: environment)
    return EvidenceRows(
      transactions: transactions, renewals: renewals,
      memberships: try await memberships.find(
        account: nil, appleSubscriptionIDs: appleSubscriptionIDs))
  }
}

/// The refresh job's leases, next tries and runs.
///
/// Source: `Documentation/rules/linking-rules.md`.
public protocol RefreshRepository {
  /// Leases subscriptions that are due, earliest expiry first, then by id.
  ///
  /// A subscription is due if it renews automatically or nobody has told whether it does, expires before
  /// `horizon` or is in billing retry, did not expire before `oldest`, and its next try is reached. Somebody has
  /// told where entries about its renewal were recorded, or replaced, also by none. The first entry, and without
  /// one a new end, take a subscription of which nobody had told off hold. A row with a live lease is never
  /// leased, so no two workers have the same one.
  ///
  /// After an outage, many waits end at once. A store may then consider only the thousand (or `limit`, if
  /// that is more) that ended first, and leave the others to the next calls, so that a call stays short;
  /// the order holds among these only.
  func lease(_ request: RefreshLeaseRequest) async throws -> [RefreshLease]

  /// Ends a lease and sets the next try; returns false, and changes nothing, if the token no longer holds it.
  func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) async throws -> Bool

  /// Gives a lease back without a refresh.
  func giveBack(_ lease: RefreshLease) async throws

  /// Begins a run, and returns its number.
  func beginRun(now: Date) async throws -> Int

  /// Ends a run.
  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) async throws

  /// Returns the latest runs, newest first.
  func runs(limit: Int) async throws -> [RefreshRun]
}

/// Subscriptions and the memberships that concern them.
public struct LinkRows: Hashable, Sendable {
  /// The subscriptions, in ascending order of id as text.
  public var subscriptions: [StoredSubscription]
  /// The memberships, in ascending order of compound id.
  public var memberships: [Membership]

  /// Creates the rows of two tables.
  public init(subscriptions: [StoredSubscription], memberships: [Membership]) {
    self.subscriptions = subscriptions
    self.memberships = memberships
  }
}

/// The evidence of subscriptions, and the memberships that follow them.
public struct EvidenceRows: Hashable, Sendable {
  public var transactions: [PurchaseRecord]
  public var renewals: [RenewalRecord]
  /// The memberships, in ascending order of compound id.
  public var memberships: [Membership]

  /// Creates the rows of three tables.
  public init(
    transactions: [PurchaseRecord], renewals: [RenewalRecord], memberships: [Membership]
  ) {
    self.transactions = transactions
    self.renewals = renewals
    self.memberships = memberships
  }
}

extension [RenewalRecord] {
  /// The last renewal of each product.
  ///
  /// Products are compared byte by byte; all renewals without a product stay.
  package var lastOfEachProduct: [RenewalRecord] {
    var seen: Set<[UInt8]> = []
    let kept = reversed().filter { renewal in
      renewal.productID.map { seen.insert([UInt8]($0.utf8)).inserted } ?? true
    }
    return kept.reversed()
  }
}

/// A request for leases of the refresh job.
public struct RefreshLeaseRequest: Hashable, Sendable {
  public var now: Date
  /// The latest expiry of due subscriptions that are not in billing retry.
  public var horizon: Date
  /// The earliest expiry of due subscriptions.
  public var oldest: Date
  public var limit: Int
  /// The worker's token: 1 to 64 visible characters.
  public var token: String
  /// The end of the leases.
  public var until: Date

  /// Creates a request.
  public init(
    now: Date, horizon: Date, oldest: Date, limit: Int, token: String, until: Date
  ) {
    self.now = now
    self.horizon = horizon
    self.oldest = oldest
    self.limit = limit
    self.token = token
    self.until = until
  }
}

/// A lease of a subscription for one worker of the refresh job.
public struct RefreshLease: Hashable, Sendable {
  public var originalTransactionID: String
  public var environment: AppStoreEnvironment
  /// The number of consecutive failures.
  public var failures: Int
  public var token: String
  /// The end of a subscription of which nobody has told whether it renews; nil for one that renews.
  ///
  /// It is asked about once before the end and once after.
  public var untoldEnd: Date?

  /// Creates a lease.
  public init(
    originalTransactionID: String, environment: AppStoreEnvironment, failures: Int, token: String,
    untoldEnd: Date? = nil
  ) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
    self.failures = failures
    self.token = token
    self.untoldEnd = untoldEnd
  }
}

/// One run of the refresh job.
public struct RefreshRun: Hashable, Sendable {
  public var number: Int
  public var succeeded: Int
  public var failed: Int
  public var startDate: Date
  /// The end of the run; nil while it runs, and for ever if it was killed.
  public var endDate: Date?

  /// Creates a run.
  public init(number: Int, succeeded: Int, failed: Int, startDate: Date, endDate: Date?) {
    self.number = number
    self.succeeded = succeeded
    self.failed = failed
    self.startDate = startDate
    self.endDate = endDate
  }
}
