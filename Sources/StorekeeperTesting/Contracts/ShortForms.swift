internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The error of a law inside a unit of work.
struct Interruption: Error, Equatable {
  var number = 1
}

// Short forms that the laws share: each is a unit of work of its own.
extension PurchaseStore {
  /// Writes in a unit of work that throws at its end.
  func writeUndone(
    _ body: nonisolated(nonsending) @Sendable (UnitOfWork) async throws -> Void
  ) async throws {
    do {
      try await write { records in
        try await body(records)
        throw Interruption()
      }
    } catch is Interruption {}
  }

  func subscription(_ id: String = ContractSample.id) async throws -> StoredSubscription? {
    try await read { try await $0.storedSubscriptions.find([id]) }.first
  }

  func save(
    _ subscriptions: Subscription..., asOf: Date = ContractSample.now,
    now: Date = ContractSample.now
  ) async throws {
    try await write { records in
      for subscription in subscriptions {
        try await records.storedSubscriptions.save(subscription, asOf: asOf, now: now)
      }
    }
  }

  func owner(of id: String = ContractSample.id) async throws -> AccountID? {
    try await subscription(id)?.subscription.owner
  }

  func setOwner(
    _ owner: AccountID?, of id: String = ContractSample.id, now: Date = ContractSample.now
  ) async throws {
    try await write { try await $0.storedSubscriptions.setOwner(owner, of: id, now: now) }
  }

  func page(
    of owner: AccountID = "member", offset: Int = 0, limit: Int = 100
  ) async throws -> SubscriptionPage {
    try await read {
      try await $0.storedSubscriptions.list(owner: owner, offset: offset, limit: limit)
    }
  }

  @discardableResult
  func insert(_ membership: Membership) async throws -> Membership {
    try await write { try await $0.memberships.insert(membership) }
  }

  @discardableResult
  func update(_ row: Membership, previous: Membership) async throws -> Membership {
    try await write { try await $0.memberships.update(row, previous: previous) }
  }

  func delete(_ row: Membership) async throws {
    try await write { try await $0.memberships.delete(row) }
  }

  func memberships(_ account: Account?, apple ids: [String] = []) async throws -> [Membership] {
    try await read { try await $0.memberships.find(account: account, appleSubscriptionIDs: ids) }
  }

  func membership(_ primaryID: AccountID) async throws -> Membership? {
    try await memberships(try ContractSample.account(primaryID)).first
  }

  func history(
    of query: MembershipHistoryQuery, limit: Int = 100
  ) async throws -> [MembershipEvent] {
    try await read { try await $0.memberships.history(of: query, limit: limit) }
  }

  /// Records transactions, all in one call.
  func put(
    _ records: PurchaseRecord..., environment: AppStoreEnvironment = .production
  ) async throws {
    try await put(records, environment: environment)
  }

  func put(
    _ records: [PurchaseRecord], environment: AppStoreEnvironment = .production
  ) async throws {
    try await write {
      try await $0.purchases.record(
        transactions: records, environment: environment, now: ContractSample.now)
    }
  }

  func transactions(
    of ids: [String] = [ContractSample.id], environment: AppStoreEnvironment = .production
  ) async throws -> [PurchaseRecord] {
    try await read { try await $0.purchases.transactions(of: ids, environment: environment) }
  }

  /// Replaces the entries about the renewal of a subscription.
  func renew(
    _ renewals: [RenewalRecord], of id: String = ContractSample.id,
    environment: AppStoreEnvironment = .production, asOf: Date = ContractSample.now
  ) async throws {
    try await write {
      try await $0.purchases.replace(
        renewals: renewals, of: id, environment: environment, asOf: asOf, now: ContractSample.now)
    }
  }

  /// Records a single entry about a renewal.
  func tell(_ renewal: RenewalRecord) async throws {
    try await write {
      try await $0.purchases.record(
        renewals: [renewal], environment: .production, now: ContractSample.now)
    }
  }

  /// The entries about the renewal of a subscription, in the order of their products.
  func renewals(
    of id: String = ContractSample.id, environment: AppStoreEnvironment = .production
  ) async throws -> [RenewalRecord] {
    try await read { try await $0.purchases.renewals(of: [id], environment: environment) }
      .sorted { ($0.productID ?? "") < ($1.productID ?? "") }
  }

  func put(_ receipts: StoredReceipt...) async throws {
    try await write { records in
      for receipt in receipts { try await records.purchases.put(receipt, now: ContractSample.now) }
    }
  }

  func receipt(
    of id: String = ContractSample.id, environment: AppStoreEnvironment = .production
  ) async throws -> StoredReceipt? {
    try await read { try await $0.purchases.receipt(of: id, environment: environment) }
  }

  func receiptStamp(
    of id: String = ContractSample.id, environment: AppStoreEnvironment = .production
  ) async throws -> Date? {
    try await read { try await $0.purchases.receiptStamp(of: id, environment: environment) }
  }

  /// Whether the notification is new.
  @discardableResult
  func notify(_ notification: NotificationRecord, now: Date = ContractSample.now) async throws
    -> Bool
  {
    try await write { try await $0.notifications.record(notification: notification, now: now) }
  }

  func isSeen(_ key: String) async throws -> Bool {
    try await read { try await $0.notifications.isSeen(notificationKey: key) }
  }

  func add(_ message: OutboxMessage, now: Date = ContractSample.now) async throws {
    try await write { try await $0.outbox.add(message, now: now) }
  }

  func unsentCount() async throws -> Int { try await read { try await $0.outbox.unsentCount() } }
}
