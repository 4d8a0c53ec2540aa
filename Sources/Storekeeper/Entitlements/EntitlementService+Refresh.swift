public import EntitlementPolicy
internal import PurchaseStorage
public import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EntitlementService {
  /// Asks for the present state of everything that a user bought in an app, and records the answers.
  ///
  /// What the user acquired stays. Purchases that no source can answer for keep their stored state.
  ///
  /// Source: entitlement rules, section 5.4.
  ///
  /// - Parameters:
  ///   - userID: The user.
  ///   - bundleID: The app.
  /// - Returns: What the user may use afterwards, and the purchases whose state could not be learned.
  /// - Throws: ``EntitlementFailure/receiptMissing`` if the user bought nothing,
  ///   ``EntitlementFailure/unknownApp``, or an error of the store.
  @discardableResult
  public func restore(
    _ userID: AccountID, in bundleID: String
  ) async throws -> RestoreAnswer {
    try await refresh(userID, in: app(bundleID))
  }

  func refresh(_ userID: AccountID, in app: EntitledApp) async throws -> RestoreAnswer {
    let rows = try await store.read { try await $0.holdings(of: userID, in: [app.bundleID]) }
    guard !rows.associations.isEmpty else { throw EntitlementFailure.receiptMissing }
    return try await record(try await presentState(of: rows.references), of: userID, in: app)
  }

  /// Asks the sources about purchases.
  ///
  /// After a failure no further purchase is asked about, because the next one would most likely fail too.
  func presentState(of purchases: [PurchaseReference]) async throws -> PresentState {
    var state = PresentState()
    for purchase in purchases where !state.answers(for: purchase) {
      guard state.failure == nil else {
        state.failed.append(purchase)
        continue
      }
      do {
        guard let facts = try await sources.facts(about: purchase, report: report) else { continue }
        guard facts.environment == purchase.environment else { continue }
        state.facts.append(facts)
      } catch let failure as SubscriptionFailure {
        state.failed.append(purchase)
        state.failure = ValidationFailure(failure)
      }
    }
    return state
  }

  /// Records the present state of a user's purchases, and whether it could be learned.
  func record(
    _ present: PresentState, of userID: AccountID, in app: EntitledApp
  ) async throws -> RestoreAnswer {
    let now = now()
    let entitlements = try await recording(
      { keeper, records in
        for facts in present.facts { try await keeper.keep(facts, in: records) }
        let records = records.entitlements
        if let failure = present.failure {
          return try await fail(failure, userID, in: app, at: now, records)
        }
        guard present.facts.isEmpty else {
          return try await succeed(userID, in: app, at: now, records).entitlements
        }
        return try await postpone(userID, in: app, at: now, records)
      }, at: now)
    return RestoreAnswer(
      entitlements: entitlements, failed: present.failed.map(\.originalTransactionID))
  }

  /// Notes a failure to learn the present state.
  private func fail(
    _ failure: ValidationFailure, _ userID: AccountID, in app: EntitledApp, at now: Date,
    _ records: any EntitlementRecords
  ) async throws -> Entitlements {
    try await update(userID, in: app, at: now, records) { state in
      let first = state.firstFailureDate ?? now
      state.firstFailureDate = first
      state.lastFailureDate = now
      state.lastFailure = failure
      state.nextValidationDate = ValidationSchedule(options: app.options)
        .nextTry(afterFailuresSince: first, at: now, chance: chance())
    }
  }

  /// Lets the stored state stand where no source can answer, which is no failure.
  private func postpone(
    _ userID: AccountID, in app: EntitledApp, at now: Date, _ records: any EntitlementRecords
  ) async throws -> Entitlements {
    try await update(userID, in: app, at: now, records) { state in
      guard let next = state.nextValidationDate, next <= now else { return }
      state.nextValidationDate = now + ValidationSchedule.longestInterval
    }
  }

  private func update(
    _ userID: AccountID, in app: EntitledApp, at now: Date, _ records: any EntitlementRecords,
    _ change: (inout AppValidation) -> Void
  ) async throws -> Entitlements {
    var rows = try await records.holdings(of: userID, in: app.readBundleIDs)
    var state =
      try await records.validations.find(userID, bundleID: app.bundleID)
      ?? AppValidation(bundleID: app.bundleID)
    change(&state)
    try await records.validations.save(state, of: userID)
    rows.replace(state)
    return rows.entitlements(in: app, at: now)
  }
}

/// The answer to a request to restore purchases.
public struct RestoreAnswer: Sendable {
  /// What the user may use afterwards.
  public let entitlements: Entitlements
  /// The original transaction IDs of the purchases whose present state could not be learned.
  public let failed: [String]
}

/// The present state of purchases, as sources told it.
struct PresentState: Sendable {
  var facts: [PurchaseFacts] = []
  var failure: ValidationFailure?
  /// The purchases about which a source failed, or was not asked because of that.
  var failed: [PurchaseReference] = []

  /// Whether the facts tell about a purchase already.
  func answers(for purchase: PurchaseReference) -> Bool {
    facts.contains { facts in
      facts.environment == purchase.environment
        && facts.purchases.contains {
          $0.originalTransactionID == purchase.originalTransactionID
        }
    }
  }
}

extension HoldingRows {
  /// The purchases about which sources are asked, subscriptions first.
  var references: [PurchaseReference] {
    let subscriptions = Set(
      transactions.filter { $0.expiresDate != nil }.map(\.originalTransactionID))
    return associations.map { association in
      PurchaseReference(
        originalTransactionID: association.originalTransactionID,
        environment: association.environment,
        isSubscription: subscriptions.contains(association.originalTransactionID))
    }.sorted { one, other in
      one.isSubscription == other.isSubscription
        ? one.originalTransactionID < other.originalTransactionID : one.isSubscription
    }
  }
}

extension ValidationFailure {
  /// Creates the kind of a failure of a source.
  init(_ failure: SubscriptionFailure) {
    if case .verification(.refused) = failure { self = .refused } else { self = .unreachable }
  }
}
