import CBaseline
import Foundation
import Storekeeper

/// The audit of a ledger of which every entry is about a purchase, which is the most work.
struct AuditBenchmark {
  let rounds: Int
  let entries: Int

  struct UnexpectedResult: Error {}

  func run(on kinds: [DatabaseKind]) async throws {
    print("audit of \(entries) entries, as many transactions; medians of \(rounds) rounds")
    for kind in kinds {
      try await Database.inFolder { folder in
        let database = try await Database(kind, "audit", in: folder)
        try database.fill(ledgerEntries: entries)
        let auditor = LedgerAuditor(store: try await database.store())
        var costs = Measurement()
        for round in 0...rounds {
          try await costs.add(
            round == 0 ? "warm up" : "audit", count: entries, clock: wall_nanoseconds
          ) {
            let result = try await auditor.audit { _ in }
            guard result.entries == entries, result.transactions == entries, result.violations == 0
            else { throw UnexpectedResult() }
          }
        }
        print("  \(kind.name): \(Int(1e6 / costs.microseconds("audit"))) entries a second")
      }
    }
  }
}
