public import LinkPolicy
public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension SubscriptionService {
  /// Returns the membership of an account and the end of its access, or nil if there is none.
  ///
  /// ```swift
  /// let mayRead = try await subscriptions.membership(of: "alice")?.grantsAccess(at: now) ?? false
  /// ```
  ///
  /// - Throws: An error of the store or the account directory.
  public func membership(of accountID: AccountID) async throws -> HeldMembership? {
    guard let account = try await accounts.account(knownAs: accountID) else { return nil }
    let (given, moment) = (options, now())
    return try await store.read { records in
      let options = try await given.ending(in: records)
      let rows = try await records.memberships.find(account: account, appleSubscriptionIDs: [])
      let ids = rows.filter(\.isIAP).compactMap(\.originalTransactionID)
      let subscriptions =
        ids.isEmpty ? [] : try await records.storedSubscriptions.find(ids).map(\.subscription)
      let graceEnds =
        options.access == .gracePeriod ? try await records.gracePeriodEnds(of: subscriptions) : [:]
      return HeldMembership.of(
        account, among: rows, subscriptions, gracePeriodEnds: graceEnds, at: moment,
        options: options)
    }
  }

  /// Returns a stored subscription, whoever owns it.
  ///
  /// - Throws: ``SubscriptionFailure/invalidTransactionID``, ``SubscriptionFailure/subscriptionNotFound``, or an
  ///   error of the store.
  public func subscription(_ originalTransactionID: String) async throws -> Subscription {
    let id = try checked(originalTransactionID)
    let stored = try await store.read { records in try await records.storedSubscriptions.find([id])
    }
    guard let stored = stored.first else { throw SubscriptionFailure.subscriptionNotFound }
    return stored.subscription
  }

  /// Returns a stored subscription with its receipt in base64; with `onlyDisk` only receipt caches on disk are read.
  ///
  /// - Throws: ``SubscriptionFailure/invalidTransactionID``, ``SubscriptionFailure/subscriptionNotFound``,
  ///   ``SubscriptionFailure/receiptNotFound``, or an error of the store.
  public func subscriptionWithReceipt(
    _ originalTransactionID: String, onlyDisk: Bool = false
  ) async throws -> (subscription: Subscription, receipt: StoredReceipt) {
    let subscription = try await subscription(originalTransactionID)
    let receipt = try await tiers.receipt(
      of: PurchaseReference(subscription), onlyDisk: onlyDisk)
    return (subscription, receipt)
  }

  /// Returns a page of the subscriptions that an account owns, ordered by latest expiry first, then by ID as text,
  /// and their total number.
  ///
  /// Pages are counted from 1, have 1 to 100 subscriptions, and are empty past the end. An unknown account owns none.
  ///
  /// - Throws: ``SubscriptionFailure/invalidPage``, ``SubscriptionFailure/invalidPageLength``, or an error of the
  ///   store.
  public func subscriptions(
    of accountID: AccountID, page: Int = 1, pageLength: Int = 20
  ) async throws -> SubscriptionPage {
    guard page >= 1 else { throw SubscriptionFailure.invalidPage }
    guard (1...100).contains(pageLength) else { throw SubscriptionFailure.invalidPageLength }
    guard StoredText.fits(accountID.rawValue, .accountID) else {
      return SubscriptionPage(total: 0, subscriptions: [])
    }
    let (offset, isBeyond) = (page - 1).multipliedReportingOverflow(by: pageLength)
    return try await store.read { records in
      try await records.storedSubscriptions.list(
        owner: accountID, offset: isBeyond ? .max : offset, limit: pageLength)
    }
  }

  /// Returns a page of the disputes: claims of accounts to subscriptions of others, which were refused and recorded.
  ///
  /// ```swift
  /// var query = DisputeQuery(since: lastMonday)
  /// while let last = try await subscriptions.disputes(query).last {
  ///   query.number = last.number
  /// }
  /// ```
  ///
  /// They are in ascending order of their numbers, from the one after that of the query: 1 to 100 on a page, and none
  /// past the end. A record may be committed after one with a greater number. Whoever keeps a place between two walks
  /// therefore begins the next one some time before, with `since`. Source: linking rules, section 2.2.
  ///
  /// - Throws: ``SubscriptionFailure/invalidPageLength``, or an error of the store.
  public func disputes(
    _ query: DisputeQuery = DisputeQuery(), pageLength: Int = 100
  ) async throws -> [Dispute] {
    guard (1...100).contains(pageLength) else { throw SubscriptionFailure.invalidPageLength }
    return try await store.read { try await $0.memberships.disputes(query, limit: pageLength) }
  }

  /// Returns the ID if a stored purchase can have it, or throws ``SubscriptionFailure/invalidTransactionID``.
  func checked(_ originalTransactionID: String) throws(SubscriptionFailure) -> String {
    guard TransactionIDs.areStorable(originalTransactionID) else { throw .invalidTransactionID }
    return originalTransactionID
  }
}

extension UnitOfWork {
  /// Returns the ends of the billing grace periods of subscriptions that have one, by original transaction ID.
  package func gracePeriodEnds(of subscriptions: [Subscription]) async throws -> [String: Date] {
    var ends: [String: Date] = [:]
    for subscription in subscriptions {
      let (id, environment) = (subscription.originalTransactionID, subscription.environment)
      let renewals = try await purchases.renewals(of: [id], environment: environment)
      guard renewals.contains(where: { $0.gracePeriodExpiresDate != nil }) else { continue }
      let history = PurchaseHistory.histories(
        of: try await purchases.transactions(of: [id], environment: environment),
        renewals: renewals, knowledge: .remote
      ).first
      guard let history else { continue }
      ends[id] = history.gracePeriodEnd(
        after: PaidPeriods(history.transactions) { $0.expiresDate?.readable })
    }
    return ends
  }
}
