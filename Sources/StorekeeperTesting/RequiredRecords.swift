package import PurchaseStorage

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The records that every store has, without those that a store of a host's own may leave out: events, figures of money,
/// erasing, and acts of support.
package struct RequiredRecords: PurchaseRecords {
  private let base: any PurchaseRecords

  /// Creates the records of another store.
  package init(_ base: any PurchaseRecords) { self.base = base }

  package var purchases: any PurchaseRepository { base.purchases }
  package var notifications: any NotificationRepository { base.notifications }
  package var outbox: any OutboxRepository { base.outbox }
  package var jobs: any JobRepository { base.jobs }
  package var consumption: any ConsumptionRepository { base.consumption }
  package var retention: any RetentionRepository { base.retention }

  package func newestEvents() async throws -> [HostEvent: Date] { try await base.newestEvents() }

  package func prepare(for questions: [UnitQuestion]) async throws {
    try await base.prepare(for: questions)
  }
}

extension WrappedStore {
  /// Creates a store that shows only what every store has.
  package init(withRequiredRecordsOf base: any PurchaseStore) {
    self.init(
      base,
      showing: { unit in
        var unit = unit
        unit.common = RequiredRecords(unit.common)
        return unit
      })
  }
}
