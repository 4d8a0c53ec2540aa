#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseHistory {
  /// Groups records by original transaction and environment.
  ///
  /// Of several copies of a transaction, the one signed last is used, and among equals the one
  /// given last. A renewal without transactions is dropped, because it does not say whose it is.
  /// The history with the latest transaction comes first.
  public static func histories(
    of records: [PurchaseRecord], renewals: [RenewalRecord] = [], knowledge: SubscriptionKnowledge
  ) -> [PurchaseHistory] {
    histories(of: records, renewals: renewals, knowledge: knowledge, areDeclaredExpired: false)
  }

  /// Groups records by original transaction and environment, where Apple may have declared them
  /// expired.
  static func histories(
    of records: [PurchaseRecord], renewals: [RenewalRecord], knowledge: SubscriptionKnowledge,
    areDeclaredExpired: Bool
  ) -> [PurchaseHistory] {
    var groupIndices: [Key: Int] = [:]
    var groups: [(records: [Int], renewals: [RenewalRecord])] = []
    for index in merged(records) {
      let key = Key(
        id: records[index].originalTransactionID,
        environment: records[index].environment?.rawValue)
      if let group = groupIndices[key] {
        groups[group].records.append(index)
      } else {
        groupIndices[key] = groups.count
        groups.append(([index], []))
      }
    }
    for renewal in renewals {
      let key = Key(
        id: renewal.originalTransactionID, environment: renewal.environment?.rawValue)
      if let group = groupIndices[key] { groups[group].renewals.append(renewal) }
    }
    let histories = groups.compactMap { group in
      PurchaseHistory(
        sorted: PurchaseRank.descending(group.records, of: records).map { records[$0] },
        renewals: group.renewals, knowledge: knowledge, isDeclaredExpired: areDeclaredExpired)
    }
    return histories.sorted { first, second in
      PurchaseRank(first.latest, end: first.latest.expiresDate)
        > PurchaseRank(second.latest, end: second.latest.expiresDate)
    }
  }

  /// Returns one copy of each transaction and environment: the one signed last, and among equals the one
  /// given last.
  package static func newestCopies(of records: [PurchaseRecord]) -> [PurchaseRecord] {
    merged(records).map { records[$0] }
  }

  /// Returns the indices of the copies to use, one for each transaction and environment.
  private static func merged(_ records: [PurchaseRecord]) -> [Int] {
    var mergedIndices: [Key: Int] = [:]
    mergedIndices.reserveCapacity(records.count)
    var merged: [Int] = []
    merged.reserveCapacity(records.count)
    for index in records.indices {
      let key = Key(
        id: records[index].transactionID, environment: records[index].environment?.rawValue)
      guard let earlier = mergedIndices[key] else {
        mergedIndices[key] = merged.count
        merged.append(index)
        continue
      }
      let signed = records[merged[earlier]].signedDate ?? .distantPast
      if signed <= records[index].signedDate ?? .distantPast { merged[earlier] = index }
    }
    return merged
  }

  private struct Key: Hashable {
    var id: String
    var environment: String?
  }
}
