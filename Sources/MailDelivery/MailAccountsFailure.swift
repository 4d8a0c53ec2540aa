public import Storekeeper

/// A failure of the host's accounts, without which no e-mail can be addressed; the message is tried again.
///
/// It counts as a failure of the message, as it may be due to this account, which must not hold up the others.
public struct MailAccountsFailure: OutboxFailure {
  /// The host's error.
  public let cause: any Error

  /// The fate of the message: it is tried again.
  public var disposition: OutboxDisposition { .retry }
}
