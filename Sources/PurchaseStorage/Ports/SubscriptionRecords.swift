public import ReceiptModels

/// The records of subscriptions and their owners, beside those that all capabilities have in common.
public protocol SubscriptionRecords {
  /// Subscriptions and their owners.
  var storedSubscriptions: any SubscriptionRepository { get }
  /// Memberships and the history of their changes.
  var memberships: any MembershipRepository { get }
  /// The refresh job's leases and runs.
  var refreshes: any RefreshRepository { get }

  /// Returns the rows of these subscriptions, then the memberships of an account or of one of them:
  /// found, and locked, as ``storedSubscriptions`` and ``memberships`` do it.
  ///
  /// A store may ask for both in one exchange with its server; the default asks one after the other.
  func find(_ originalTransactionIDs: [String], account: Account?) async throws -> LinkRows

  /// Returns the evidence of these subscriptions, then the memberships that carry one of
  /// `appleSubscriptionIDs`: found, and locked, as `purchases` and ``memberships`` do it.
  ///
  /// As with ``find(_:account:)``. `purchases` are those of the same unit of work.
  func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String], purchases: any PurchaseRepository
  ) async throws -> EvidenceRows
}

extension SubscriptionRecords {
  /// Asks for one after the other.
  public func find(
    _ originalTransactionIDs: [String], account: Account?
  ) async throws -> LinkRows {
    let found = try await storedSubscriptions.find(originalTransactionIDs)
    return LinkRows(
      subscriptions: found,
      memberships: try await memberships.find(
        account: account, appleSubscriptionIDs: originalTransactionIDs))
  }

  /// Asks for one after the other.
  public func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String], purchases: any PurchaseRepository
  ) async throws -> EvidenceRows {
    let transactions = try await purchases.transactions(
      of: originalTransactionIDs, environment: environment)
    let renewals = try await purchases.renewals(
      of: originalTransactionIDs, environment: environment)
    return EvidenceRows(
      transactions: transactions, renewals: renewals,
      memberships: try await memberships.find(
        account: nil, appleSubscriptionIDs: appleSubscriptionIDs))
  }
}
