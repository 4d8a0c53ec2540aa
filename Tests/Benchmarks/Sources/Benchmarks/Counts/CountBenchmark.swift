import CCounting
import Foundation

/// Counts of allocations and instructions, which unlike times are the same in each run.
///
/// `Tests/Benchmarks/counts` runs it, and compares the counts with those in the repository.
struct CountBenchmark {
  struct Unavailable: Error {}

  /// Prints a line for each operation: its name, and the allocations of a call.
  ///
  /// Under callgrind the instructions of all calls are a part of its file under that name, and the line has the number
  /// of calls.
  func run() async throws {
    let countsInstructions = counts_instructions() != 0
    guard countsInstructions || allocations_so_far() >= 0 else { throw Unavailable() }
    for operation in CountedOperation.all {
      let work = try await operation.prepare()
      if countsInstructions {
        guard case .synchronous(let call) = work else { continue }
        try countInstructions(of: operation, call)
      } else {
        try await countAllocations(of: operation, work)
      }
    }
  }

  private func countInstructions(
    of operation: CountedOperation, _ call: (Int) throws -> Void
  ) throws {
    for number in 0..<operation.calls { try call(number) }
    instructions_start()
    for number in operation.calls..<2 * operation.calls { try call(number) }
    instructions_stop(operation.name)
    print(operation.name, operation.calls)
  }

  private func countAllocations(
    of operation: CountedOperation, _ work: CountedOperation.Work
  ) async throws {
    let calls = operation.calls
    var start = 0 as Int64
    switch work {
    case .synchronous(let call):
      for number in 0..<calls { try call(number) }
      start = allocations_so_far()
      for number in calls..<2 * calls { try call(number) }
    case .asynchronous(let call):
      for number in 0..<calls { try await call(number) }
      start = allocations_so_far()
      for number in calls..<2 * calls { try await call(number) }
    }
    let count = Double(allocations_so_far() - start) / Double(calls)
    print(operation.name, String(format: "%.2f", count))
  }
}
