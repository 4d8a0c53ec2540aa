internal import CStorekeeperCurl

/// The course of one e-mail, as curl's callbacks tell it; used only on the lane's queue.
final class SMTPTranscript {
  /// The stage that was reached.
  private(set) var stage = MailFailure.Stage.session
  /// The refusal of the last command; nil if it was not refused.
  private(set) var refusal: SMTPReply?
  /// Whether the e-mail is to be given up.
  let isOver: () -> Bool

  init(isOver: @escaping () -> Bool) { self.isOver = isOver }

  /// Takes a line of the server.
  func take(line: UnsafeRawBufferPointer) {
    guard let reply = unsafe SMTPReply(line: line), reply.code >= 400 else { return }
    refusal = reply
  }

  /// Takes a command, of which only the first four bytes are looked at, as others hold secrets.
  func take(command: UnsafeRawBufferPointer) {
    switch unsafe String(decoding: command.prefix(4), as: UTF8.self) {
    case "MAIL": stage = .sender
    case "RCPT": stage = .recipient
    case "DATA": stage = .content
    // The end of a connection comes after the refusal.
    case "QUIT": return
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
      if type == CURLINFO_HEADER_OUT {
        unsafe of(context)?.take(command: UnsafeRawBufferPointer(start: bytes, count: count))
      }
      return 0
    }

  /// The callback that asks whether to go on.
  static let progress:
    @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) ->
      CInt = { context, _, _, _, _ in
        unsafe of(context)?.isOver() == true ? 1 : 0
      }
}
