internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The state of a user's validation, which follows from what a unit of work has recorded.
extension EntitlementService {
  /// The rows of a user after a change, and what the user may use then.
  typealias Updated = (rows: HoldingRows, entitlements: Entitlements)

  /// Notes a successful validation.
  func succeed(
    _ userID: AccountID, in app: EntitledApp, at now: Date, _ records: any EntitlementRecords
  ) async throws -> Updated {
    try await update(userID, in: app, at: now, records) { state, purchases in
      state.validatedDate = now
      state.firstFailureDate = nil
      state.nextValidationDate = ValidationSchedule(options: app.options).nextValidation(
        of: purchases.subscriptions, validatedAt: now)
    }
  }

  /// Changes the state of a user in an app.
  ///
  /// Its row is locked before the purchases are read, so that the plan follows from all of them.
  func update(
    _ userID: AccountID, in app: EntitledApp, at now: Date, _ records: any EntitlementRecords,
    _ change: (inout AppValidation, AppPurchases) -> Void
  ) async throws -> Updated {
    var state = try await lockedState(of: userID, in: app, records)
    var rows = try await records.holdings(of: userID, in: app.readBundleIDs)
    change(&state, rows.purchases(of: app))
    try await records.validations.save(state, of: userID)
    rows.replace(state)
    return (rows, rows.entitlements(in: app, among: apps, at: now))
  }

  /// Returns the state of a user in an app, whose row is locked until the end of the unit of work; a
  /// missing row is added.
  private func lockedState(
    of userID: AccountID, in app: EntitledApp, _ records: any EntitlementRecords
  ) async throws -> AppValidation {
    if let state = try await records.validations.find(userID, bundleID: app.bundleID) {
      return state
    }
    let state = AppValidation(bundleID: app.bundleID)
    try await records.validations.save(state, of: userID)
    return state
  }
}
