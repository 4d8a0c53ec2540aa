import Foundation
import PurchaseStorage
import Storekeeper

/// Everything in a store that the stores of the vendors can tell, without the moments at which it was told.
struct RebuiltRecords: Equatable {
  /// Each by a text that tells where two differ.
  private(set) var rows: [String: String] = [:]

  /// Reads the records of a host; what only the host knew is left out for these users, and the rows that they alone
  /// have.
  init(_ host: RebuildHost, without forgotten: Set<AccountID> = []) async throws {
    let store = host.store
    var cursor: ReceiptCursor?
    while true {
      let after = cursor
      let keys = try await store.read {
        try await $0.purchases.purchases(after: after, limit: 7)
      }
      guard let last = keys.last else { break }
      cursor = last
      for key in keys { try await note(key, of: store, without: forgotten) }
    }
    for user in RebuildScene.users where !forgotten.contains(user) {
      try await note(user, of: host)
    }
    try await noteCredits(of: store)
  }

  private mutating func note(
    _ key: ReceiptCursor, of store: any PurchaseStore, without forgotten: Set<AccountID>
  ) async throws {
    let (id, environment) = (key.originalTransactionID, key.environment)
    let (transactions, renewals, subscription) = try await store.read { records in
      (
        try await records.purchases.transactions(of: [id], environment: environment),
        try await records.purchases.renewals(of: [id], environment: environment),
        try await records.storedSubscriptions.find([id]).first?.subscription
      )
    }
    for var row in transactions {
      row.signedDate = nil
      rows["transaction \(environment) \(row.transactionID)"] = text(row)
    }
    for var row in renewals {
      row.signedDate = nil
      rows["renewal \(environment) \(id) \(row.productID ?? "")"] = text(row)
    }
    guard var row = subscription else { return }
    (row.createdDate, row.updatedDate) = (nil, nil)
    if row.owner.map(forgotten.contains) ?? true { (row.owner, row.isInUse) = (nil, false) }
    rows["subscription \(id)"] = text(row)
  }

  private mutating func note(_ user: AccountID, of host: RebuildHost) async throws {
    let memberships = try await host.store.read { records in
      try await records.memberships.find(account: Account(id: user), appleSubscriptionIDs: [])
    }
    for membership in memberships { rows["membership \(user)"] = text(membership.copy) }
    let answer = try await host.entitlements.products(of: user, in: ServiceScene.bundleID)
    rows["products \(user)"] =
      "\(answer.allowedProducts.sorted()) \(answer.purchasedProducts.sorted()) "
      + "\(answer.isSubscriber) \(answer.isStale) \(text(answer.subscription?.subscription.expiresDate))"
    let order = try await host.store.read { try await $0.orderedSubscriptions.find(user) }
    guard let order else { return }
    rows["order \(user)"] =
      "\(order.levelName) \(order.purchaseKey) \(text(order.expiration)) \(order.receiptData)"
  }

  private mutating func noteCredits(of store: any PurchaseStore) async throws {
    let purchases = try await store.read {
      try await $0.creditTransactions.transactions(after: nil, limit: 1000)
    }
    for row in purchases {
      rows["credit purchase \(row.purchase.transactionID)"] =
        "\(row.status) \(text(row.userID)) \(text(row.credits)) \(text(row.productCode))"
    }
    let users = Set(purchases.compactMap(\.userID))
    for user in users {
      let all = try await store.read {
        try await $0.creditLedger.entries(of: user, skipping: 0, limit: 1000)
      }
      for entry in all where entry.booking.environment != nil {
        rows["ledger \(entry.booking.eventID)"] =
          "\(entry.booking.userID) \(entry.booking.amount) \(entry.booking.changeType)"
      }
    }
  }

  private func text<Value>(_ value: Value) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  /// The names of the rows that differ, with both.
  func differences(from other: RebuiltRecords) -> [String] {
    Set(rows.keys).union(other.rows.keys).sorted().compactMap { name in
      rows[name] == other.rows[name]
        ? nil : "\(name):\n\(rows[name] ?? "none")\ninstead of\n\(other.rows[name] ?? "none")"
    }
  }
}
