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
  /// The acquired products stay. Purchases that no source can answer for keep their stored state.
  ///
  /// Source: entitlement rules, section 5.4.
  ///
  /// - Parameters:
  ///   - userID: The user.
  ///   - bundleID: The app.
  /// - Returns: The products that the user may use afterwards, and the purchases whose state could not be
  ///   learned.
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
    let present = try await presentState(
      of: rows.questions(about: app).map(\.purchase), in: app)
    return try await record(present, of: userID, in: app)
  }

  /// Asks the sources about purchases.
  ///
  /// If a store can't be reached, it is asked about no further purchase, because the next one would most
  /// likely fail too. A purchase that it refuses to answer for says nothing about the others.
  func presentState(
    of purchases: [PurchaseReference], in app: EntitledApp
  ) async throws -> PresentState {
    let google = app.googlePlay.map {
      [PlayPurchaseSource($0, common: store.narrowed { $0 }, now: now)]
    }
    let sources = sources + (google ?? [])
    var state = PresentState()
    var unreachable: Set<Vendor> = []
    for purchase in purchases where !state.answers(for: purchase) {
      guard !unreachable.contains(purchase.vendor) else {
        state.failed.append(purchase)
        continue
      }
      do {
        guard let facts = try await sources.facts(about: purchase, report: report) else { continue }
        guard facts.environment == purchase.environment else { continue }
        state.add(facts)
      } catch SubscriptionFailure.notRecorded(.empty) {
        // Apple answered, and there is nothing to record.
        state.isAnswered = true
      } catch let failure as SubscriptionFailure {
        state.failed.append(purchase)
        if failure.isOutage {
          state.failure = .unreachable
          unreachable.insert(purchase.vendor)
        }
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
        let own = records.entitlements
        try await keeper.keep(try await keeper.prepare(present.facts, in: own), in: records)
        if let failure = present.failure {
          return try await fail(failure, userID, in: app, at: now, own)
        }
        guard !present.isAnswered else {
          return try await succeed(userID, in: app, at: now, own).entitlements
        }
        return try await postpone(
          userID, in: app, at: now, isRefused: !present.failed.isEmpty, own)
      }, at: now)
    return RestoreAnswer(
      entitlements: entitlements, failed: present.failed.map(\.originalTransactionID))
  }

  /// Notes a failure to learn the present state.
  private func fail(
    _ failure: ValidationFailure, _ userID: AccountID, in app: EntitledApp, at now: Date,
    _ records: any EntitlementRecords
  ) async throws -> Entitlements {
    try await update(userID, in: app, at: now, records) { state, _ in
      let first = state.firstFailureDate ?? now
      state.firstFailureDate = first
      state.lastFailureDate = now
      state.lastFailure = failure
      state.nextValidationDate = ValidationSchedule(options: app.options)
        .nextTry(afterFailuresSince: first, at: now, chance: chance())
    }.entitlements
  }

  /// Lets the stored state stand where no source can answer, which is no failure.
  ///
  /// A later attempt is planned only while a subscription may still change.
  private func postpone(
    _ userID: AccountID, in app: EntitledApp, at now: Date, isRefused: Bool,
    _ records: any EntitlementRecords
  ) async throws -> Entitlements {
    try await update(userID, in: app, at: now, records) { state, purchases in
      if isRefused {
        state.lastFailureDate = now
        state.lastFailure = .refused
      } else {
        state.firstFailureDate = nil
      }
      let next = ValidationSchedule(options: app.options).nextValidation(
        of: purchases.subscriptions, validatedAt: state.validatedDate ?? now)
      state.nextValidationDate = next.map {
        max($0, now + ValidationSchedule.longestInterval)
      }
    }.entitlements
  }
}

/// The answer to a request to restore purchases.
public struct RestoreAnswer: Sendable {
  /// The products that the user may use afterwards.
  public let entitlements: Entitlements
  /// The original transaction IDs of the purchases whose present state could not be learned.
  public let failed: [String]
}

extension SubscriptionFailure {
  /// Whether the App Store could not be reached or could not answer.
  ///
  /// Source: entitlement rules, section 4.1.
  fileprivate var isOutage: Bool {
    guard case .verification(let failure) = self else { return true }
    switch failure {
    case .refused, .transient(.malformedReceipt, _), .transient(.receiptMissing, _): return false
    case .transient: return true
    }
  }
}
