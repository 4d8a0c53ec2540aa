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
    let present = try await presentState(of: rows.questions(about: app).map(\.purchase))
    return try await record(present, of: userID, in: app)
  }

  /// Asks the sources about purchases.
  ///
  /// If the App Store can't be reached, no further purchase is asked about, because the next one would most
  /// likely fail too. A purchase that it refuses to answer for says nothing about the others.
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
        state.add(facts)
      } catch SubscriptionFailure.notRecorded(.empty) {
        // Apple answered, and there is nothing to record.
        state.isAnswered = true
      } catch let failure as SubscriptionFailure {
        state.failed.append(purchase)
        if failure.isOutage { state.failure = .unreachable }
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
    }
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
    }
  }

  private func update(
    _ userID: AccountID, in app: EntitledApp, at now: Date, _ records: any EntitlementRecords,
    _ change: (inout AppValidation, AppPurchases) -> Void
  ) async throws -> Entitlements {
    var state = try await lockedState(of: userID, in: app, records)
    var rows = try await records.holdings(of: userID, in: app.readBundleIDs)
    change(&state, rows.purchases(of: app))
    try await records.validations.save(state, of: userID)
    rows.replace(state)
    return rows.entitlements(in: app, among: apps, at: now)
  }
}

/// The answer to a request to restore purchases.
public struct RestoreAnswer: Sendable {
  /// The products that the user may use afterwards.
  public let entitlements: Entitlements
  /// The original transaction IDs of the purchases whose present state could not be learned.
  public let failed: [String]
}

/// The present state of purchases, as sources told it.
struct PresentState: Sendable {
  private(set) var facts: [PurchaseFacts] = []
  /// Whether a source answered.
  var isAnswered = false
  /// The failure to reach the App Store.
  var failure: ValidationFailure?
  /// The purchases about which a source failed, or was not asked because of that.
  var failed: [PurchaseReference] = []
  private var answered: Set<PurchaseReference> = []

  init(failure: ValidationFailure? = nil) { self.failure = failure }

  mutating func add(_ facts: PurchaseFacts) {
    self.facts.append(facts)
    isAnswered = true
    for purchase in facts.purchases {
      answered.insert(Self.key(purchase.originalTransactionID, facts.environment))
    }
  }

  /// Whether the facts tell about a purchase already.
  func answers(for purchase: PurchaseReference) -> Bool {
    answered.contains(Self.key(purchase.originalTransactionID, purchase.environment))
  }

  private static func key(_ id: String, _ environment: AppStoreEnvironment) -> PurchaseReference {
    PurchaseReference(originalTransactionID: id, environment: environment)
  }
}

/// A purchase about which sources may be asked.
struct PurchaseQuestion: Sendable {
  let purchase: PurchaseReference
  /// Whether the purchase ends by itself, so that it is asked about from time to time.
  let isTimed: Bool
}

extension HoldingRows {
  /// The purchases about which sources are asked, subscriptions first; consumable products entitle to
  /// nothing.
  ///
  /// A purchase without transactions was moved by Apple, and is asked about like a subscription.
  func questions(about app: EntitledApp) -> [PurchaseQuestion] {
    let records = Dictionary(grouping: transactions, by: \.originalTransactionID)
    return associations.compactMap { association -> PurchaseQuestion? in
      let id = association.originalTransactionID
      let own = (records[id] ?? []).filter { $0.environment == association.environment }
      let isSubscription =
        own.isEmpty || own.contains { $0.expiresDate != nil || $0.hasUnreadableExpiry }
      let isTimed = own.contains { app.options.durations[$0.productID] != nil }
      guard isSubscription || isTimed || !own.allSatisfy({ $0.isConsumable(in: app.catalog) })
      else { return nil }
      return PurchaseQuestion(
        purchase: PurchaseReference(
          originalTransactionID: id, environment: association.environment,
          isSubscription: isSubscription), isTimed: isSubscription || isTimed)
    }.sorted { one, other in
      one.purchase.isSubscription == other.purchase.isSubscription
        ? one.purchase.originalTransactionID < other.purchase.originalTransactionID
        : one.purchase.isSubscription
    }
  }
}

extension PurchaseRecord {
  fileprivate func isConsumable(in catalog: ProductCatalog) -> Bool {
    productType.map { $0 == .consumable } ?? (catalog[productID]?.type == .consumable)
  }
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
