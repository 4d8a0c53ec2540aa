internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

// Purchases that another user has, and that the host lets move to whoever uploads them.
//
// Source: entitlement rules, section 7; linking rules, section 2.4.
extension AssociationClaim {
  /// A purchase of another user that is claimed.
  struct Move {
    let purchase: PurchaseKey
    let owner: AccountID
    /// The association of the other user; nil if another capability knows the owner.
    var held: PurchaseAssociation?

    var id: String { purchase.originalTransactionID ?? "" }
  }

  /// Returns whether a purchase may move; one that has the owner's own mark stays.
  func mayMove(
    _ move: Move, _ prepared: FactsRecorder.Prepared, in unit: UnitOfWork
  ) async throws -> Bool {
    guard move.held?.evidence != .appAccountToken else { return false }
    return try await mover(in: unit).mayMove(move.purchase, by: app.options.transfer) {
      try await isLapsed(move, prepared, in: unit)
    }
  }

  /// Gives purchases of other users to the user, and records each move.
  func carryOut(
    _ moves: [Move], to holder: AccountID, in unit: UnitOfWork
  ) async throws {
    let mover = mover(in: unit)
    for move in moves {
      if var held = move.held {
        (held.userID, held.associatedDate) = (holder, now)
        held.evidence = .receipt
        try await unit.associations.replace(held)
      }
      try await mover.takeAlong([move.purchase])
      try await mover.record(move.purchase, from: Account(id: move.owner))
    }
  }

  private func mover(in unit: UnitOfWork) -> PurchaseMover {
    PurchaseMover(capability: .entitlements, identifiers: identifiers, now: now, unit: unit)
  }

  /// Whether a purchase gives its owner nothing now, by what is stored and what the upload says.
  private func isLapsed(
    _ move: Move, _ prepared: FactsRecorder.Prepared, in unit: UnitOfWork
  ) async throws -> Bool {
    let (id, environment) = (move.id, move.purchase.environment)
    let told = prepared.facts.filter { $0.environment == environment }
    let stored = try await unit.purchases.transactions(of: [id], environment: environment)
    let renewals = try await unit.purchases.renewals(of: [id], environment: environment)
    let purchases = AppPurchases(
      bundleID: app.bundleID,
      transactions: PurchaseHistory.newestCopies(
        of: stored + told.flatMap(\.purchases).filter { $0.originalTransactionID == id }),
      renewals: told.flatMap(\.renewals).filter { $0.originalTransactionID == id } + renewals,
      catalog: app.catalog, durations: app.options.durations)
    let entitlements = Entitlements(
      of: Holdings(
        purchases: purchases,
        validations: [AppValidation(bundleID: app.bundleID, validatedDate: now)]),
      catalog: app.catalog, options: app.options, at: now)
    return !entitlements.isSubscriber && entitlements.purchasedProducts.isEmpty
  }
}
