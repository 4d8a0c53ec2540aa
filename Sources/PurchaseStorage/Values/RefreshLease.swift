public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
