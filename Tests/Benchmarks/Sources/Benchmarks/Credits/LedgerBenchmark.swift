import CBaseline
import Foundation
import Storekeeper

/// The cost of a grant at growing numbers of stored ledger entries.
struct LedgerBenchmark {
  let rounds: Int
  let sizes: [Int]

  /// Grants of one round.
  private static let grants = 100

  func run(on kinds: [DatabaseKind]) async throws {
    print(
      "wall time of a grant at \(sizes) stored ledger entries, one caller, not waiting for the disk;"
    )
    print("medians of \(rounds) rounds, sizes in turn")
    let scene = try CreditScene(purchases: rounds * Self.grants + Self.grants)
    for kind in kinds {
      try await Database.inFolder { folder in
        var services: [(size: Int, service: CreditService)] = []
        for size in sizes {
          let database = try await Database(kind, "ledger\(size)", in: folder)
          try database.fill(ledgerEntries: size)
          let store = try await database.store(isDurable: false)
          services.append((size, try scene.service(on: store)))
        }
        var costs = Measurement()
        for round in 0...rounds {
          for (size, service) in services {
            let first = round * Self.grants
            try await costs.add(
              round == 0 ? "warm up" : "\(size)", count: Self.grants, clock: wall_nanoseconds
            ) {
              for number in first..<first + Self.grants {
                try await scene.grant(number, by: service)
              }
            }
          }
        }
        report(kind, costs)
      }
    }
  }

  private func report(_ kind: DatabaseKind, _ costs: Measurement) {
    let first = "\(sizes.first ?? 0)"
    for size in sizes {
      costs.show(
        "\(kind.name), \(size) entries", "\(size)", [(first, 1)], "the cost at \(first)")
    }
  }
}
