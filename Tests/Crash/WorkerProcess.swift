import Foundation
import StorekeeperLocks

/// What a process has said.
private struct Output {
  var data = Data()
  /// How many requests it has answered: each answer begins with a line of its own.
  var answers = 0

  mutating func append(_ part: Data) {
    let start = max(0, data.count - Self.answer.count + 1)
    data.append(part)
    var rest = data[start...]
    while let range = rest.range(of: Self.answer) {
      answers += 1
      rest = data[range.upperBound...]
    }
  }

  private static let answer = Data("\ndone".utf8)
}

/// A process of this program, and what it says.
final class WorkerProcess: Sendable {
  private let process: Locked<Process>
  private let output = Locked(Output())
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts this program with other arguments.
  init(_ arguments: [String]) throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    self.process = Locked(process)
    let reader = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      while case let data = reader.availableData, !data.isEmpty {
        output.withLock { $0.append(data) }
      }
      hasEnded.signal()
    }
  }

  /// What it has said so far.
  var text: String { output.withLock { String(decoding: $0.data, as: UTF8.self) } }

  /// How many requests it has answered so far.
  var answers: Int { output.withLock { $0.answers } }

  /// Kills it at once (SIGKILL), waits for its end, and gives all that it said.
  func kill() -> String {
    let number = process.withLock { $0.processIdentifier }
    Foundation.kill(number, SIGKILL)
    return wait()
  }

  /// Waits for its end and gives all that it said.
  func wait() -> String {
    hasEnded.wait()
    process.withLock { $0.waitUntilExit() }
    return text
  }

  /// Waits until it has answered as many requests, or has ended.
  func waitForAnswers(_ count: Int) {
    while answers < count {
      guard process.withLock({ $0.isRunning }) else { return }
      usleep(2_000)
    }
  }
}
