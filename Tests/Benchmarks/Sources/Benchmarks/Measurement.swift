import CBaseline
import Foundation

/// Costs of several pieces of work, measured in turn, round after round, so that a machine whose
/// speed drifts does not favour one of them.
struct Measurement {
  private(set) var nanoseconds: [String: [Double]] = [:]

  /// Adds one round of a piece of work: its cost for each of `count` calls.
  mutating func add(
    _ name: String, count: Int, clock: () -> UInt64 = cpu_nanoseconds, _ work: () throws -> Void
  ) rethrows {
    let start = clock()
    try work()
    nanoseconds[name, default: []].append(Double(clock() - start) / Double(count))
  }

  /// The same for work that waits.
  mutating func add(
    _ name: String, count: Int, clock: () -> UInt64, _ work: () async throws -> Void
  ) async rethrows {
    let start = clock()
    try await work()
    add(name, nanoseconds: Double(clock() - start) / Double(count))
  }

  /// Adds one round that was measured elsewhere: the cost of a call.
  mutating func add(_ name: String, nanoseconds cost: Double) {
    nanoseconds[name, default: []].append(cost)
  }

  /// Adds the rounds of another measurement under names with something behind them.
  mutating func add(_ other: Measurement, suffix: String) {
    for (name, costs) in other.nanoseconds { nanoseconds[name + suffix, default: []] += costs }
  }

  /// The median cost of a call, in microseconds.
  func microseconds(_ name: String) -> Double {
    median(nanoseconds[name] ?? []) / 1000
  }

  /// The median over the rounds of the cost of one piece of work over that of others, added up.
  func ratio(_ name: String, to others: [(String, times: Double)]) -> Double {
    let rounds = nanoseconds[name] ?? []
    return median(
      rounds.indices.map { round in
        let bound = others.reduce(0.0) { sum, other in
          sum + (nanoseconds[other.0]?[round] ?? 0) * other.times
        }
        return rounds[round] / bound
      })
  }

  private func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }
}

extension Measurement {
  /// Prints the cost of a call, and what it is of others.
  func show(
    _ title: String, _ name: String, _ bound: [(String, times: Double)] = [],
    _ boundTitle: String = ""
  ) {
    let title = title.padding(toLength: 42, withPad: " ", startingAt: 0)
    let ratio =
      bound.isEmpty ? "" : String(format: "  %6.3f × %@", ratio(name, to: bound), boundTitle)
    print("  \(title)" + String(format: "%9.2f µs", microseconds(name)) + ratio)
  }
}
