import Foundation

/// A test that crashes a PostgreSQL server under a running worker.
struct RestartTest {
  /// The folder of the server, made by `Tests/PostgreSQL/cluster`.
  let folder: String
  let restarts: Int

  func run() async throws -> Bool {
    let control = ProcessInfo.processInfo.environment["STOREKEEPER_POSTGRES_CONTROL"] ?? ""
    let store = "host=\(folder) dbname=storekeeper user=storekeeper"
    let worker = try WorkerProcess(["work", store, "900"])
    var answered = 20
    for number in 0..<restarts {
      worker.waitForAnswers(answered)
      usleep(UInt32.random(in: 0..<60_000))
      let mode = number.isMultiple(of: 2) ? "immediate" : "fast"
      try command(control, "restart", folder, mode)
      // The worker recovers by itself: more answers arrive.
      answered = worker.answers + 20
    }
    worker.waitForAnswers(answered)
    var ledger = Ledger()
    ledger.read(worker.kill())
    let opened = try await CrashScene.store(store)
    try await ServerSide(opened).isAlone()
    let problems = try await LaneCheck(store: opened, ledger: ledger).problems()
    await ServerSide(opened).close()
    guard problems.isEmpty, ledger.answered >= answered else {
      print("after \(restarts) restarts:\n" + problems.joined(separator: "\n"))
      return false
    }
    print(
      "restarts: \(restarts), answered requests: \(ledger.answered),",
      "without answer: \(ledger.open), lanes: \(ledger.lanes.count); every invariant holds")
    return true
  }

  /// Avoids `Process`, which would wait for the server that the command starts.
  private func command(_ words: String...) throws {
    let line = words.joined(separator: " ")
    guard let output = unsafe popen("\(line) >/dev/null", "r"), unsafe pclose(output) == 0 else {
      throw CommandFailure(command: line)
    }
  }

  private struct CommandFailure: Error {
    var command: String
  }
}
