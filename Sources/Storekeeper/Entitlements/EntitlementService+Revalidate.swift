internal import EntitlementPolicy
internal import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension EntitlementService {
  /// Asks for the present state of subscriptions whose next validation is due.
  ///
  /// The host calls this on a schedule, from any number of workers and processes. Rows are leased, so no
  /// two workers ask about the same one, and no transaction is open while Apple is asked. When the task is
  /// cancelled, rows that were not asked about are given back.
  ///
  /// Source: entitlement rules, section 9.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of rows.
  ///   - leaseDuration: The time after which another worker may take a row, in seconds.
  /// - Returns: The number of rows by result.
  /// - Throws: An error of the store.
  @discardableResult
  public func revalidateDue(
    limit: Int = 100, leaseDuration: TimeInterval = 600
  ) async throws -> RevalidationRun {
    let now = now()
    let token = LeaseToken.random()
    let due = try await store.write { records in
      try await records.validations.lease(
        now: now, until: now + leaseDuration, token: token, limit: limit)
    }
    var run = RevalidationRun()
    for row in due {
      guard !Task.isCancelled else {
        await giveBack(row, token)
        continue
      }
      do {
        let hasFailed = try await revalidate(row)
        if hasFailed { run.failed += 1 } else { run.succeeded += 1 }
      } catch is CancellationError {
        await giveBack(row, token)
      } catch {
        // The next worker takes the row after the lease.
        report(.refreshFailed("storage"))
        run.failed += 1
      }
    }
    return run
  }

  /// Asks for the present state of a row's subscriptions, and returns whether that failed.
  private func revalidate(_ row: StoredValidation) async throws -> Bool {
    guard let app = apps[row.state.bundleID] else {
      try await postpone(row)
      return false
    }
    let rows = try await store.read { try await $0.holdings(of: row.userID, in: [app.bundleID]) }
    let subscriptions = rows.references.filter(\.isSubscription)
    let present = try await presentState(of: subscriptions)
    _ = try await record(present, of: row.userID, in: app)
    return present.failure != nil
  }

  /// Puts off a row of an app that the host does not have now.
  private func postpone(_ row: StoredValidation) async throws {
    var state = row.state
    state.nextValidationDate = now() + ValidationSchedule.longestInterval
    let postponed = state
    try await store.write { records in
      try await records.validations.save(postponed, of: row.userID)
    }
  }

  private func giveBack(_ row: StoredValidation, _ token: String) async {
    let store = store
    // In a task of its own, so that cancellation doesn't prevent it. A lease that stays ends by itself.
    try? await Task {
      try await store.write { records in
        try await records.validations.giveBack(
          row.userID, bundleID: row.state.bundleID, token: token)
      }
    }.value
  }
}

/// The results of a call of ``EntitlementService/revalidateDue(limit:leaseDuration:)``.
public struct RevalidationRun: Hashable, Sendable {
  /// The number of rows whose present state was learned, or that no source can answer for.
  public var succeeded = 0
  /// The number of rows whose present state could not be learned.
  public var failed = 0

  /// Creates the results of a call.
  public init(succeeded: Int = 0, failed: Int = 0) {
    self.succeeded = succeeded
    self.failed = failed
  }
}
