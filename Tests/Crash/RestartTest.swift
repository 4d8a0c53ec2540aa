import Foundation

/// A test that crashes a database server under a running worker.
struct RestartTest {
  /// The script that controls the server: `Tests/PostgreSQL/cluster` or `Tests/MariaDB/server`.
  let control: String
  /// The folder of the server, which the script made.
  let folder: String
  let restarts: Int

  func run() async throws -> Bool {
    let store = try output(control, "connection", folder)
    let worker = try WorkerProcess(["work", store, "900"])
    var answered = 20
    for number in 0..<restarts {
      worker.waitForAnswers(answered)
      usleep(UInt32.random(in: 0..<60_000))
      let mode = number.isMultiple(of: 2) ? "immediate" : "fast"
      _ = try output(control, "restart", folder, mode)
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

  /// Returns the first line that a command prints.
  ///
  /// Avoids `Process`, which would wait for the server that the command starts.
  private func output(_ words: String...) throws -> String {
    let command = words.joined(separator: " ")
    guard let output = unsafe popen(command, "r") else { throw CommandFailure(command: command) }
    var bytes = [CChar](repeating: 0, count: 1024)
    let line = unsafe fgets(&bytes, Int32(bytes.count), output).map { unsafe String(cString: $0) }
    guard unsafe pclose(output) == 0 else { throw CommandFailure(command: command) }
    return line?.trimmingCharacters(in: .newlines) ?? ""
  }

  private struct CommandFailure: Error {
    var command: String
  }
}
