import JSONValues
import Storekeeper
import StorekeeperLocks

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The progress of an import: a bar on a terminal, a line of the log every ten seconds elsewhere.
final class ImportProgress: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let noted = Locked<ContinuousClock.Instant?>(nil)

  func show(_ report: ImportReport) {
    let pause: Duration = isTerminal ? .milliseconds(200) : .seconds(10)
    let isLast = report.isComplete
    let isDue = noted.withLock { noted in
      guard !isLast, let last = noted, last.duration(to: .now) < pause else {
        noted = .now
        return true
      }
      return false
    }
    guard isDue else { return }
    if isTerminal {
      draw("\r" + Self.bar(report) + "\u{1B}[K")
    } else {
      ServerLog.note(
        "import",
        [
          ("done", .integer(report.done)),
          ("rows", report.rowCount.map { .integer($0) } ?? .null),
          ("refused", .integer(report.refused)),
          ("perSecond", .integer(Int(report.rowsPerSecond.rounded()))),
          ("secondsLeft", report.timeLeft.map { .integer(Int($0.components.seconds)) } ?? .null),
        ])
    }
  }

  /// Ends the line of the bar.
  func end() {
    let wasShown = noted.withLock { $0 != nil }
    if isTerminal, wasShown { draw("\n") }
  }

  private func draw(_ text: String) {
    try? BlockingOutput.error.write(Array(text.utf8))
  }

  private static func bar(_ report: ImportReport) -> String {
    let rows = report.rowCount ?? report.done
    let share = rows > 0 ? min(1, Double(report.done) / Double(rows)) : 1
    let full = Int(share * 30)
    let bar = String(repeating: "#", count: full) + String(repeating: ".", count: 30 - full)
    var text =
      "[\(bar)] \(report.done) of \(rows), \(Int(report.rowsPerSecond.rounded())) a second"
    if report.refused > 0 { text += ", \(report.refused) refused" }
    if let left = report.timeLeft { text += ", \(time(left)) left" }
    return text
  }

  private static func time(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    if seconds >= 3600 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
    return seconds >= 60 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds) s"
  }
}
