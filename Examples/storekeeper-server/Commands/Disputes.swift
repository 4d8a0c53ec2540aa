import JSONValues
import PurchaseStorage
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The claims of accounts to subscriptions of others.
enum Disputes {
  private static let pageSize = 100

  /// Returns one object a dispute.
  static func lines(since date: Date?, _ store: any PurchaseStore) async throws -> [JSONValue] {
    var lines: [JSONValue] = []
    var query = DisputeQuery(since: date)
    while true {
      let next = query
      let page = try await store.read { try await $0.memberships.disputes(next, limit: pageSize) }
      lines += page.map(\.json)
      guard page.count == pageSize, let last = page.last else { return lines }
      query.number = last.number
    }
  }
}

extension Dispute {
  fileprivate var json: JSONValue {
    .object([
      "number": .integer(number), "originalTxId": .string(originalTransactionID),
      "account": .string(accountID.rawValue), "date": .string(date.formatted(.iso8601)),
    ])
  }
}
