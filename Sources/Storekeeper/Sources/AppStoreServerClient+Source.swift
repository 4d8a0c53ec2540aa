public import AppStoreServerAPI
internal import JWSVerifier
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A source that asks the App Store Server API, which needs no receipt.
///
/// ```swift
/// let subscriptions = try SubscriptionService(
///   store: store, accounts: users, sources: [appStore], products: products)
/// ```
///
/// The statuses of the customer's subscriptions answer for most. If they leave the subscription out,
/// or if what Apple signed contradicts the status that it names, the history is read too. For any other
/// purchase the history of purchases that don't renew answers, or else its transaction.
extension AppStoreServerClient: PurchaseSource {
  /// The purchases of the client's app.
  ///
  /// One whose app is not known is asked about too: Apple answers about the app alone that the token names.
  public var scope: PurchaseScope { PurchaseScope(vendor: .apple, appID: bundleID) }

  /// Returns the present facts about a stored purchase, or nil if Apple doesn't know it in this app.
  ///
  /// - Throws: ``/AppStoreServerAPI/AppStoreServerFailure``, or `CancellationError`.
  public func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
    try await known(purchase) { () async throws(AppStoreServerFailure) in
      purchase.isSubscription
        ? try await presentFacts(about: purchase) : try await presentFacts(aboutOneTime: purchase)
    }
  }

  /// Returns the present facts about a subscription with all of its charges, among them one that the statuses left
  /// out; nil if Apple doesn't know that one.
  ///
  /// - Throws: As ``facts(about:)``.
  func facts(
    about subscription: PurchaseReference, listing transactionID: String
  ) async throws -> PurchaseFacts? {
    try await known(subscription) { () async throws(AppStoreServerFailure) in
      let statuses = try await allSubscriptionStatuses(
        of: subscription.originalTransactionID, in: subscription.environment)
      var history = try await history(of: subscription)
      if !history.transactions.contains(where: { $0.payload.transactionID == transactionID }) {
        history.transactions.append(
          try await transactionInfo(transactionID, in: subscription.environment))
      }
      return Self.facts(statuses, and: history)
    }
  }

  /// Returns the answer to a question about a purchase, or nil if Apple can't know it or doesn't know it.
  private func known(
    _ purchase: PurchaseReference,
    _ ask: nonisolated(nonsending) () async throws(AppStoreServerFailure) -> PurchaseFacts?
  ) async throws -> PurchaseFacts? {
    guard scope.contains(purchase), verifier.environments.contains(purchase.environment) else {
      return nil
    }
    do throws(AppStoreServerFailure) {
      return try await ask()
    } catch {
      if error.isCancellation { throw CancellationError() }
      guard error.isUnknownIdentifier else { throw error }
      return nil
    }
  }

  private func presentFacts(
    aboutOneTime purchase: PurchaseReference
  ) async throws(AppStoreServerFailure) -> PurchaseFacts? {
    let (id, environment) = (purchase.originalTransactionID, purchase.environment)
    var filters = TransactionHistoryRequest()
    filters.productTypes = [.nonConsumable, .nonRenewable]
    let history = try await transactionHistory(of: id, matching: filters, in: environment).all()
    var transactions = history.transactions
    if !transactions.contains(where: { $0.payload.originalTransactionID == id }) {
      transactions.append(try await transactionInfo(id, in: environment))
    }
    return try? PurchaseFacts(transactions)
  }

  private func presentFacts(
    about subscription: PurchaseReference
  ) async throws(AppStoreServerFailure) -> PurchaseFacts? {
    let id = subscription.originalTransactionID
    let environment = subscription.environment
    let statuses = try await allSubscriptionStatuses(of: id, in: environment)
    let item = statuses.items.first { $0.transaction?.payload.originalTransactionID == id }
    let now = now()
    let differences = statuses.items.count { $0.disagrees(at: now) }
    if let item, item.refusal == nil, !item.disagrees(at: now) {
      var facts = try? PurchaseFacts(statuses)
      if differences > 0 { facts?.incidents = [.statusDiffers(differences)] }
      return facts
    }
    var facts = Self.facts(statuses, and: try await history(of: subscription))
    if differences > 0 { facts?.incidents.append(.statusDiffers(differences)) }
    return facts
  }

  /// Reads all charges of the customer's subscriptions.
  private func history(
    of subscription: PurchaseReference
  ) async throws(AppStoreServerFailure) -> CollectedTransactions {
    var filters = TransactionHistoryRequest()
    filters.productTypes = [.autoRenewable]
    return try await transactionHistory(
      of: subscription.originalTransactionID, matching: filters, in: subscription.environment
    ).all()
  }

  private static func facts(
    _ statuses: SubscriptionStatuses, and history: CollectedTransactions
  ) -> PurchaseFacts? {
    var facts = try? PurchaseFacts(statuses, and: history.transactions)
    if !history.refused.isEmpty {
      facts?.incidents.append(.historyElementsRefused(history.refused.count))
    }
    return facts
  }
}

extension AppStoreServerFailure {
  /// Whether the task was cancelled.
  var isCancellation: Bool {
    if case .cancelled = reason { true } else { false }
  }

  /// Whether Apple doesn't know the identifier in this environment, which proves nothing.
  package var isUnknownIdentifier: Bool {
    switch code?.rawValue {
    case 4_040_001, 4_040_005, 4_040_010: true
    default: false
    }
  }
}
