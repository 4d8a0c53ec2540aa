public import Storekeeper

/// A failure of the host's accounts, without which no e-mail can be addressed; the message is postponed.
public struct MailAccountsFailure: OutboxFailure {
  /// The host's error.
  public let cause: any Error
  /// The fate of the message.
  public let disposition: OutboxDisposition

  init(cause: any Error, pause: Duration) {
    self.cause = cause
    disposition = .postpone(pause)
  }
}
