internal import Dispatch
internal import StorekeeperLocks

/// The thread on which one mail server is used, as curl blocks it.
final class SMTPLane: @unchecked Sendable {
  // Sendable because everything but constants is only used on the queue; deinit begins when nothing is on it.
  private let server: MailServer
  private let queue = DispatchQueue(label: "MailDelivery")
  private var session: SMTPSession?
  private var lastUse = ContinuousClock.now
  private var isClosingPlanned = false

  init(_ server: MailServer) {
    self.server = server
    _ = SMTPSession.setUpLibrary()
  }

  deinit {
    guard let session else { return }
    // Only the closure has it from here on.
    nonisolated(unsafe) let last = session
    queue.async { unsafe withExtendedLifetime(last) {} }
  }

  /// Sends an e-mail, after those that were given before.
  ///
  /// If the task is cancelled, an e-mail that was begun has five more seconds, so that it need not be sent again.
  ///
  /// - Returns: The reason why it was not sent; nil if it was.
  func send(_ email: Email) async -> MailFailure.Reason? {
    let stop = StopOrder()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          continuation.resume(returning: perform(email, stop))
        }
      }
    } onCancel: {
      stop.give(after: .seconds(5))
    }
  }

  private func perform(_ email: Email, _ stop: StopOrder) -> MailFailure.Reason? {
    // Nothing of it was sent, so that it need not wait.
    guard !stop.isGiven else { return .interrupted(.session) }
    guard let session = session ?? SMTPSession(server) else { return .other(code: 2) }
    self.session = session
    let reason = session.send(email, until: .now + server.timeLimit) { stop.isDue }
    lastUse = .now
    planClosing()
    return reason
  }

  private func planClosing() {
    guard !isClosingPlanned else { return }
    isClosingPlanned = true
    let seconds = server.idleLimit / .seconds(1)
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.closeIfIdle() }
  }

  private func closeIfIdle() {
    isClosingPlanned = false
    guard session != nil else { return }
    guard lastUse.duration(to: .now) >= server.idleLimit else { return planClosing() }
    session = nil
  }
}

/// An order to stop that takes effect some time later.
private final class StopOrder: Sendable {
  private let due = Locked<ContinuousClock.Instant?>(nil)

  func give(after time: Duration) { due.withLock { $0 = .now + time } }

  var isGiven: Bool { due.withLock { $0 != nil } }

  var isDue: Bool { due.withLock { $0.map { $0 <= .now } ?? false } }
}
