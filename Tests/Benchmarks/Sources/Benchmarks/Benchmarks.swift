import Foundation

// What the library costs, beside what it is built on in the same run: OpenSSL's signature checks, and
// bare transactions of SQLite, PostgreSQL and MariaDB.
//
//     Tests/PostgreSQL/with-cluster --durable Tests/MariaDB/with-server --durable \
//       swift run -c release --package-path Tests/Benchmarks
//
// Names of sections behind it choose these; --help lists them.
// Without a server in STOREKEEPER_POSTGRES or STOREKEEPER_MARIADB that engine is left out; without the library of
// Tests/CatalogReference/library in STOREKEEPER_LZFSE, the catalogues. Add --quick for shorter rounds and
// to leave out the million tokens and the million subscriptions; --deciding to have the transactions of the bound also
// read and lock the rows that decide about what they write.
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let isQuick = arguments.contains("--quick")
    let names = arguments.filter { !["--quick", "--deciding"].contains($0) }
    let sections = "sections: " + Section.allCases.map(\.rawValue).joined(separator: ", ")
    guard !names.contains("--help") else {
      print("usage: Benchmarks [--quick] [--deciding] [SECTION]…")
      print("without a section, all but the last two")
      return print(sections)
    }
    let unknown = names.filter { Section(rawValue: $0) == nil }
    guard unknown.isEmpty else {
      FileHandle.standardError.write(
        Data("there is no section \(unknown.joined(separator: ", "))\n\(sections)\n".utf8))
      exit(EX_USAGE)
    }
    let chosen =
      names.isEmpty ? Section.usual : Section.allCases.filter { names.contains($0.rawValue) }
    for section in chosen {
      do {
        try await section.run(isQuick: isQuick)
      } catch {
        print("\(section.rawValue) failed: \(error)")
        exit(1)
      }
    }
  }
}

private enum Section: String, CaseIterable {
  case signedData = "signed-data"
  case serverAPI = "server-api"
  case receipts, answers, decisions, storage, log, scale, credits, catalog, entitlements, orders
  case telemetry
  /// Those that only scripts run: `counts` and `notifications` of Tests/Benchmarks.
  case counts
  case notificationBound = "notification-bound"

  /// Those that run unless others are named.
  static var usual: [Section] { allCases.filter { $0 != .counts && $0 != .notificationBound } }

  func run(isQuick: Bool) async throws {
    switch self {
    case .signedData:
      let benchmark = try SignedDataBenchmark()
      benchmark.report(try benchmark.measured(rounds: 15))
      if !isQuick { benchmark.reportMemory() }
    case .serverAPI:
      let benchmark = try ServerAPIBenchmark()
      benchmark.report(try await benchmark.measured(rounds: 15))
      try await ConcurrentCallBenchmark(rounds: isQuick ? 3 : 9).run()
    case .receipts:
      let benchmark = try ReceiptBenchmark()
      benchmark.report(try benchmark.measured(rounds: 15))
    case .answers:
      let benchmark = try VerifyReceiptBenchmark()
      benchmark.report(try benchmark.measured(rounds: 15))
    case .decisions:
      let benchmark = try DecisionBenchmark()
      benchmark.report(benchmark.measured(rounds: 15))
    case .storage:
      let benchmark = TransactionBenchmark(
        rounds: isQuick ? 3 : 9, seconds: isQuick ? 0.5 : 1, stored: isQuick ? 60_000 : 300_000)
      try await benchmark.run(on: DatabaseKind.found())
    case .log:
      try await LogBenchmark(rounds: isQuick ? 5 : 25).run()
    case .scale:
      let sizes = [1_000, 100_000] + (isQuick ? [] : [1_000_000])
      try await ScaleBenchmark(rounds: isQuick ? 5 : 15, sizes: sizes).run(
        on: DatabaseKind.found().filter(\.relaxesByConnection))
    case .credits:
      try await GrantBenchmark(rounds: isQuick ? 3 : 9, seconds: 0.5).run(on: DatabaseKind.found())
      try await AuditBenchmark(
        rounds: isQuick ? 1 : 3, entries: isQuick ? 100_000 : 1_000_000
      ).run(on: DatabaseKind.found())
      try await LedgerBenchmark(
        rounds: isQuick ? 5 : 15, sizes: [1_000, isQuick ? 100_000 : 1_000_000]
      ).run(on: DatabaseKind.found().filter(\.relaxesByConnection))
    case .entitlements:
      try AllowedBenchmark(rounds: isQuick ? 5 : 25).run()
      try await ProductsBenchmark(
        rounds: isQuick ? 3 : 9, sizes: [1_000, isQuick ? 100_000 : 1_000_000]
      ).run(on: DatabaseKind.found())
    case .orders:
      try await OrderBenchmark(rounds: isQuick ? 3 : 9, seconds: 0.5).run(on: DatabaseKind.found())
      try await PlayCheckBenchmark(rounds: 15).run()
    case .telemetry: try await TelemetryBenchmark(rounds: isQuick ? 5 : 25).run()
    case .counts:
      try await CountBenchmark().run()
    case .notificationBound:
      try await NotificationBound(seconds: 1).run(on: DatabaseKind.found())
    case .catalog:
      guard let benchmark = CatalogBenchmark() else {
        return print("catalog left out: STOREKEEPER_LZFSE names no library of the reference coder")
      }
      try benchmark.run(rounds: isQuick ? 5 : 15)
    }
  }
}
