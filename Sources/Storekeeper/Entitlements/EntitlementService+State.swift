internal import EntitlementPolicy
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The state of a user's validation, which follows from what a unit of work has recorded.
extension EntitlementService {
  /// Notes what was learned about purchases of a user in some apps, and plans the next validation in each.
  ///
  /// The rows of the user are locked before the purchases are read, so that the plans follow from all of them.
  /// A failure is noted for the purchases that nobody could speak about, and ends for those whose state was
  /// proven, or about which nobody can be asked.
  ///
  /// Evidence that was uploaded for an app is a success, even without purchases. `asked` has the apps whose purchases
  /// were asked about: `app`, or some that count for it. Returns what is stored then about the user in all of these.
  /// Source: entitlement rules, sections 4.1 and 9.
  func note(
    _ present: PresentState, isUpload: Bool = false, of userID: AccountID, in app: EntitledApp,
    asked: [EntitledApp], at now: Date, _ records: UnitOfWork
  ) async throws -> HoldingRows {
    let locked = try await records.lockValidations(of: userID, in: asked.map(\.bundleID))
    var rows = try await records.holdings(of: userID, in: app.readBundleIDs)
    for known in locked {
      guard let app = asked.first(where: { $0.bundleID.isSameText(as: known.bundleID) }) else {
        continue
      }
      let state = try await note(
        present, isUpload: isUpload, over: known, in: app, &rows, at: now, records)
      rows.validations.removeAll { $0.bundleID.isSameText(as: app.bundleID) }
      rows.validations.append(state)
      if state != known { try await records.validations.save(state, of: userID) }
    }
    return rows
  }

  /// Notes the failures of purchases in an app, and returns the state of its validation then.
  private func note(
    _ present: PresentState, isUpload: Bool, over known: AppValidation, in app: EntitledApp,
    _ rows: inout HoldingRows, at now: Date, _ records: UnitOfWork
  ) async throws -> AppValidation {
    var state = known
    let own = rows.keys(of: app)
    let unreachable = present.unreachable.intersection(own)
      .subtracting(rows.provenKeys(since: present.askedDate, state))
    try await rows.note(
      failed: unreachable, ended: own.intersection(present.proven.union(present.silent)),
      at: now, in: records)
    state.firstFailureDate = rows.firstFailureDate(of: own)
    let isAnswered = isUpload || !present.proven.isDisjoint(with: own)
    if isAnswered { state.validatedDate = now }
    if !unreachable.isEmpty {
      (state.lastFailureDate, state.lastFailure) = (now, .unreachable)
    } else if !isAnswered, !present.refused.isDisjoint(with: own) {
      (state.lastFailureDate, state.lastFailure) = (now, .refused)
    }
    state.nextValidationDate = plan(state, rows.purchases(of: app), isAnswered, in: app, at: now)
    return state
  }

  private func plan(
    _ state: AppValidation, _ purchases: AppPurchases, _ isAnswered: Bool, in app: EntitledApp,
    at now: Date
  ) -> Date? {
    let schedule = ValidationSchedule(options: app.options)
    let known = purchases.subscriptions.filter { $0.firstFailureDate == nil }
    var next = schedule.nextValidation(of: known, validatedAt: state.validatedDate ?? now)
    if !isAnswered {
      // Nobody can tell more for now.
      next = next.map { max($0, now + ValidationSchedule.longestInterval.timeInterval) }
    }
    let retry = state.firstFailureDate.flatMap {
      schedule.nextTry(afterFailuresSince: $0, at: now, chance: chance())
    }
    return [next, retry].compactMap(\.self).min()
  }

  /// Ends the failures of purchases that were proven otherwise than by asking, and plans the next validation of
  /// a user that has no other.
  ///
  /// While the state of another purchase of the user can't be learned, the plan stays as it is.
  func follow(
    _ proven: Set<PurchaseKey>, of userID: AccountID, in app: EntitledApp, at now: Date,
    _ records: UnitOfWork
  ) async throws {
    guard var state = try await records.validations.find(userID, bundleID: app.bundleID) else {
      return
    }
    let known = state
    var rows = try await records.holdings(of: userID, in: [app.bundleID])
    try await rows.note(failed: [], ended: proven, at: now, in: records)
    state.firstFailureDate = rows.unanswered.map(\.firstFailureDate).min()
    if state.firstFailureDate == nil {
      state.nextValidationDate = ValidationSchedule(options: app.options).nextValidation(
        of: rows.purchases(of: app).subscriptions, validatedAt: state.validatedDate ?? now)
    }
    guard state != known else { return }
    try await records.validations.save(state, of: userID)
  }
}

extension UnitOfWork {
  /// Locks the rows of a user's validations in some apps, in the one order that all units of work have; missing rows
  /// are added.
  func lockValidations(
    of userID: AccountID, in bundleIDs: [String]
  ) async throws -> [AppValidation] {
    var locked: [AppValidation] = []
    for bundleID in bundleIDs.uniqueInOrderOfBytes {
      locked.append(try await validations.lock(userID, bundleID: bundleID))
    }
    return locked
  }
}

extension HoldingRows {
  /// Returns the keys of purchases whose state was proven after sources were asked, so that their failure to answer
  /// tells nothing any more.
  ///
  /// Evidence that changed no row shows in the date of the validation alone.
  fileprivate func provenKeys(since date: Date?, _ state: AppValidation) -> Set<PurchaseKey> {
    guard let date else { return [] }
    if state.validatedDate.map({ date < $0 }) ?? false {
      return Set(associations.map(\.key))
    }
    return Set(
      transactions.compactMap { record in
        guard let environment = record.environment, let signed = record.signedDate, date < signed
        else { return nil }
        return PurchaseKey(
          originalTransactionID: record.originalTransactionID, environment: environment)
      })
  }

  /// Notes the failures of purchases, and ends those of others; what did not change is not written.
  fileprivate mutating func note(
    failed: Set<PurchaseKey>, ended: Set<PurchaseKey>, at now: Date,
    in records: UnitOfWork
  ) async throws {
    let noted = Set(unanswered.map(\.key))
    let new = failed.subtracting(noted).compactMap { purchase in
      purchase.originalTransactionID.map {
        UnansweredPurchase(
          environment: purchase.environment, originalTransactionID: $0, firstFailureDate: now)
      }
    }.sorted { $0.originalTransactionID < $1.originalTransactionID }
    if !new.isEmpty { try await records.validations.note(new) }
    let over = Dictionary(grouping: noted.filter(ended.contains), by: \.environment)
    for (environment, keys) in over {
      try await records.validations.endFailures(
        of: keys.compactMap(\.originalTransactionID).sorted(), environment: environment)
    }
    unanswered = unanswered.filter { !ended.contains($0.key) } + new
  }
}
