internal import StorekeeperLocks

/// The memory of a mailer: until when the server is left alone, and which e-mails it may have taken.
final class MailerState: Sendable {
  private struct State {
    var restsUntil: ContinuousClock.Instant?
    var accountFailures = 0
    /// The number of times that nobody could tell whether the server took an e-mail, by the number of the message.
    var unknownOutcomes: [Int: Int] = [:]
  }

  private let state = Locked(State())

  /// The number of failures of the accounts in a row that are not due to the account alone.
  private static let accountLimit = 3
  /// The number of times that an e-mail is sent although the server may have taken it.
  private static let outcomeLimit = 3
  /// The number of such e-mails that are remembered.
  private static let memoryLimit = 1000

  /// Leaves the server alone for a time.
  func rest(for time: Duration) { state.withLock { $0.restsUntil = .now + time } }

  /// The time for which the server is still left alone; nil if it is over.
  var restingTime: Duration? {
    state.withLock { state in
      guard let end = state.restsUntil else { return nil }
      let left = ContinuousClock.now.duration(to: end)
      return left > .zero ? left : nil
    }
  }

  /// Takes note whether the accounts could be asked.
  func noteAccounts(areThere: Bool, pause: Duration) {
    state.withLock { state in
      state.accountFailures = areThere ? 0 : state.accountFailures + 1
      if state.accountFailures >= Self.accountLimit { state.restsUntil = .now + pause }
    }
  }

  /// Returns the reason that counts for a message: after several unknown outcomes, that they are unknown.
  func final(_ reason: MailFailure.Reason, of number: Int) -> MailFailure.Reason {
    guard reason == .timedOut(.content) || reason == .interrupted(.content) else { return reason }
    return state.withLock { state in
      if state.unknownOutcomes.count >= Self.memoryLimit { state.unknownOutcomes = [:] }
      let count = state.unknownOutcomes[number, default: 0] + 1
      state.unknownOutcomes[number] = count < Self.outcomeLimit ? count : nil
      return count < Self.outcomeLimit ? reason : .outcomeUnknown
    }
  }

  /// Forgets a message that was sent.
  func forget(_ number: Int) { state.withLock { $0.unknownOutcomes[number] = nil } }
}
