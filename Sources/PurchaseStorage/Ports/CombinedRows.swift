public import LinkPolicy
public import ReceiptModels

/// Subscriptions and the memberships that have to do with them.
public struct LinkRows: Hashable, Sendable {
  /// The subscriptions, in ascending order of id as text.
  public var subscriptions: [StoredSubscription]
  /// The memberships, in ascending order of compound id.
  public var memberships: [Membership]

  /// Rows of two tables.
  public init(subscriptions: [StoredSubscription], memberships: [Membership]) {
    self.subscriptions = subscriptions
    self.memberships = memberships
  }
}

/// What Apple said of subscriptions, and the memberships that follow them.
public struct EvidenceRows: Hashable, Sendable {
  /// The transactions, in no order.
  public var transactions: [PurchaseRecord]
  /// The renewal entries, in no order.
  public var renewals: [RenewalRecord]
  /// The memberships, in ascending order of compound id.
  public var memberships: [Membership]

  /// Rows of three tables.
  public init(
    transactions: [PurchaseRecord], renewals: [RenewalRecord], memberships: [Membership]
  ) {
    self.transactions = transactions
    self.renewals = renewals
    self.memberships = memberships
  }
}

extension PurchaseRecords {
  /// One after the other.
  public func find(
    _ originalTransactionIDs: [String], account: Account?
  ) async throws -> LinkRows {
    let found = try await subscriptions.find(originalTransactionIDs)
    return LinkRows(
      subscriptions: found,
      memberships: try await memberships.find(
        account: account, appleSubscriptionIDs: originalTransactionIDs))
  }

  /// One after the other.
  public func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String]
  ) async throws -> EvidenceRows {
    let transactions = try await evidence.transactions(
      of: originalTransactionIDs, environment: environment)
    let renewals = try await evidence.renewals(
      of: originalTransactionIDs, environment: environment)
    return EvidenceRows(
      transactions: transactions, renewals: renewals,
      memberships: try await memberships.find(
        account: nil, appleSubscriptionIDs: appleSubscriptionIDs))
  }
}
