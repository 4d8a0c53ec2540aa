import Foundation
import Storekeeper
import StorekeeperLocks

/// A bar on standard error that shows the progress, if a person looks at it there.
struct ProgressBar: Sendable {
  private static let width = 40

  private let isShown = isatty(STDERR_FILENO) == 1
  /// The text that is shown, which is replaced by the next.
  private let shown = Text()

  private final class Text: Sendable {
    let value = Locked("")
  }

  /// Shows the progress, if it looks different from before.
  func show(_ progress: LedgerAuditProgress) {
    guard isShown else { return }
    let text = Self.text(progress)
    shown.value.withLock { before in
      guard before != text else { return }
      Self.write("\r\(text)")
      before = text
    }
  }

  /// Writes something else in the place of the bar, which comes back with the next progress; only one
  /// task writes at a time.
  func interrupt(_ body: () -> Void) {
    shown.value.withLock { before in
      if !before.isEmpty { Self.write("\r\u{1B}[K") }
      before = ""
      body()
    }
  }

  func clear() { interrupt {} }

  private static func text(_ progress: LedgerAuditProgress) -> String {
    let found = progress.violations == 0 ? "" : ", violations: \(progress.violations)"
    guard let fraction = progress.fraction else { return "\(progress.entries) entries\(found)" }
    let done = Int(fraction * Double(width))
    let bar = String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
    return "[\(bar)] \(Int(fraction * 100)) %\(found)"
  }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
