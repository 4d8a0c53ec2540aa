internal import CStorekeeperCurl
internal import Dispatch
internal import JSONValues
internal import StorekeeperLocks

/// A connection to a mail server, which curl keeps for the next e-mail; used only on the lane's queue.
@safe
final class SMTPSession {
  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  private let server: MailServer
  private let socket = SMTPSocket()

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
    guard Self.library == CURLE_OK, let easy = unsafe curl_easy_init() else { return nil }
    guard let multi = unsafe curl_multi_init() else {
      unsafe curl_easy_cleanup(easy)
      return nil
    }
    unsafe self.easy = easy
    unsafe self.multi = multi
    self.server = server
    guard setServer() == CURLE_OK else { return nil }
  }

  // For a kept connection curl sends QUIT here, and would wait for the answer as long as for any other.
  deinit {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [socket] in
      socket.shutDown()
    }
    Self.protected {
      unsafe curl_easy_cleanup(easy)
      unsafe curl_multi_cleanup(multi)
    }
  }

  /// Sends an e-mail.
  ///
  /// A kept connection may have been closed by the server in the meantime. Then the e-mail is sent on a new
  /// one, unless the server may have it already. Returns nil if it was sent.
  func send(
    _ email: Email, until deadline: ContinuousClock.Instant, isOver: @escaping () -> Bool
  ) -> MailFailure.Reason? {
    let transcript = SMTPTranscript(
      on: socket, until: deadline, acceptanceLimit: server.acceptanceLimit, isOver: isOver)
    let (reason, isKept) = attempt(email, transcript)
    guard let reason, isKept, reason.isOfKeptConnection, !isOver() else { return reason }
    _ = set(CURLOPT_FRESH_CONNECT, 1)
    defer { _ = set(CURLOPT_FRESH_CONNECT, 0) }
    return attempt(email, transcript).reason
  }

  private func attempt(
    _ email: Email, _ transcript: SMTPTranscript
  ) -> (reason: MailFailure.Reason?, isKept: Bool) {
    transcript.begin()
    let envelope = unsafe SMTPEnvelope(email, for: easy)
    let code = withExtendedLifetime((envelope, transcript)) {
      guard let envelope else { return CURLE_OUT_OF_MEMORY }
      var code = unsafe ccurl_set_mail_callbacks(
        easy, Unmanaged.passUnretained(transcript).toOpaque(), SMTPTranscript.line,
        SMTPTranscript.log, SMTPTranscript.progress)
      // The next use of the handle has a transcript of its own, or none.
      defer {
        _ = unsafe ccurl_set_mail_callbacks(
          easy, nil, SMTPTranscript.line, SMTPTranscript.log, SMTPTranscript.progress)
      }
      if code == CURLE_OK { code = envelope.apply() }
      if code == CURLE_OK { code = set(CURLOPT_SERVER_RESPONSE_TIMEOUT, server.longestWait) }
      return code == CURLE_OK ? perform(transcript) : code
    }
    return (MailFailure.Reason(code, transcript), unsafe ccurl_is_connection_kept(easy) != 0)
  }

  /// Has curl carry out what is set; the gate is not held while it waits, except for the answer to the e-mail, for which
  /// curl waits by itself.
  private func perform(_ transcript: SMTPTranscript) -> CURLcode {
    guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
    defer { Self.protected { _ = unsafe curl_multi_remove_handle(multi, easy) } }
    while true {
      var running: CInt = 0
      var end: CURLcode?
      let isWell = Self.protected {
        guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return false }
        var code = CURLE_OK
        while unsafe ccurl_next_end(multi, &code) != nil { end = code }
        return true
      }
      if let end { return end }
      guard isWell, running > 0 else { return CURLE_FAILED_INIT }
      if transcript.stopIfNeeded() { return transcript.stopCode }
      var count: CInt = 0
      guard unsafe curl_multi_poll(multi, nil, 0, 100, &count) == CURLM_OK else {
        return CURLE_FAILED_INIT
      }
    }
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
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1),
      // RFC 8996.
      (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      (CURLOPT_USE_SSL, Int(server.useSSL.rawValue)),
      // The transcript has the limits, which depend on the stage.
      (CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(server.timeLimit.wholeMilliseconds))),
    ]
    for (option, value) in numbers {
      let code = set(option, value)
      guard code == CURLE_OK else { return code }
    }
    // A proxy would see what leaves this machine without TLS.
    var texts: [(CURLoption, String?)] = [
      (CURLOPT_URL, server.address), (CURLOPT_PROXY, ""),
    ]
    if let file = server.certificateAuthorityFile {
      texts += [(CURLOPT_CAINFO, file), (CURLOPT_CAPATH, nil)]
    }
    if let user = server.user, let password = server.password {
      texts += [(CURLOPT_USERNAME, user), (CURLOPT_PASSWORD, password)]
    }
    for (option, value) in texts {
      let code = unsafe ccurl_set_text(easy, option, value)
      guard code == CURLE_OK else { return code }
    }
    let code = unsafe socket.watch(easy)
    return code == CURLE_OK ? unsafe ccurl_set_quick_exit(easy) : code
  }

  private func set(_ option: CURLoption, _ value: Int) -> CURLcode {
    unsafe ccurl_set_number(easy, option, value)
  }
}

extension MailServer {
  /// The longest wait for one answer, in seconds; the transcript ends most of them before.
  fileprivate var longestWait: Int {
    let limit = max(timeLimit, acceptanceLimit)
    return min(86_400, Int(limit.wholeMilliseconds) / 1000 + 1)
  }

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
    case CURLE_ABORTED_BY_CALLBACK:
      self =
        transcript.stopCode == CURLE_OPERATION_TIMEDOUT
        ? .timedOut(transcript.stage) : .interrupted(transcript.stage)
    case CURLE_USE_SSL_FAILED: self = .encryptionMissing
    case CURLE_LOGIN_DENIED: self = .loginRefused
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
      self = .untrustedServer
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR:
      self = .notConnected
    default:
      if let refusal = transcript.refusal {
        self = .refused(transcript.stage, refusal)
      } else if Self.interruptions.contains(code.rawValue) {
        self = .interrupted(transcript.stage)
      } else {
        self = .other(code: Int(code.rawValue), transcript.stage)
      }
    }
  }

  private static let interruptions = Set(
    [
      CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
      CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED, CURLE_AGAIN,
    ].map(\.rawValue))

  /// Whether the server may have closed a kept connection, and cannot have the e-mail.
  fileprivate var isOfKeptConnection: Bool {
    switch self {
    case .interrupted(let stage): stage != .content
    case .refused(_, let reply): reply.code == 421
    case .addressMissing, .addressMalformed, .notConnected, .untrustedServer, .encryptionMissing,
      .loginRefused, .timedOut, .paused, .outcomeUnknown, .other:
      false
    }
  }
}

/// The socket of a session, which any thread may shut down while curl has it open.
final class SMTPSocket: Sendable {
  private let socket = Locked<curl_socket_t?>(nil)

  /// Takes note of the sockets of a handle, which this object must outlive.
  func watch(_ handle: UnsafeMutableRawPointer) -> CURLcode {
    unsafe ccurl_set_socket_callbacks(
      handle, Unmanaged.passUnretained(self).toOpaque(),
      { context, socket, _ in
        unsafe SMTPSocket.of(context)?.socket.withLock { $0 = socket }
        return CInt(CURL_SOCKOPT_OK)
      },
      { context, socket in
        // Before it is closed, as its number may be given again then.
        unsafe SMTPSocket.of(context)?.socket.withLock { if $0 == socket { $0 = nil } }
        ccurl_close(socket)
        return 0
      })
  }

  /// Ends the connection at once: curl would say goodbye to a server that gave no answer, and wait for one.
  func shutDown() {
    socket.withLock { socket in
      if let socket { ccurl_shut_down(socket) }
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> SMTPSocket? {
    unsafe context.map { unsafe Unmanaged<SMTPSocket>.fromOpaque($0).takeUnretainedValue() }
  }
}
