import CBaseline
import Foundation
import Storekeeper

/// Link, list and refresh-due at growing numbers of stored subscriptions.
struct ScaleBenchmark {
  let rounds: Int
  let sizes: [Int]

  /// A query of a hot statement reads a whole table.
  struct ScansTable: Error {
    let statements: [String]
  }

  func run(on kinds: [DatabaseKind]) async throws {
    print("wall time of a call at \(sizes.map(Self.title).joined(separator: ", ")) stored")
    print("subscriptions, one caller; medians of \(rounds) rounds, sizes in turn")
    for kind in kinds {
      try await Database.inFolder { folder in
        var databases: [(size: Int, database: Database)] = []
        for size in sizes {
          let database = try await Database(kind, "stored\(size)", in: folder)
          try database.fill(subscriptions: size)
          databases.append((size, database))
        }
        var costs = Measurement()
        try await measure(databases, isDurable: false, &costs)
        try await measure(databases, isDurable: true, &costs)
        report(costs, kind)
        if let last = databases.last { try await showPlans(last.database, last.size) }
      }
    }
  }

  private static func title(_ size: Int) -> String {
    size.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  // MARK: Costs

  private func measure(
    _ databases: [(size: Int, database: Database)], isDurable: Bool, _ costs: inout Measurement
  ) async throws {
    var scenes: [Scene] = []
    for (size, database) in databases {
      scenes.append(Scene(size: size, store: try await database.store(isDurable: isDurable)))
    }
    for round in 0...rounds {
      for scene in scenes {
        var own = Measurement()
        try await scene.links(isDurable ? "link" : "link, not kept", &own)
        try await scene.leases(isDurable ? "lease" : "lease, not kept", &own)
        if isDurable {
          try await scene.lists("list", of: { _ in 0 }, &own)
          try await scene.lists("list, others", of: { $0 * 611_953 }, &own)
        }
        // The first round warms up.
        if round > 0 { costs.add(own, suffix: String(scene.size)) }
      }
    }
  }

  private func report(_ costs: Measurement, _ kind: DatabaseKind) {
    let titles = sizes.map { Self.title($0) }
    print(
      "  " + "\(kind.name), µs".padding(toLength: 42, withPad: " ", startingAt: 0)
        + titles.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
        + "  last/first")
    let rows = [
      ("link", "link"), ("link, not kept", "link, not waiting for the disk"),
      ("list", "list: 20 of 25, the same account"),
      ("list, others", "list: 20 of 25, another account each time"),
      ("lease", "refresh-due: lease of 50"),
      ("lease, not kept", "refresh-due, not waiting for the disk"),
    ]
    for (name, title) in rows {
      let values = sizes.map { costs.microseconds(name + String($0)) }
      let ratio = costs.ratio(
        name + String(sizes.last ?? 0), to: [(name + String(sizes.first ?? 0), 1)])
      print(
        "  " + title.padding(toLength: 42, withPad: " ", startingAt: 0)
          + values.map { String(format: "%10.0f", $0) }.joined()
          + String(format: "  %10.2f", ratio))
    }
  }

  // MARK: Plans

  private func showPlans(_ database: Database, _ size: Int) async throws {
    let kind = database.kind
    let store = try ExplainingStore(database)
    let scene = Scene(size: size, store: store)
    try await scene.callEach()
    print("  \(kind.name), what each statement is looked up by at \(Self.title(size)):")
    for plan in store.plans where !plan.steps.isEmpty {
      let name = plan.name.padding(toLength: 30, withPad: " ", startingAt: 0)
      print("    \(name) \(ExplainingStore.indices(of: plan.steps).joined(separator: ", "))")
    }
    let scans = store.plans.filter { $0.steps.contains(where: ExplainingStore.isScan) }
    guard scans.isEmpty else { throw ScansTable(statements: scans.map(\.name)) }
    print("    no statement scans a table")
  }
}
