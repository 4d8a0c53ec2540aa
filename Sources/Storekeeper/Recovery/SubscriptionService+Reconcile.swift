public import AppStoreServerAPI
internal import JWSVerifier
internal import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The result of comparing the store with a customer's whole history.
public struct Reconciliation: Sendable {
  public let environment: AppStoreEnvironment
  /// The number of transactions in Apple's answer.
  public let transactions: Int
  /// The transactions that were not stored.
  public let added: [String]
  /// The transactions that were stored as valid, and that Apple has refunded or revoked.
  public let revoked: [String]
  /// The transactions that were stored as refunded or revoked, and that are valid again.
  public let restored: [String]
  /// The subscriptions of known products, as stored now.
  public let subscriptions: [Subscription]
  /// The number of elements of the answer that were refused; they grant nothing.
  public let refused: Int
}

extension Reconciliation {
  fileprivate init(nothingNewIn environment: AppStoreEnvironment, refused: Int) {
    self.init(
      environment: environment, transactions: 0, added: [], revoked: [], restored: [],
      subscriptions: [], refused: refused)
  }
}

extension SubscriptionService {
  /// The part of a history that is read.
  public enum HistoryStart: Hashable, Sendable {
    case first
    /// What is new or changed since the revision that was stored with the last history, if any.
    case lastRevision
  }

  /// Reads the whole history of a customer from Apple, and repairs what is stored.
  ///
  /// Purchases that were missed are added, refunds take effect, and all subscriptions of the customer are derived
  /// again, in one unit of work with the revision of the history. The sender of the ID is not necessarily the owner
  /// of the purchases, so no membership begins. The ID is any transaction ID or original transaction ID of the
  /// customer. Without an environment, that of a stored subscription with this ID counts, or else the client's.
  /// Source: App Store Server API rules, sections 5.1 and 5.2.
  ///
  /// - Throws: ``SubscriptionFailure``, ``/AppStoreServerAPI/AppStoreServerFailure``, `CancellationError`, or an
  ///   error of the store. Nothing was written then.
  @discardableResult
  public func reconcile(
    _ id: String, with appStore: AppStoreServerClient, in environment: AppStoreEnvironment? = nil,
    since start: HistoryStart = .first
  ) async throws -> Reconciliation {
    let id = try checked(id)
    let known = try await reconcilable(id, environment, start)
    let customer = try await appStore.customer(
      of: id, since: known.revision, in: known.environment)
    let history = customer.history
    if known.revision != nil, history.transactions.isEmpty, let environment = history.environment {
      if !history.refused.isEmpty { report(.historyElementsRefused(history.refused.count)) }
      return Reconciliation(nothingNewIn: environment, refused: history.refused.count)
    }
    let facts = try Self.recordable { () throws(FactsFailure) in try customer.facts }
    let revision = HistoryRevision(
      originalTransactionID: id, environment: facts.environment, kind: .history,
      revision: history.revision, asOf: now().stamp)
    return try await write(facts, revision, history)
  }

  /// Reads the whole history of a customer from Apple with the client of the app that knows the purchase, as
  /// ``reconcile(_:with:in:since:)`` does; returns nil without a client.
  ///
  /// - Throws: As there; of several failures, that of an app that could not be asked counts more than that of one that does
  ///   not know the purchase.
  @discardableResult
  public func reconcile(
    _ id: String, withAnyOf appStores: [AppStoreServerClient]
  ) async throws -> Reconciliation? {
    var failure: AppStoreServerFailure?
    for appStore in appStores {
      do {
        return try await reconcile(id, with: appStore)
      } catch let error as AppStoreServerFailure {
        if failure?.isUnknownIdentifier ?? true { failure = error }
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// Reads the refunds of a customer from Apple, and records those that are not stored; returns nil if there are
  /// none.
  ///
  /// It is shorter than ``reconcile(_:with:in:since:)``, and finds refunds and revocations only. The customer and the
  /// environment are named, and failures thrown, as there. Source: App Store Server API rules, section 5.4.
  @discardableResult
  public func reconcileRefunds(
    _ id: String, with appStore: AppStoreServerClient, in environment: AppStoreEnvironment? = nil
  ) async throws -> Reconciliation? {
    let id = try checked(id)
    let known = try await reconcilable(id, environment, .first)
    let history: CollectedTransactions
    do throws(AppStoreServerFailure) {
      history = try await appStore.refundHistory(of: id, in: known.environment).all()
    } catch {
      throw error.isCancellation ? CancellationError() : error
    }
    guard !history.transactions.isEmpty else { return nil }
    let facts = try Self.recordable { () throws(FactsFailure) in
      try PurchaseFacts(history.transactions)
    }
    return try await write(facts, nil, history)
  }

  // MARK: Parts

  private func reconcilable(
    _ id: String, _ environment: AppStoreEnvironment?, _ start: HistoryStart
  ) async throws -> (environment: AppStoreEnvironment?, revision: String?) {
    try await store.read { records in
      let stored = try await records.storedSubscriptions.find([id]).first?.subscription.environment
      guard let environment = environment ?? stored else { return (nil, nil) }
      guard start == .lastRevision else { return (environment, nil) }
      let revision = try await records.purchases.revision(
        of: id, environment: environment, kind: .history)
      return (environment, revision?.revision)
    }
  }

  private static func recordable(
    _ facts: () throws(FactsFailure) -> PurchaseFacts
  ) throws(SubscriptionFailure) -> PurchaseFacts {
    do throws(FactsFailure) {
      return try facts()
    } catch {
      throw .notRecorded(error)
    }
  }

  /// Records facts with the revision, and compares them with what was stored before.
  private func write(
    _ facts: PurchaseFacts, _ revision: HistoryRevision?, _ history: CollectedTransactions
  ) async throws -> Reconciliation {
    let isWhole = history.refused.isEmpty
    if !isWhole { report(.historyElementsRefused(history.refused.count)) }
    let recorder = recorder(because: .refresh)
    let (before, subscriptions) = try await recorder.recording(in: context, retries: 3) { unit in
      let before = try await unit.purchases.transactions(
        of: facts.originalTransactionIDs, environment: facts.environment)
      let subscriptions = try await recorder.record([facts], in: unit)
      if let revision {
        // After a refused element, the next history is read from the start, with a later version perhaps.
        if isWhole {
          try await unit.purchases.put(revision)
        } else {
          try await unit.purchases.removeRevision(
            of: revision.originalTransactionID, environment: revision.environment,
            kind: revision.kind)
        }
      }
      return (before, subscriptions)
    }
    let changes = PurchaseChanges(from: before, to: facts.purchases)
    return Reconciliation(
      environment: facts.environment, transactions: history.transactions.count,
      added: changes.added, revoked: changes.revoked, restored: changes.restored,
      subscriptions: subscriptions, refused: history.refused.count)
  }
}

/// The differences between purchases as they were stored and as they are.
struct PurchaseChanges {
  let added: [String]
  let revoked: [String]
  let restored: [String]

  init(from stored: [PurchaseRecord], to present: [PurchaseRecord]) {
    let stored = Dictionary(stored.map { ($0.transactionID, $0) }) { $1 }
    func ids(_ condition: (PurchaseRecord, PurchaseRecord?) -> Bool) -> [String] {
      present.filter { condition($0, stored[$0.transactionID]) }.map(\.transactionID)
    }
    added = ids { $1 == nil }
    revoked = ids { $0.isCancelled && $1?.isCancelled == false }
    restored = ids { !$0.isCancelled && $1?.isCancelled == true }
  }
}

/// Everything that Apple tells about a customer.
struct CustomerAnswer: Sendable {
  let history: CollectedTransactions
  /// Nil for a customer without subscriptions that renew.
  let statuses: SubscriptionStatuses?

  var facts: PurchaseFacts {
    get throws(FactsFailure) {
      if let statuses { return try PurchaseFacts(statuses, and: history.transactions) }
      return try PurchaseFacts(history.transactions)
    }
  }
}

extension AppStoreServerClient {
  /// Reads the history of a customer, and the statuses of the subscriptions in it.
  ///
  /// - Throws: ``/AppStoreServerAPI/AppStoreServerFailure``, or `CancellationError`.
  func customer(
    of id: String, since revision: String? = nil, in environment: AppStoreEnvironment?
  ) async throws -> CustomerAnswer {
    do throws(AppStoreServerFailure) {
      let history = try await transactionHistory(of: id, since: revision, in: environment).all()
      let renews = history.transactions.contains {
        $0.payload.type == .autoRenewableSubscription
      }
      return CustomerAnswer(
        history: history,
        statuses: renews
          ? try await allSubscriptionStatuses(of: id, in: history.environment) : nil)
    } catch {
      throw error.isCancellation ? CancellationError() : error
    }
  }
}
