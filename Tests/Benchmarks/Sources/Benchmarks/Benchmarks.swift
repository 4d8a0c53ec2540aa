// What verifying signed data and receipts costs, beside OpenSSL's own signature checks in the same run.
//
//     swift run -c release --package-path Tests/Benchmarks
//
// Add --quick to leave out the million tokens.
@main
enum Benchmarks {
  static func main() throws {
    let benchmark = try SignedDataBenchmark()
    benchmark.report(try benchmark.measured(rounds: 15))
    let receipts = try ReceiptBenchmark()
    receipts.report(try receipts.measured(rounds: 15))
    let answers = try VerifyReceiptBenchmark()
    answers.report(try answers.measured(rounds: 15))
    if !CommandLine.arguments.contains("--quick") { benchmark.reportMemory() }
  }
}
