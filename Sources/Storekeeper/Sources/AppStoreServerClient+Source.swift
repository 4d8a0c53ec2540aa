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
/// let subscriptions = SubscriptionService(
///   store: store, accounts: users, sources: [appStore], products: products)
/// ```
///
/// The statuses of the customer's subscriptions answer for most. If they leave the subscription out,
/// or if what Apple signed contradicts the status that it names, the history is read too. For any other
/// purchase the history of purchases that don't renew answers, or else its transaction.
extension AppStoreServerClient: PurchaseSource {
  /// Returns the present facts about a stored purchase, or nil if Apple doesn't know it there.
  ///
  /// - Throws: ``/AppStoreServerAPI/AppStoreServerFailure``, or `CancellationError`.
  public func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
    guard purchase.vendor == .apple, verifier.environments.contains(purchase.environment) else {
      return nil
    }
    do throws(AppStoreServerFailure) {
      guard purchase.isSubscription else {
        return try await presentFacts(aboutOneTime: purchase)
      }
      return try await presentFacts(about: purchase)
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
    var filters = TransactionHistoryRequest()
    filters.productTypes = [.autoRenewable]
    let history = try await transactionHistory(of: id, matching: filters, in: environment).all()
    var facts = try? PurchaseFacts(statuses, and: history.transactions)
    if differences > 0 { facts?.incidents.append(.statusDiffers(differences)) }
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
  var isUnknownIdentifier: Bool {
    switch code?.rawValue {
    case 4_040_001, 4_040_005, 4_040_010: true
    default: false
    }
  }
}
