import Dispatch
import JSONValues
import StorekeeperHTTP
import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output or standard error, written in whole lines.
///
/// Lines wait in memory, and a dispatch queue writes them, so that a slow reader blocks no request.
/// Those about requests are also formatted there. Lines beyond 1 MiB are dropped, and a line tells
/// how many.
final class Output: Sendable {
  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  private enum Entry {
    case line([UInt8])
    case request(RequestReport, Date)

    /// The number of bytes, which for a line about a request is about that.
    var byteCount: Int {
      switch self {
      case .line(let bytes): bytes.count
      case .request: 256
      }
    }
  }

  private struct State {
    var entries: [Entry] = []
    var byteCount = 0
    var droppedCount = 0
    var isWriting = false
  }

  private let descriptor: Int32
  private let state = Locked(State())
  private let writing = DispatchQueue(label: "storekeeper-server.output")

  private static let byteLimit = 1 << 20

  private init(descriptor: Int32) { self.descriptor = descriptor }

  func write(_ line: String) { write(.line(Array((line + "\n").utf8))) }

  func write(_ line: LogLine) { write(.line(line.bytes())) }

  /// Writes the line about a request that has been answered now.
  ///
  /// That of a failed one is formatted at once, so that its error does not wait too.
  func write(_ report: RequestReport) {
    if case .failed = report.outcome {
      write(AccessLog.line(report, at: Date()))
    } else {
      write(.request(report, Date()))
    }
  }

  /// Ends the process once all lines are written, or after a second without a reader.
  static func exit(_ status: Int32) -> Never {
    finish()
    Glibc.exit(status)
  }

  /// Ends the process likewise, but at once, whatever still runs or hangs.
  static func abandon(_ status: Int32) -> Never {
    finish()
    _exit(status)
  }

  private static func finish() {
    for output in [standard, error] { output.finish() }
  }

  private func finish() {
    let end = DispatchSemaphore(value: 0)
    writing.async {
      self.writeAll()
      end.signal()
    }
    _ = end.wait(timeout: .now() + .seconds(1))
  }

  private func write(_ entry: Entry) {
    let isIdle = state.withLock { state in
      let byteCount = state.byteCount + entry.byteCount
      guard byteCount <= Self.byteLimit else {
        state.droppedCount += 1
        return false
      }
      state.byteCount = byteCount
      state.entries.append(entry)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    // Waits for lines that follow soon, so that the thread is not woken for each.
    if isIdle { writing.asyncAfter(deadline: .now() + .milliseconds(10)) { self.writeAll() } }
  }

  private func writeAll() {
    while let lines = next() { writeNow(lines) }
  }

  /// Removes and returns the lines that wait, or nil if there are none.
  private func next() -> [UInt8]? {
    let taken: State? = state.withLock { state in
      guard !state.entries.isEmpty else {
        state.isWriting = false
        return nil
      }
      defer { state = State(isWriting: true) }
      return state
    }
    guard let taken else { return nil }
    var lines: [UInt8] = []
    lines.reserveCapacity(taken.byteCount)
    for entry in taken.entries {
      switch entry {
      case .line(let bytes): lines += bytes
      case .request(let report, let date): lines += AccessLog.line(report, at: date).bytes()
      }
    }
    if taken.droppedCount > 0 { lines += Self.notice(taken.droppedCount) }
    return lines
  }

  private static func notice(_ count: Int) -> [UInt8] {
    var line = LogLine()
    line.add("event", "lines dropped")
    line.add("number", .integer(count))
    return line.bytes()
  }

  /// Writes lines; a failure is ignored, as it cannot be logged anywhere.
  private func writeNow(_ lines: [UInt8]) {
    var rest = lines[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe writeOnce(bytes, to: descriptor)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&output, 1, -1)
        continue
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
