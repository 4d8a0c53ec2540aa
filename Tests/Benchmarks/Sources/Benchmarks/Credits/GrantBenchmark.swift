import CBaseline
import CEngines
import Foundation
import Storekeeper
import Synchronization

/// Grants of credit packs, their signatures included, beside bare transactions of the same engine that
/// write the same rows after OpenSSL verified a signature of the same length.
struct GrantBenchmark {
  let rounds: Int
  let seconds: Double

  private static let callers = [1, 16]

  func run(on kinds: [DatabaseKind]) async throws {
    print(
      "grants of credits a second, durable; medians of \(rounds) rounds of \(seconds) s, in turn")
    print("bound: the signature by OpenSSL, and the same rows by the engine's own C interface")
    print(String(repeating: " ", count: 53) + "ours    bound  ratio       CPU")
    let scene = try CreditScene(purchases: 60_000)
    for kind in kinds {
      try await Database.inFolder { folder in
        let ours = try await Database(kind, "ours", in: folder)
        let bare = try await Database(kind, "bound", in: folder)
        let load = GrantLoad(
          scene: scene, service: try scene.service(on: try await ours.store()))
        let engine = try Engine(bare, callers: Self.callers.max() ?? 1)
        for callers in Self.callers {
          try await measure(kind, load, engine, callers: callers)
        }
      }
    }
  }

  private func measure(
    _ kind: DatabaseKind, _ load: GrantLoad, _ engine: Engine, callers: Int
  ) async throws {
    var costs = Measurement()
    for round in 0...rounds {
      let mine = try await load.run(callers: callers, seconds: seconds)
      let bound = try engine.run(work_grant, callers: callers, seconds: seconds)
      // The first round warms up.
      guard round > 0 else { continue }
      costs.add("grant", nanoseconds: mine.nanoseconds / Double(mine.count))
      costs.add("CPU", nanoseconds: mine.cpu / Double(mine.count))
      costs.add("bound", nanoseconds: bound.nanoseconds / Double(bound.count))
    }
    let title = "\(kind.name), \(callers) \(callers == 1 ? "caller" : "callers"), grant (4 rows)"
    print(
      "  " + title.padding(toLength: 48, withPad: " ", startingAt: 0)
        + String(
          format: "%7.0f  %7.0f  %5.2f  %6.0f µs", 1e6 / costs.microseconds("grant"),
          1e6 / costs.microseconds("bound"), 1 / costs.ratio("grant", to: [("bound", 1)]),
          costs.microseconds("CPU")))
  }
}

/// Callers of a service, each with purchases of its own.
private final class GrantLoad: Sendable {
  private let scene: CreditScene
  private let service: CreditService
  private let granted = Atomic(0)

  init(scene: CreditScene, service: CreditService) {
    self.scene = scene
    self.service = service
  }

  /// So many callers make one call after the other for so long.
  func run(
    callers: Int, seconds: Double
  ) async throws -> (count: Int, nanoseconds: Double, cpu: Double) {
    let (start, startCPU) = (wall_nanoseconds(), cpu_nanoseconds())
    let deadline = start + UInt64(seconds * 1e9)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<callers {
        group.addTask {
          var count = 0
          while wall_nanoseconds() < deadline {
            let number = self.granted.wrappingAdd(1, ordering: .relaxed).oldValue
            try await self.scene.grant(number, by: self.service)
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return (count, Double(wall_nanoseconds() - start), Double(cpu_nanoseconds() - startCPU))
  }
}
