#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseHistory {
  /// Groups records by original transaction id and environment.
  ///
  /// Of several copies of one transaction the one signed last counts, and among equals the last one
  /// given. A renewal without transactions is left out: it does not tell whose it is.
  ///
  /// - Parameters:
  ///   - records: The transactions, in any order.
  ///   - renewals: The renewals, in any order.
  ///   - knowledge: How much the source can know.
  /// - Returns: One history for each original id and environment, the one with the latest
  ///   transaction first.
  public static func histories(
    of records: [PurchaseRecord], renewals: [RenewalRecord] = [], knowledge: SubscriptionKnowledge
  ) -> [PurchaseHistory] {
    var places: [OriginalPurchase: Int] = [:]
    var groups: [(records: [PurchaseRecord], renewals: [RenewalRecord])] = []
    for record in merged(records) {
      let key = OriginalPurchase(
        id: record.originalTransactionID, environment: record.environment?.rawValue)
      if let place = places[key] {
        groups[place].records.append(record)
      } else {
        places[key] = groups.count
        groups.append(([record], []))
      }
    }
    for renewal in renewals {
      let key = OriginalPurchase(
        id: renewal.originalTransactionID, environment: renewal.environment?.rawValue)
      if let place = places[key] { groups[place].renewals.append(renewal) }
    }
    let histories = groups.compactMap { group in
      PurchaseHistory(
        transactions: group.records, renewals: group.renewals, knowledge: knowledge)
    }
    return histories.sorted { first, second in
      PurchaseRank(first.latest, end: first.latest.expiresDate)
        > PurchaseRank(second.latest, end: second.latest.expiresDate)
    }
  }

  /// One record for each transaction and environment, in the order of first appearance.
  private static func merged(_ records: [PurchaseRecord]) -> [PurchaseRecord] {
    var places: [OriginalPurchase: Int] = [:]
    places.reserveCapacity(records.count)
    var merged: [PurchaseRecord] = []
    merged.reserveCapacity(records.count)
    for record in records {
      let key = OriginalPurchase(
        id: record.transactionID, environment: record.environment?.rawValue)
      guard let place = places[key] else {
        places[key] = merged.count
        merged.append(record)
        continue
      }
      if (merged[place].signedDate ?? .distantPast) <= (record.signedDate ?? .distantPast) {
        merged[place] = record
      }
    }
    return merged
  }
}

private struct OriginalPurchase: Hashable {
  var id: String
  var environment: String?
}
