internal import CStorekeeperCurl
internal import StorekeeperLocks

/// A connection to a mail server, which curl keeps for the next e-mail; used only on the lane's queue.
@safe
final class SMTPSession {
  private let handle: UnsafeMutableRawPointer
  private let server: MailServer

  /// Sets curl up, once for the process.
  ///
  /// This happens when a mailer is created, not on another thread while the process may be ending.
  static func setUpLibrary() -> CURLcode { library }

  private static let library = {
    let code = curl_global_init(Int(CURL_GLOBAL_ALL))
    _ = ProcessEnd.gate
    return code
  }()

  /// Creates a session, which connects when it is used; nil if curl cannot be set up.
  init?(_ server: MailServer) {
    guard Self.library == CURLE_OK, let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    self.server = server
    guard setServer() == CURLE_OK else { return nil }
  }

  deinit {
    // A server that does not answer QUIT holds nobody up.
    _ = unsafe ccurl_set_number(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, 2)
    Self.protected { unsafe curl_easy_cleanup(handle) }
  }

  /// Sends an e-mail.
  ///
  /// A kept connection may have been closed by the server in the meantime. Then the e-mail is sent on a new
  /// one, unless the server may have it already.
  ///
  /// - Returns: The reason why it was not sent; nil if it was.
  func send(
    _ email: Email, until deadline: ContinuousClock.Instant, isOver: @escaping () -> Bool
  ) -> MailFailure.Reason? {
    let (reason, isKept) = attempt(email, until: deadline, isOver: isOver)
    guard let reason, isKept, reason.isOfKeptConnection, !isOver() else { return reason }
    _ = set(CURLOPT_FRESH_CONNECT, 1)
    defer { _ = set(CURLOPT_FRESH_CONNECT, 0) }
    return attempt(email, until: deadline, isOver: isOver).reason
  }

  private func attempt(
    _ email: Email, until deadline: ContinuousClock.Instant, isOver: @escaping () -> Bool
  ) -> (reason: MailFailure.Reason?, isKept: Bool) {
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    guard left >= 1 else { return (.timedOut(.session), false) }
    guard let envelope = unsafe SMTPEnvelope(email, for: handle) else {
      return (.other(code: Int(CURLE_OUT_OF_MEMORY.rawValue)), false)
    }
    let transcript = SMTPTranscript(isOver: isOver)
    let code = withExtendedLifetime((envelope, transcript)) {
      var code = unsafe ccurl_set_mail_callbacks(
        handle, Unmanaged.passUnretained(transcript).toOpaque(), SMTPTranscript.line,
        SMTPTranscript.log, SMTPTranscript.progress)
      if code == CURLE_OK { code = envelope.apply() }
      if code == CURLE_OK { code = set(CURLOPT_TIMEOUT_MS, Int(left)) }
      if code == CURLE_OK {
        code = Self.protected { unsafe curl_easy_perform(handle) }
      }
      return code
    }
    return (
      MailFailure.Reason(code, transcript), unsafe ccurl_is_connection_kept(handle) != 0
    )
  }

  /// Runs a call of curl that may write to a closed connection, or use OpenSSL while the process ends.
  private static func protected<Result>(_ body: () -> Result) -> Result {
    ProcessEnd.gate.enter()
    let wasBlocked = ccurl_block_pipe_signal()
    defer {
      ccurl_restore_pipe_signal(wasBlocked)
      ProcessEnd.gate.leave()
    }
    return body()
  }

  // MARK: Options

  private func setServer() -> CURLcode {
    let milliseconds = max(1, Int(server.timeLimit / .milliseconds(1)))
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1),
      // RFC 8996.
      (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      (CURLOPT_USE_SSL, Int(server.useSSL.rawValue)),
      (CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
      // It also limits the wait for the answer to QUIT.
      (CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, milliseconds / 1000)),
    ]
    for (option, value) in numbers {
      let code = set(option, value)
      guard code == CURLE_OK else { return code }
    }
    var texts: [(CURLoption, String?)] = [(CURLOPT_URL, server.address)]
    if let file = server.certificateAuthorityFile {
      texts += [(CURLOPT_CAINFO, file), (CURLOPT_CAPATH, nil)]
    }
    if let user = server.user, let password = server.password {
      texts += [(CURLOPT_USERNAME, user), (CURLOPT_PASSWORD, password)]
    }
    for (option, value) in texts {
      let code = unsafe ccurl_set_text(handle, option, value)
      guard code == CURLE_OK else { return code }
    }
    return unsafe ccurl_set_quick_exit(handle)
  }

  private func set(_ option: CURLoption, _ value: Int) -> CURLcode {
    unsafe ccurl_set_number(handle, option, value)
  }
}

extension MailServer {
  fileprivate var useSSL: curl_usessl {
    switch security {
    case .none: CURLUSESSL_NONE
    case .tls, .startTLS: CURLUSESSL_ALL
    }
  }
}

extension MailFailure.Reason {
  /// The reason for a result of curl; nil for success.
  init?(_ code: CURLcode, _ transcript: SMTPTranscript) {
    switch code {
    case CURLE_OK: return nil
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut(transcript.stage)
    case CURLE_ABORTED_BY_CALLBACK: self = .interrupted(transcript.stage)
    case CURLE_USE_SSL_FAILED: self = .encryptionMissing
    case CURLE_LOGIN_DENIED: self = .loginRefused
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
      self = .untrustedServer
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
      CURLE_SSL_CONNECT_ERROR:
      self = .notConnected
    default:
      if let refusal = transcript.refusal {
        self = .refused(transcript.stage, refusal)
      } else if Self.interruptions.contains(code.rawValue) {
        self = .interrupted(transcript.stage)
      } else {
        self = .other(code: Int(code.rawValue))
      }
    }
  }

  private static let interruptions: Set = [
    CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
    CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED, CURLE_AGAIN,
  ].map(\.rawValue).reduce(into: Set<UInt32>()) { $0.insert($1) }

  /// Whether the server may have closed a kept connection, and cannot have the e-mail.
  fileprivate var isOfKeptConnection: Bool {
    switch self {
    case .interrupted(let stage): stage != .content
    case .refused(_, let reply): reply.code == 421
    case .addressMissing, .addressMalformed, .notConnected, .untrustedServer, .encryptionMissing,
      .loginRefused, .timedOut, .paused, .other:
      false
    }
  }
}
