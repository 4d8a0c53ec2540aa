internal import HTTPMessages
internal import StorekeeperLocks

/// A message and the task that waits for its response.
///
/// An exchange ends once, with a response, a failure or a cancellation, whichever comes first.
final class Exchange: Sendable {
  let message: Message
  private let phase = Locked(Phase.new)

  private enum Phase {
    case new
    case awaited(CheckedContinuation<HTTPResponseMessage, any Error>)
    case over
  }

  init(_ message: Message) {
    self.message = message
  }

  /// Whether the exchange has ended.
  var isOver: Bool {
    phase.withLock { phase in
      if case .over = phase { true } else { false }
    }
  }

  /// Lets a task wait for the end; returns false if the exchange was cancelled before.
  func begin(_ continuation: CheckedContinuation<HTTPResponseMessage, any Error>) -> Bool {
    let isNew = phase.withLock { phase in
      guard case .new = phase else { return false }
      phase = .awaited(continuation)
      return true
    }
    if !isNew { continuation.resume(throwing: CancellationError()) }
    return isNew
  }

  /// Ends the exchange, unless it has ended.
  func end(_ result: Result<HTTPResponseMessage, any Error>) {
    let continuation: CheckedContinuation<HTTPResponseMessage, any Error>? = phase.withLock {
      phase in
      defer { phase = .over }
      guard case .awaited(let continuation) = phase else { return nil }
      return continuation
    }
    continuation?.resume(with: result)
  }
}
