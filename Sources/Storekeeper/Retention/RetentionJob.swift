public import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Removes evidence that nobody needs any more, in small steps; nothing unless an age is set.
///
/// A host calls ``run()`` on a schedule, from any number of workers and processes: each kind is removed
/// by one worker at a time. Disputes need evidence: set an age longer than any of yours may come.
///
/// What is removed is not missed by the service: a notification that comes again after its key was
/// removed is taken again, and its stamp makes it harmless.
public struct RetentionJob: Sendable {
  /// The settings.
  public struct Configuration: Hashable, Sendable {
    /// For how many seconds each kind is kept; a kind without an age is kept for ever.
    public var ages: [RetainedKind: TimeInterval] = [:]
    /// How many rows are removed in one transaction.
    public var stepSize = 500
    /// How long a lease lasts, in seconds; a run ends with its leases, and the next one goes on.
    public var leaseDuration: TimeInterval = 300

    /// Nothing is removed.
    public init() {}
  }

  /// Why there is no such job.
  public enum Failure: Error, Hashable, Sendable {
    /// The age of a kind is below the seconds for which it is needed.
    case tooShort(RetainedKind, minimum: TimeInterval)
  }

  /// The seconds for which Apple sends a notification again after it failed: five times, 1, 12, 24, 48
  /// and 72 hours after the one before.
  public static let minimumAge: TimeInterval = 157 * 3600

  /// The settings.
  public let configuration: Configuration

  let store: any SubscriptionStore
  let now: @Sendable () -> Date

  /// Creates a worker.
  ///
  /// - Parameters:
  ///   - store: The store with the evidence.
  ///   - configuration: The settings.
  ///   - now: The time of day.
  /// - Throws: ``Failure/tooShort(_:minimum:)`` for an age below ``minimumAge``, or below the duration
  ///   of a lease.
  public init<Store: PurchaseStore>(
    store: Store, configuration: Configuration, now: @escaping @Sendable () -> Date = { Date() }
  ) throws(Failure) where Store.Records: SubscriptionRecords {
    try self.init(store: store.forSubscriptions, configuration: configuration, now: now)
  }

  /// Creates a worker on a store of exactly the records that it uses.
  ///
  /// - Parameters:
  ///   - store: Where the evidence is.
  ///   - configuration: The settings.
  ///   - now: The time of day.
  /// - Throws: ``Failure/tooShort(_:minimum:)`` for an age below ``minimumAge``, or below the time of
  ///   a lease.
  public init(
    store: any SubscriptionStore, configuration: Configuration,
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

  /// Removes what is older than its age, the oldest first.
  ///
  /// Ends early when the task is cancelled, after the step that is under way.
  ///
  /// - Returns: How many rows of each kind were removed.
  /// - Throws: What the store throws.
  public func run() async throws -> [RetainedKind: Int] {
    var removed: [RetainedKind: Int] = [:]
    for kind in RetainedKind.allCases where !Task.isCancelled {
      guard let age = configuration.ages[kind] else { continue }
      removed[kind] = try await remove(kind, olderThan: age)
    }
    return removed
  }

  private func remove(_ kind: RetainedKind, olderThan age: TimeInterval) async throws -> Int {
    let (moment, token) = (now(), LeaseToken.random())
    let end = moment + configuration.leaseDuration
    let isOurs = try await store.write { records in
      try await records.retention.lease(kind, now: moment, until: end, token: token)
    }
    guard isOurs else { return 0 }
    let result: Result<Int, any Error>
    do {
      result = .success(try await remove(kind, before: moment - age, until: end))
    } catch {
      result = .failure(error)
    }
    await giveBack(kind, token)
    return try result.get()
  }

  /// Step by step, until there is nothing left or the lease is over.
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

  /// In a task of its own, so that it is done also after cancellation; a lease that cannot be given
  /// back now ends by itself.
  private func giveBack(_ kind: RetainedKind, _ token: String) async {
    let store = store
    _ = await Task {
      try await store.write { try await $0.retention.giveBack(kind, token: token) }
    }.result
  }
}

extension SubscriptionRecords {
  fileprivate func remove(
    _ kind: RetainedKind, before: Date, limit: Int
  ) async throws -> Int {
    switch kind {
    case .notifications: try await retention.removeNotifications(before: before, limit: limit)
    case .sessions: try await retention.removeSessions(before: before, limit: limit)
    case .snapshots: try await memberships.removeSnapshots(before: before, limit: limit)
    }
  }
}
