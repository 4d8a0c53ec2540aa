internal import JSONValues
public import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A job that removes old evidence in small steps.
///
/// Without a configured age it removes nothing.
///
/// The host calls ``run()`` on a schedule, from any number of workers and processes. Each kind of
/// evidence is removed by one worker at a time. Evidence settles disputes, so choose an age that is
/// longer than the time in which a dispute may arise.
///
/// The service does not depend on the removed rows. A notification that is repeated after its key
/// was removed is processed again, and its stamp makes it harmless.
public struct RetentionJob: Sendable {
  /// The settings.
  public struct Configuration: Hashable, Sendable {
    /// The time for which each kind is kept; a kind without an age is kept forever.
    public var ages: [RetainedKind: Duration] = [:]
    /// The number of rows removed in one transaction.
    public var stepSize = 500
    /// The duration of a lease.
    ///
    /// The removal of a kind stops when its lease ends, and the next run continues it.
    public var leaseDuration = Duration.seconds(300)

    /// Creates a configuration that removes nothing.
    public init() {}
  }

  /// An error in the configuration.
  @nonexhaustive
  public enum Failure: Error, Hashable, Sendable {
    /// The age of a kind is below the minimum.
    case tooShort(RetainedKind, minimum: Duration)
  }

  /// The minimum age: the time over which Apple retries a failed notification.
  ///
  /// Apple retries five times: 1, 12, 24, 48 and 72 hours after the previous attempt.
  public static let minimumAge = Duration.seconds(157 * 3600)

  public let configuration: Configuration

  let store: any PurchaseStore
  let now: @Sendable () -> Date

  /// Creates a worker.
  ///
  /// - Throws: ``Failure/tooShort(_:minimum:)`` for an age below ``minimumAge``, or below the duration of a lease.
  public init(
    store: any PurchaseStore, configuration: Configuration,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(Failure) {
    let minimum = max(Self.minimumAge, configuration.leaseDuration)
    for kind in RetainedKind.allCases {
      if let age = configuration.ages[kind], age < minimum {
        throw .tooShort(kind, minimum: minimum)
      }
    }
    self.store = store
    self.configuration = configuration
    self.now = now
  }

  /// Removes the rows that are older than the age of their kind, oldest first, and returns their number for each kind
  /// that has an age.
  ///
  /// When the task is cancelled, the run ends after the current step.
  public func run() async throws -> [RetainedKind: Int] {
    var removed: [RetainedKind: Int] = [:]
    for kind in RetainedKind.allCases where !Task.isCancelled {
      guard let age = configuration.ages[kind] else { continue }
      removed[kind] = try await remove(kind, olderThan: age)
    }
    return removed
  }

  private func remove(_ kind: RetainedKind, olderThan age: Duration) async throws -> Int {
    let (moment, token) = (now(), LeaseToken.random())
    let end = moment + configuration.leaseDuration.timeInterval
    let isOurs = try await store.write { records in
      try await records.retention.lease(kind, now: moment, until: end, token: token)
    }
    guard isOurs else { return 0 }
    let result: Result<Int, any Error>
    do {
      result = .success(try await remove(kind, before: moment - age.timeInterval, until: end))
    } catch {
      result = .failure(error)
    }
    await giveBack(kind, token)
    return try result.get()
  }

  /// Removes rows step by step until none are left, the lease ends or the task is cancelled.
  private func remove(_ kind: RetainedKind, before: Date, until end: Date) async throws -> Int {
    let limit = max(1, configuration.stepSize)
    var total = 0
    while !Task.isCancelled, now() < end {
      let count = try await store.write { records in
        try await records.remove(kind, before: before, limit: limit)
      }
      total += count
      guard count == limit else { break }
    }
    return total
  }

  /// Gives a lease back.
  ///
  /// An error is ignored, because the lease expires anyway.
  private func giveBack(_ kind: RetainedKind, _ token: String) async {
    try? await store.writeDespiteCancellation { records in
      try await records.retention.giveBack(kind, token: token)
    }
  }
}

extension UnitOfWork {
  /// Removes rows of a kind; of memberships there are none in a database without subscriptions.
  fileprivate func remove(
    _ kind: RetainedKind, before: Date, limit: Int
  ) async throws -> Int {
    switch kind {
    case .notifications: try await retention.removeNotifications(before: before, limit: limit)
    case .sessions: try await retention.removeSessions(before: before, limit: limit)
    case .snapshots:
      try await subscriptions?.memberships.removeSnapshots(before: before, limit: limit) ?? 0
    case .consumption:
      try await retention.removeConsumptionCases(before: before, limit: limit)
    }
  }
}
