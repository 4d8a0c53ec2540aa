public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a worker of the refresh job asks for.
public struct RefreshLeaseRequest: Hashable, Sendable {
  /// The present moment.
  public var now: Date
  /// Subscriptions that expire after this are not due, unless they are in billing retry.
  public var horizon: Date
  /// Subscriptions that expired before this are not due any more.
  public var oldest: Date
  /// The most rows.
  public var limit: Int
  /// The worker's token: 1 to 64 visible characters.
  public var token: String
  /// When the leases end.
  public var until: Date

  /// A request.
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

/// A subscription that one worker refreshes for a while.
public struct RefreshLease: Hashable, Sendable {
  /// The subscription.
  public var originalTransactionID: String
  /// The environment of the stored row.
  public var environment: AppStoreEnvironment
  /// How often refreshing failed in a row.
  public var failures: Int
  /// The worker's token.
  public var token: String

  /// A lease.
  public init(
    originalTransactionID: String, environment: AppStoreEnvironment, failures: Int, token: String
  ) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
    self.failures = failures
    self.token = token
  }
}

/// One run of the refresh job.
public struct RefreshRun: Hashable, Sendable {
  /// Its number.
  public var number: Int
  /// How many rows were refreshed.
  public var succeeded: Int
  /// How many failed.
  public var failed: Int
  /// When it began.
  public var startDate: Date
  /// When it ended; nil while it runs, and for ever if it was killed.
  public var endDate: Date?

  /// A run.
  public init(number: Int, succeeded: Int, failed: Int, startDate: Date, endDate: Date?) {
    self.number = number
    self.succeeded = succeeded
    self.failed = failed
    self.startDate = startDate
    self.endDate = endDate
  }
}
