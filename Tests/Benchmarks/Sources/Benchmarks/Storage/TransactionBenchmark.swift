import CBaseline
import CEngines
import Foundation
import Storekeeper
import Synchronization

/// Verify-and-save and link, beside bare transactions of the same engine with as many writes.
struct TransactionBenchmark {
  let rounds: Int
  let seconds: Double
  /// How many subscriptions are stored at the start; half of them can be linked.
  let stored: Int

  private static let callers = [1, 16]
  private static let works = [(work_verify, "verify and save"), (work_link, "link")]

  func run(on kinds: [DatabaseKind]) async throws {
    print("transactions a second, durable; medians of \(rounds) rounds of \(seconds) s, in turn")
    print("bound: the same rows written by the engine's own C interface, as many callers")
    let bytes = try CannedAppStore().answerBytes
    print("CPU: of this process, a transaction; with decoding \(bytes) bytes, without the server")
    print(String(repeating: " ", count: 53) + "ours    bound  ratio       CPU")
    for kind in kinds {
      try await Database.inFolder { folder in
        try await run(on: kind, in: folder)
      }
    }
  }

  private func run(on kind: DatabaseKind, in folder: URL) async throws {
    let ours = try await Database(kind, "ours", in: folder)
    let bare = try await Database(kind, "bound", in: folder)
    for database in [ours, bare] { try database.fill(subscriptions: stored) }
    let service = try BenchmarkService.on(try await ours.store())
    let load = Load(service: service)
    let engine = try Engine(bare, callers: Self.callers.max() ?? 1)
    for callers in Self.callers {
      var costs = Measurement()
      for round in 0...rounds {
        for (work, name) in Self.works {
          let mine = try await load.run(work, callers: callers, seconds: seconds)
          let bound = try engine.run(work, callers: callers, seconds: seconds)
          // The first round warms up.
          guard round > 0 else { continue }
          costs.add(name, nanoseconds: mine.nanoseconds / Double(mine.count))
          costs.add(name + ", CPU", nanoseconds: mine.cpu / Double(mine.count))
          costs.add(name + ", bound", nanoseconds: bound.nanoseconds / Double(bound.count))
        }
      }
      for (work, name) in Self.works {
        report(
          costs, name, "\(kind.name), \(callers) \(callers == 1 ? "caller" : "callers"), ", work)
      }
    }
  }

  private func report(_ costs: Measurement, _ name: String, _ prefix: String, _ work: Work) {
    let title = prefix + "\(name) (\(work_writes(work)) rows)"
    print(
      "  " + title.padding(toLength: 48, withPad: " ", startingAt: 0)
        + String(
          format: "%7.0f  %7.0f  %5.2f  %6.0f µs", 1e6 / costs.microseconds(name),
          1e6 / costs.microseconds(name + ", bound"),
          1 / costs.ratio(name, to: [(name + ", bound", 1)]),
          costs.microseconds(name + ", CPU")))
  }
}

/// Callers of a service.
private final class Load: Sendable {
  private let service: SubscriptionService
  private let links = Atomic(0)

  init(service: SubscriptionService) { self.service = service }

  /// So many callers make one call after the other for so long.
  func run(
    _ work: Work, callers: Int, seconds: Double
  ) async throws -> (count: Int, nanoseconds: Double, cpu: Double) {
    let (start, startCPU) = (wall_nanoseconds(), cpu_nanoseconds())
    let deadline = start + UInt64(seconds * 1e9)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<callers {
        group.addTask {
          var count = 0
          while wall_nanoseconds() < deadline {
            try await self.call(work)
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return (count, Double(wall_nanoseconds() - start), Double(cpu_nanoseconds() - startCPU))
  }

  private func call(_ work: Work) async throws {
    if work == work_verify {
      _ = try await service.verify(receipt: CannedAppStore.receipt)
    } else {
      let number = 2 * links.wrappingAdd(1, ordering: .relaxed).newValue
      _ = try await service.link(
        AccountID(Numbered.account(number)), to: Numbered.subscription(number))
    }
  }
}
