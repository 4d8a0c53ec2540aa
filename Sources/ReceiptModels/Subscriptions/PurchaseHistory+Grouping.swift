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
    histories(of: records, renewals: renewals, knowledge: knowledge, areDeclaredExpired: false)
  }

  /// The same, where Apple may have said that all has expired.
  static func histories(
    of records: [PurchaseRecord], renewals: [RenewalRecord], knowledge: SubscriptionKnowledge,
    areDeclaredExpired: Bool
  ) -> [PurchaseHistory] {
    var places: [Key: Int] = [:]
    var groups: [(places: [Int], renewals: [RenewalRecord])] = []
    for place in merged(records) {
      let key = Key(
        id: records[place].originalTransactionID,
        environment: records[place].environment?.rawValue)
      if let group = places[key] {
        groups[group].places.append(place)
      } else {
        places[key] = groups.count
        groups.append(([place], []))
      }
    }
    for renewal in renewals {
      let key = Key(
        id: renewal.originalTransactionID, environment: renewal.environment?.rawValue)
      if let group = places[key] { groups[group].renewals.append(renewal) }
    }
    let histories = groups.compactMap { group in
      PurchaseHistory(
        sorted: PurchaseRank.descending(group.places, of: records).map { records[$0] },
        renewals: group.renewals, knowledge: knowledge, isDeclaredExpired: areDeclaredExpired)
    }
    return histories.sorted { first, second in
      PurchaseRank(first.latest, end: first.latest.expiresDate)
        > PurchaseRank(second.latest, end: second.latest.expiresDate)
    }
  }

  /// The places of the copies that count, one for each transaction and environment.
  private static func merged(_ records: [PurchaseRecord]) -> [Int] {
    var places: [Key: Int] = [:]
    places.reserveCapacity(records.count)
    var merged: [Int] = []
    merged.reserveCapacity(records.count)
    for place in records.indices {
      let key = Key(
        id: records[place].transactionID, environment: records[place].environment?.rawValue)
      guard let earlier = places[key] else {
        places[key] = merged.count
        merged.append(place)
        continue
      }
      let signed = records[merged[earlier]].signedDate ?? .distantPast
      if signed <= records[place].signedDate ?? .distantPast { merged[earlier] = place }
    }
    return merged
  }

  private struct Key: Hashable {
    var id: String
    var environment: String?
  }
}
