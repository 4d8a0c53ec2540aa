internal import StorekeeperLocks

/// A command and the task that waits for its reply.
///
/// A call ends once, with a reply, a failure or because nobody waits any more, whichever comes first.
final class RedisCall: Sendable {
  typealias Outcome = Result<RedisReply, RedisReceiptStore.Failure>

  let command: RedisCommand
  let deadline: ContinuousClock.Instant
  private let phase = Locked(Phase.new)

  private enum Phase {
    case new
    case awaited(CheckedContinuation<Outcome?, Never>)
    case over
  }

  init(_ command: RedisCommand, deadline: ContinuousClock.Instant) {
    self.command = command
    self.deadline = deadline
  }

  /// Whether nobody waits for the reply any more.
  var isOver: Bool {
    phase.withLock { phase in
      if case .over = phase { true } else { false }
    }
  }

  /// Lets a task wait for the end; returns false if it was cancelled before.
  func begin(_ continuation: CheckedContinuation<Outcome?, Never>) -> Bool {
    let isNew = phase.withLock { phase in
      guard case .new = phase else { return false }
      phase = .awaited(continuation)
      return true
    }
    if !isNew { continuation.resume(returning: nil) }
    return isNew
  }

  /// Ends the call, unless it has ended; nil if nobody waits any more.
  func end(_ outcome: Outcome?) {
    let continuation: CheckedContinuation<Outcome?, Never>? = phase.withLock { phase in
      defer { phase = .over }
      guard case .awaited(let continuation) = phase else { return nil }
      return continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// Ends the call with a reply.
  ///
  /// - Throws: `malformedReply` for a reply of another form than the command's, after which nothing that arrives can
  ///   be trusted; `refused` for an error that another connection may not have.
  func end(with reply: RedisReply) throws(RedisReceiptStore.Failure) {
    if case .error(let code) = reply {
      end(.failure(.refused(code)))
      // The name of the host may belong to another server by now.
      if code == .readOnly || code == .authenticationRequired { throw .refused(code) }
    } else if command.shape.fits(reply) {
      end(.success(reply))
    } else {
      end(.failure(.malformedReply))
      throw .malformedReply
    }
  }
}
