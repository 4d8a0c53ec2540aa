internal import CStorekeeperCurl
internal import StorekeeperLocks

/// The course of one e-mail, as curl's callbacks tell it, and its limits; used only on the lane's queue.
final class SMTPTranscript {
  /// The stage that was reached.
  private(set) var stage = MailFailure.Stage.session
  /// The refusal of the last command; nil if it was not refused.
  private(set) var refusal: SMTPReply?

  private let socket: SMTPSocket
  private let isOver: () -> Bool
  private let acceptanceLimit: Duration
  private let consentDeadline: ContinuousClock.Instant
  private var deadline: ContinuousClock.Instant
  private var isLeaving = false

  /// Creates the transcript of an e-mail.
  init(
    on socket: SMTPSocket, until deadline: ContinuousClock.Instant, acceptanceLimit: Duration,
    isOver: @escaping () -> Bool
  ) {
    self.socket = socket
    self.isOver = isOver
    self.acceptanceLimit = acceptanceLimit
    consentDeadline = deadline
    self.deadline = deadline
  }

  /// Begins with a connection; a second one gets no more time.
  func begin() {
    stage = .session
    refusal = nil
    isLeaving = false
    deadline = consentDeadline
  }

  /// Ends the connection if the e-mail is to be given up: by order, as its time is over, or as the process ends.
  func stopIfNeeded() -> Bool {
    guard isOver() || deadline <= .now || ProcessEnd.gate.isClosing else { return false }
    socket.shutDown()
    return true
  }

  /// The result of an e-mail that was given up.
  var stopCode: CURLcode {
    deadline <= .now ? CURLE_OPERATION_TIMEDOUT : CURLE_ABORTED_BY_CALLBACK
  }

  /// Takes a line of the server.
  func take(line: UnsafeRawBufferPointer) {
    // The answer to a goodbye comes after the refusal that led to it.
    guard !isLeaving, let reply = unsafe SMTPReply(line: line), reply.code >= 400 else { return }
    refusal = reply
  }

  /// Takes a command, of which only the first four bytes are looked at, as others hold secrets.
  func take(command: UnsafeRawBufferPointer) {
    switch unsafe String(decoding: command.prefix(4), as: UTF8.self) {
    case "MAIL": stage = .sender
    case "RCPT": stage = .recipient
    case "DATA":
      stage = .content
      deadline = .now + acceptanceLimit
    case "QUIT":
      isLeaving = true
      return
    default: break
    }
    refusal = nil
  }
}

// MARK: Callbacks of curl

extension SMTPTranscript {
  private static func of(_ context: UnsafeMutableRawPointer?) -> SMTPTranscript? {
    unsafe context.map { unsafe Unmanaged<SMTPTranscript>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The callback with a line of the server.
  static let line:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      unsafe of(context)?.take(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
      return size * count
    }

  /// The callback with what curl logs; only commands are of interest.
  static let log:
    @convention(c) (
      UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int,
      UnsafeMutableRawPointer?
    ) -> CInt = { _, type, bytes, count, context in
      guard type == CURLINFO_HEADER_OUT else { return 0 }
      let command = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
      unsafe of(context)?.take(command: command)
      return 0
    }

  /// The callback that asks whether to go on, while curl waits for the answer to an e-mail.
  static let progress:
    @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) ->
      CInt = { context, _, _, _, _ in
        unsafe of(context)?.stopIfNeeded() == true ? 1 : 0
      }
}
