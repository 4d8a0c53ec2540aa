internal import CStorekeeperCurl
internal import HTTPMessages

/// An exchange that curl carries out, with the received part of the response.
///
/// It is used only on the loop's thread.
@safe
final class Transfer {
  let exchange: Exchange
  let handle: UnsafeMutableRawPointer
  private let lines: UnsafeMutablePointer<curl_slist>?

  private var head = AnswerHead()
  private var body: [UInt8] = []
  /// Whether curl had a connection and began to send.
  private var isSent = false
  /// Whether data had arrived on the kept connection, so that nothing was sent on it.
  private(set) var hasMetStaleConnection = false
  private let sockets: Sockets
  private let beginning = ContinuousClock.now
  /// The reason why this object, and not curl, ended the exchange.
  private var failure: HTTPTransportFailure?

  /// Creates a transfer.
  ///
  /// - Throws: ``CurlFailure`` for lack of memory.
  init(
    _ exchange: Exchange, settings: TransferSettings, sockets: Sockets
  ) throws(CurlFailure) {
    guard let handle = unsafe curl_easy_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY) }
    let lines = unsafe Self.list(exchange.message.lines)
    self.exchange = exchange
    self.sockets = sockets
    unsafe self.handle = handle
    unsafe self.lines = lines
    guard unsafe lines != nil || exchange.message.lines.isEmpty else {
      throw CurlFailure(CURLE_OUT_OF_MEMORY)
    }
    // From here on, deinit frees both.
    try unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, lines).check()
    let options = unsafe TransferOptions(handle)
    try options.set(exchange.message)
    try options.set(settings)
    try unsafe sockets.watch(handle)
    try unsafe ccurl_set_callbacks(
      handle, Unmanaged.passUnretained(self).toOpaque(), Self.before, Self.line, Self.piece
    ).check()
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(lines)
  }

  /// Returns the lines as a list for curl, or nil for lack of memory.
  private static func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = unsafe curl_slist_append(list, line) else {
        unsafe curl_slist_free_all(list)
        return nil
      }
      unsafe list = longer
    }
    return unsafe list
  }

  /// Restarts the transfer on a new connection within the remaining time; returns false for lack of
  /// memory.
  func beginAfresh() -> Bool {
    hasMetStaleConnection = false
    let passed = Int(beginning.duration(to: .now) / .milliseconds(1))
    do throws(CurlFailure) {
      try unsafe TransferOptions(handle).renewConnection(
        milliseconds: max(1, exchange.message.milliseconds - passed))
      return true
    } catch {
      return false
    }
  }

  /// Ends the exchange with curl's result.
  func end(_ code: CURLcode) {
    exchange.end(result(code))
  }

  private func result(_ code: CURLcode) -> Result<HTTPResponseMessage, any Error> {
    if let failure { return .failure(failure) }
    guard code == CURLE_OK else {
      return .failure(HTTPTransportFailure(code, isSent: isSent, response: response))
    }
    guard let response else {
      return .failure(HTTPTransportFailure(CURLE_GOT_NOTHING, isSent: isSent))
    }
    return .success(response)
  }
}

// MARK: Callbacks of curl

extension Transfer {
  private static func of(_ context: UnsafeMutableRawPointer) -> Transfer {
    unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// The callback before curl sends.
  ///
  /// When a kept connection closes, curl would send the request again on another one, although the
  /// server may have acted on it. And curl 7.88 would use a connection on which data has arrived.
  private static let before:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, CInt,
      CInt
    ) -> CInt = { context, _, _, peerPort, ownPort in
      guard let context = unsafe context,
        unsafe of(context).maySend(ownPort: ownPort, peerPort: peerPort)
      else {
        return CInt(CURL_PREREQFUNC_ABORT)
      }
      return CInt(CURL_PREREQFUNC_OK)
    }

  private static let line:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      unsafe take(bytes, size * count, context) { unsafe $0.takeLine($1) }
    }

  private static let piece:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      unsafe take(bytes, size * count, context) { unsafe $0.takePiece($1) }
    }

  /// Passes bytes to a transfer; returns the number of accepted bytes, which is all or none.
  private static func take(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ body: (Transfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context = unsafe context else { return 0 }
    let isTaken = unsafe body(of(context), UnsafeRawBufferPointer(start: bytes, count: count))
    return isTaken ? count : 0
  }

  private func maySend(ownPort: CInt, peerPort: CInt) -> Bool {
    guard !isSent else {
      failure = HTTPTransportFailure(CURLE_GOT_NOTHING, isSent: true)
      return false
    }
    if unsafe ccurl_is_connection_kept(handle) != 0,
      !sockets.areQuiet(ownPort: ownPort, peerPort: peerPort)
    {
      hasMetStaleConnection = true
      return false
    }
    isSent = true
    return true
  }

  private func takeLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(AnswerFailure) {
      try head.take(unsafe Array(bytes))
    } catch {
      failure = HTTPTransportFailure(.interrupted, cause: error, response: response)
      return false
    }
    guard !announcesTooMuch else {
      failure = tooLarge
      return false
    }
    return true
  }

  /// Whether the head announces a body above the size limit, which is then refused unread.
  ///
  private var announcesTooMuch: Bool {
    let message = exchange.message
    return response?.announcesBody(largerThan: message.responseLimit, to: message.method) ?? false
  }

  /// The response so far, or nil before the end of its head; curl accepts an incomplete head.
  private var response: HTTPResponseMessage? {
    guard let status = head.status, head.isComplete else { return nil }
    return HTTPResponseMessage(status: status, headers: head.headers, body: body)
  }

  private var tooLarge: HTTPTransportFailure {
    HTTPTransportFailure(.responseTooLarge, response: response)
  }

  /// Appends a decoded part of the body, within the size limit.
  private func takePiece(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= exchange.message.responseLimit - body.count else {
      failure = tooLarge
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }
}
