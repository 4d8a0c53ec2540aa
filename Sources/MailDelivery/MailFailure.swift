public import PurchaseStorage
public import Storekeeper

/// The reason why an e-mail was not sent, and the fate of its message.
///
/// It holds neither an address nor a text of the server.
public struct MailFailure: OutboxFailure, PrintableFailure, Hashable, CustomStringConvertible {
  /// A stage of a connection or of an e-mail.
  public enum Stage: String, Hashable, Sendable {
    /// The greeting, EHLO, STARTTLS or AUTH.
    case session
    /// MAIL: the sender.
    case sender
    /// RCPT: the recipient.
    case recipient
    /// DATA and the e-mail itself.
    case content
  }

  /// The reason of a failure.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The host knows no e-mail address of the account.
    case addressMissing
    /// The address of the account cannot be written to.
    case addressMalformed
    /// There is no connection to the server.
    case notConnected
    /// The server's certificate is not trusted.
    case untrustedServer
    /// The server offers no STARTTLS, so that nothing was sent.
    case encryptionMissing
    /// The server refused user and password.
    case loginRefused
    /// The server refused, at a stage.
    case refused(Stage, SMTPReply)
    /// The server took too long, at a stage.
    case timedOut(Stage)
    /// The connection was lost, at a stage; behind DATA the server may have taken the e-mail.
    case interrupted(Stage)
    /// The server failed a moment ago, and was not tried again yet.
    case paused
    /// The server answered nothing to the e-mail several times, and may have taken it each time.
    case outcomeUnknown
    /// An error of libcurl, with its code, at a stage.
    case other(code: Int, Stage)
  }

  public let reason: Reason
  /// The fate of the message.
  public let disposition: OutboxDisposition

  /// The reason in words, with the server's codes.
  public var description: String {
    switch reason {
    case .addressMissing: "the account has no e-mail address"
    case .addressMalformed: "the account's e-mail address cannot be written to"
    case .notConnected: "no connection to the mail server"
    case .untrustedServer: "the mail server's certificate is not trusted"
    case .encryptionMissing: "the mail server offers no STARTTLS"
    case .loginRefused: "the mail server refused user and password"
    case .refused(let stage, let reply): "the mail server refused the \(stage.rawValue): \(reply)"
    case .timedOut(let stage): "the mail server took too long, at the \(stage.rawValue)"
    case .interrupted(let stage): "the connection was lost, at the \(stage.rawValue)"
    case .paused: "the mail server failed a moment ago"
    case .outcomeUnknown: "the mail server has not told several times whether it took the e-mail"
    case .other(let code, let stage): "libcurl error \(code), at the \(stage.rawValue)"
    }
  }

  /// A failure after which other messages are not tried for a time.
  init(_ reason: Reason, pause: Duration) {
    self.reason = reason
    disposition =
      switch reason {
      case .addressMissing: .park(ParkingReason(.addressMissing))
      case .addressMalformed: .park(ParkingReason(.addressMalformed))
      case .outcomeUnknown: .park(ParkingReason(.outcomeUnknown))
      case .notConnected, .untrustedServer, .encryptionMissing, .loginRefused, .paused:
        .postpone(pause)
      case .refused(.session, _), .timedOut(.session), .interrupted(.session), .other(_, .session):
        .postpone(pause)
      case .refused(let stage, let reply) where reply.isPermanent && !reply.isAboutServer:
        .park(ParkingReason(reply.cause(at: stage), detail: reply.description))
      // If it is the message that a server cannot bear, the others go on without it.
      case .refused, .timedOut, .interrupted, .other: .retry
      }
  }

  /// Whether other messages would fail as well, as far as one can tell.
  var isOfServer: Bool {
    switch reason {
    case .addressMissing, .addressMalformed, .outcomeUnknown, .paused: false
    case .refused(.session, _): true
    // The sender is that of all messages.
    case .refused(let stage, let reply):
      reply.isAboutServer
        || reply.isPermanent && stage != .content && reply.cause(at: stage) == .senderRefused
    case .notConnected, .untrustedServer, .encryptionMissing, .loginRefused, .timedOut,
      .interrupted,
      .other:
      true
    }
  }
}

/// The code of a mail server's answer.
///
/// Source: RFC 5321 section 4.2, RFC 3463.
public struct SMTPReply: Hashable, Sendable, CustomStringConvertible {
  /// The code of three digits, such as 550.
  public let code: Int
  /// The enhanced status code, such as `5.1.1`; nil if there is none.
  public let status: String?

  /// The codes, such as `550 5.1.1`.
  public var description: String { status.map { "\(code) \($0)" } ?? "\(code)" }

  /// Whether the same e-mail would be refused again.
  var isPermanent: Bool { (500...599).contains(code) }

  /// Returns the cause of a permanent refusal at a stage.
  ///
  /// An e-mail may be too large already for the sender's command (RFC 1870 section 6.1). A recipient is refused for
  /// reasons of policy if the server relays nothing for this sender or this network (RFC 3463 section 3.8).
  func cause(at stage: MailFailure.Stage) -> ParkingReason.Cause {
    switch stage {
    case .session, .sender:
      status == "5.3.4" || code == 552 && status == nil ? .contentRefused : .senderRefused
    case .recipient:
      status == "5.3.4"
        ? .contentRefused : status?.hasPrefix("5.7.") == true ? .senderRefused : .recipientRefused
    case .content: .contentRefused
    }
  }

  /// Whether the answer is about the connection or its user, and not about the e-mail: the server closes, or
  /// demands a login or encryption (RFC 5321 section 3.8, RFC 4954 section 6, RFC 3207 section 4).
  var isAboutServer: Bool { [421, 454, 530, 534, 535, 538].contains(code) }

  /// Reads a line of a server such as `550 5.1.1 No such user`; nil if it is none.
  init?(line: UnsafeRawBufferPointer) {
    let bytes = unsafe Array(line.prefix(64))
    guard bytes.count >= 3, let code = Int(String(decoding: bytes[..<3], as: UTF8.self)),
      (200...599).contains(code)
    else { return nil }
    self.code = code
    let rest = bytes.dropFirst(4).prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") }
    let numbers = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isStatus =
      numbers.count == 3 && numbers[0].count == 1 && bytes[0] == numbers[0].first
      && numbers.allSatisfy { number in
        (1...3).contains(number.count) && number.areDigits
      }
    status = isStatus ? String(decoding: rest, as: UTF8.self) : nil
  }
}

/// A failure of the host's accounts, without which no e-mail can be addressed; the message is tried again.
///
/// It counts as a failure of the message, as it may be due to this account, which must not hold up the others.
public struct MailAccountsFailure: OutboxFailure {
  /// The host's error.
  public let cause: any Error

  /// The fate of the message: it is tried again.
  public var disposition: OutboxDisposition { .retry }
}
