internal import Dispatch
internal import JSONValues
internal import StorekeeperLocks

/// The thread on which one mail server is used, as curl blocks it.
final class SMTPLane: Sendable {
  private let line: SMTPLine

  init(_ server: MailServer) {
    _ = SMTPSession.setUpLibrary()
    line = SMTPLine(server)
  }

  deinit { line.queue.async { [line] in line.close() } }

  /// Sends an e-mail, after those that were given before.
  ///
  /// The time that it waits for those counts towards the server's time limit. If the task is cancelled, an e-mail
  /// that was begun has five more seconds, so that it need not be sent again. Returns nil if it was sent.
  func send(_ email: Email) async -> MailFailure.Reason? {
    let (stop, deadline) = (StopOrder(), ContinuousClock.now + line.server.timeLimit)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        line.queue.async { [line] in
          // Nothing of it was sent, so that it need not wait.
          let reason =
            stop.isGiven ? .interrupted(.session) : line.send(email, until: deadline, stop)
          continuation.resume(returning: reason)
        }
      }
    } onCancel: {
      stop.give(after: .seconds(5))
    }
  }
}

/// The connection of a lane.
private final class SMTPLine: @unchecked Sendable {
  // Sendable because everything but constants is only used on the queue.
  let queue = DispatchQueue(label: "MailDelivery")
  let server: MailServer
  private var session: SMTPSession?
  private var lastUse = ContinuousClock.now
  private var isClosingPlanned = false

  init(_ server: MailServer) { self.server = server }

  func send(
    _ email: Email, until deadline: ContinuousClock.Instant, _ stop: StopOrder
  ) -> MailFailure.Reason? {
    guard deadline > .now else { return .timedOut(.session) }
    guard let session = session ?? SMTPSession(server) else { return .other(code: 2, .session) }
    self.session = session
    let reason = session.send(email, until: deadline) { stop.isDue }
    lastUse = .now
    planClosing()
    return reason
  }

  /// Ends the connection, on another thread, as the server may take its time to say goodbye.
  func close() {
    guard let session = unsafe takeSession() else { return }
    // Nobody else has it any more.
    nonisolated(unsafe) let last = unsafe session
    DispatchQueue.global().async { unsafe last.release() }
  }

  private func takeSession() -> Unmanaged<SMTPSession>? {
    defer { session = nil }
    return unsafe session.map { unsafe Unmanaged.passRetained($0) }
  }

  private func planClosing() {
    guard !isClosingPlanned else { return }
    isClosingPlanned = true
    queue.asyncAfter(deadline: .now() + server.idleLimit.timeInterval) { [weak self] in
      self?.closeIfIdle()
    }
  }

  private func closeIfIdle() {
    isClosingPlanned = false
    guard session != nil else { return }
    guard lastUse.duration(to: .now) >= server.idleLimit else { return planClosing() }
    close()
  }
}

/// An order to stop that takes effect some time later.
private final class StopOrder: Sendable {
  private let due = Locked<ContinuousClock.Instant?>(nil)

  func give(after time: Duration) { due.withLock { $0 = .now + time } }

  var isGiven: Bool { due.withLock { $0 != nil } }

  var isDue: Bool { due.withLock { $0.map { $0 <= .now } ?? false } }
}
