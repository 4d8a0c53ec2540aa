internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

// Purchases that another user has, and that the host lets move to whoever uploads them.
//
// Source: entitlement rules, section 7; linking rules, section 2.4.
extension AssociationClaim {
  /// A purchase of another user that is claimed.
  struct Move {
    let id: String
    let environment: AppStoreEnvironment
    let owner: AccountID
    /// The association of the other user; nil if another capability knows the owner.
    var held: PurchaseAssociation?

    var purchase: PurchaseKey {
      PurchaseKey(originalTransactionID: id, environment: environment)
    }
  }

  /// Returns whether all of some purchases may move; the claim to the first that may not is recorded.
  func mayMove(
    _ moves: [Move], _ prepared: FactsRecorder.Prepared, in unit: UnitOfWork
  ) async throws -> Bool {
    for move in moves where try await !mayMove(move, prepared, in: unit) {
      try await record(claimTo: move.id, of: move.owner, in: unit.associations)
      return false
    }
    return true
  }

  /// Returns whether a purchase may move; one that is not in the evidence itself stays.
  private func mayMove(
    _ move: Move, _ prepared: FactsRecorder.Prepared, in unit: UnitOfWork
  ) async throws -> Bool {
    let told = prepared.facts.filter { !$0.isAncestor && $0.environment == move.environment }
    guard isShown, told.contains(where: { $0.originalTransactionIDs.contains(move.id) }) else {
      return false
    }
    return try await mover(in: unit).mayMove(
      move.purchase, continuing: told.flatMap { $0.previousIDs(of: move.id) },
      by: app.options.transfer, ownTokens: ownTokens
    ) { try await isLapsed(move, told, in: unit) }
  }

  /// Gives purchases of other users to the user, and records each move.
  func carryOut(
    _ moves: [Move], to holder: AccountID, in unit: UnitOfWork
  ) async throws {
    var mover = mover(in: unit)
    mover.receiver = holder
    for move in moves {
      if let held = move.held {
        try await mover.give(held, to: holder)
      } else {
        try await record(claimTo: move.id, of: move.owner, in: unit.associations)
      }
      try await mover.move(move.purchase, from: [Account(id: move.owner)])
    }
  }

  private func mover(in unit: UnitOfWork) -> PurchaseMover {
    PurchaseMover(
      capability: .entitlements, identifiers: identifiers, knowsTokens: knowsTokens, now: now,
      unit: unit)
  }

  /// Whether a purchase gives its owner nothing now: the owner is no subscriber in the app by anything that the owner
  /// has or the upload tells, the purchase is none for good, and the other capabilities show nothing of it.
  private func isLapsed(
    _ move: Move, _ told: [PurchaseFacts], in unit: UnitOfWork
  ) async throws -> Bool {
    guard try await !mover(in: unit).givesSomething(move.purchase) else { return false }
    let (id, environment) = (move.id, move.environment)
    let rows = try await unit.holdings(of: move.owner, in: [app.bundleID])
    let stored = try await unit.purchases.transactions(of: [id], environment: environment)
    let renewals = try await unit.purchases.renewals(of: [id], environment: environment)
    // What else the upload has is the user's own.
    let held = Set(rows.associations.map(\.originalTransactionID) + [id])
    let transactions = PurchaseHistory.newestCopies(
      of: rows.transactions + stored
        + told.flatMap(\.purchases).filter { held.contains($0.originalTransactionID) })
    let purchases = AppPurchases(
      bundleID: app.bundleID, transactions: transactions,
      renewals: told.flatMap(\.renewals).filter { held.contains($0.originalTransactionID) }
        + rows.renewals + renewals, catalog: app.catalog,
      durations: app.options.durations)
    // Whatever counts for the user: the owner may be a tester.
    let options = app.counting(.all).options
    let entitlements = Entitlements(
      of: Holdings(
        purchases: purchases,
        validations: [AppValidation(bundleID: app.bundleID, validatedDate: now)]),
      catalog: app.catalog, options: options, at: now)
    let products = Set(
      transactions.filter { $0.originalTransactionID == id }.map(\.productID))
    return !entitlements.isSubscriber
      && products.isDisjoint(with: entitlements.purchasedProducts)
  }
}
