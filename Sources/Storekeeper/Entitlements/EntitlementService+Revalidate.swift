internal import EntitlementPolicy
internal import JSONValues
internal import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EntitlementService {
  /// Asks for the present state of subscriptions whose next validation is due, at most `limit`.
  ///
  /// The host calls this on a schedule, from any number of workers and processes. Rows are leased a few at a time, so
  /// no two workers ask about the same one, and no transaction is open while Apple is asked. After `leaseDuration`
  /// another worker may take a row. A source that is down is asked no further in this call, so that its users hold up
  /// no others. When the task is cancelled, rows that were not asked about are given back. Source: entitlement rules,
  /// section 9.
  @discardableResult
  public func revalidateDue(
    limit: Int = 100, leaseDuration: Duration = .seconds(600)
  ) async throws -> RevalidationRun {
    var rounds: [String: SourceRound] = [:]
    var run = RevalidationRun()
    var left = limit
    while left > 0, !Task.isCancelled {
      let (now, count) = (now(), min(left, Self.leaseCount))
      let lease = ValidationLease(
        token: LeaseToken.random(), until: now + leaseDuration.timeInterval)
      let due = try await store.write { records in
        try await records.validations.lease(
          now: now, until: lease.until, token: lease.token, limit: count)
      }
      for row in due { await revalidate(row, under: lease, in: &rounds, &run) }
      guard due.count == count else { break }
      left -= count
    }
    return run
  }

  private static let leaseCount = 8

  private func revalidate(
    _ row: StoredValidation, under lease: ValidationLease, in rounds: inout [String: SourceRound],
    _ run: inout RevalidationRun
  ) async {
    // After the end of the lease another worker may have the row.
    guard !Task.isCancelled, now() < lease.until else { return await giveBack(row, lease) }
    do {
      guard let app = apps[row.state.bundleID] else {
        try await postpone(row, lease, to: nil)
        run.succeeded += 1
        return
      }
      let round = rounds[app.bundleID] ?? round(about: [app])
      rounds[app.bundleID] = round
      if try await revalidate(row, in: app, round) { run.failed += 1 } else { run.succeeded += 1 }
    } catch is CancellationError {
      await giveBack(row, lease)
    } catch {
      report(.refreshFailed(error is EntitlementFailure ? "evidence" : "storage"))
      run.failed += 1
      // The row must not come first again and again.
      try? await postpone(row, lease, to: nextTry(row, after: error))
    }
  }

  /// Returns the date of the next try after a failure of the database; nil after one that does not pass.
  private func nextTry(_ row: StoredValidation, after error: any Error) -> Date? {
    if error is EntitlementFailure { return nil }
    if case StorageFailure.invalidValue = error { return nil }
    guard let app = apps[row.state.bundleID] else { return nil }
    let now = now()
    return ValidationSchedule(options: app.options).nextTry(
      afterFailuresSince: row.state.firstFailureDate ?? now, at: now, chance: chance())
  }

  /// Asks for the present state of a row's subscriptions, and of all purchases whose state could not be learned
  /// before; returns whether one can't be learned now.
  private func revalidate(
    _ row: StoredValidation, in app: EntitledApp, _ round: SourceRound
  ) async throws -> Bool {
    let rows = try await store.read { try await $0.holdings(of: row.userID, in: [app.bundleID]) }
    let unanswered = Set(rows.unanswered.map(\.key))
    let purchases = rows.questions(about: app)
      .filter { $0.isTimed || unanswered.contains($0.purchase.key) }.map(\.purchase)
    let present = try await presentState(of: purchases, in: round)
    let now = now()
    do {
      try await recording(at: now) { recorder, unit in
        _ = try await recorder.write(try await recorder.prepare(present.facts, in: unit), in: unit)
        guard try await unit.validations.find(row.userID, bundleID: app.bundleID) != nil else {
          throw UserErased()
        }
        _ = try await note(present, of: row.userID, in: app, asked: [app], at: now, unit)
      }
    } catch is UserErased {
      return false
    }
    return !present.unreachable.isEmpty
  }

  /// Puts off a row that can't be validated now, for the longest time if there is no date.
  ///
  /// Only the plan is written: the state may have changed since the row was leased.
  private func postpone(
    _ row: StoredValidation, _ lease: ValidationLease, to date: Date?
  ) async throws {
    let date = date ?? now() + ValidationSchedule.longestInterval.timeInterval
    try await store.write { records in
      try await records.validations.postpone(
        row.userID, bundleID: row.state.bundleID, to: date, token: lease.token)
    }
  }

  private func giveBack(_ row: StoredValidation, _ lease: ValidationLease) async {
    // A lease that stays ends by itself.
    try? await store.writeDespiteCancellation { records in
      try await records.validations.giveBack(
        row.userID, bundleID: row.state.bundleID, token: lease.token)
    }
  }
}

/// The row of a user is no longer there, so that nothing of what was learned is recorded.
private struct UserErased: Error {}

private struct ValidationLease: Sendable {
  let token: String
  let until: Date
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
