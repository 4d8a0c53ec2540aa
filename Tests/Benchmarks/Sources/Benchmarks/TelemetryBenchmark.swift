import CBaseline
import Foundation
import HTTPMessages
import Storekeeper
import StorekeeperHTTP
import StorekeeperTelemetry

/// What a get-one costs more where a registry counts it, and a scrape of 500 series.
struct TelemetryBenchmark {
  let rounds: Int

  func run() async throws {
    let registry = MetricsRegistry()
    let untold = try CountedOperation.getting(try await CountedOperation.api(telemetry: nil))
    let told = try CountedOperation.getting(try await CountedOperation.api(telemetry: registry))
    let full = Self.full()
    var costs = Measurement()
    let count = 4000
    for round in 0..<rounds {
      // In turn, and each first as often as the other.
      for isTold in round.isMultiple(of: 2) ? [false, true] : [true, false] {
        let get = isTold ? told : untold
        try await costs.add(
          isTold ? "told" : "untold", count: count, clock: cpu_nanoseconds
        ) {
          for number in 0..<count { try await get(number) }
        }
      }
      costs.add("scrape", count: 20) {
        for _ in 0..<20 { precondition(!full.text(in: .openMetrics).isEmpty) }
      }
    }
    print("telemetry (CPU time of the process)")
    costs.show("get-one in memory, without HTTP", "untold")
    costs.show("the same, counted by a registry", "told", [("untold", 1)], "without")
    let lines = full.text(in: .prometheus).split(separator: UInt8(ascii: "\n"))
      .count { $0.first != UInt8(ascii: "#") }
    costs.show("a scrape of 500 histograms and counters, \(lines) lines", "scrape")
  }

  /// A registry with 500 series, half of them histograms of 16 lines each.
  private static func full() -> MetricsRegistry {
    let registry = MetricsRegistry()
    let span = TelemetrySpan(traceID: 1, id: 2, isSampled: true)
    for number in 0..<250 {
      registry.ended(
        .call(.apple, "call \(number)"), in: span,
        with: TelemetryResult(
          .succeeded, duration: .milliseconds(number * 10), detail: .status(.ok)))
    }
    return registry
  }
}
