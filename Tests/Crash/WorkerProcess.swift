import Foundation
import StorekeeperLocks

/// The output of a process.
private struct Output {
  var data = Data()
  /// The number of answered requests; each answer begins on a line of its own.
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

/// A process of this program, with its output.
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

  /// The output so far.
  var text: String { output.withLock { String(decoding: $0.data, as: UTF8.self) } }

  /// The number of requests answered so far.
  var answers: Int { output.withLock { $0.answers } }

  /// Kills the process (SIGKILL), waits for its end, and returns all of its output.
  func kill() -> String {
    let number = process.withLock { $0.processIdentifier }
    Foundation.kill(number, SIGKILL)
    return wait()
  }

  /// Waits for its end, and returns all of its output.
  func wait() -> String {
    hasEnded.wait()
    process.withLock { $0.waitUntilExit() }
    return text
  }

  /// Waits until the process has answered a number of requests, or has ended.
  func waitForAnswers(_ count: Int) {
    while answers < count {
      guard process.withLock({ $0.isRunning }) else { return }
      usleep(2_000)
    }
  }
}
