internal import CStorekeeperCurl
internal import HTTPMessages

/// How curl is to carry out a transfer.
@safe
struct TransferOptions {
  private let handle: UnsafeMutableRawPointer

  /// The options of a transfer, which lives longer than this.
  init(_ handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  /// Sets what a message asks for.
  func set(_ message: Message) throws(CurlFailure) {
    try setLaws()
    try setMethod(message.method)
    try setBody(message.body)
    try set(CURLOPT_URL, message.address)
    try setTime(message.milliseconds)
  }

  /// Asks for a connection of its own.
  func renewConnection(milliseconds: Int) throws(CurlFailure) {
    try set(CURLOPT_FRESH_CONNECT, 1)
    try setTime(milliseconds)
  }

  private func setTime(_ milliseconds: Int) throws(CurlFailure) {
    try set(CURLOPT_TIMEOUT_MS, milliseconds)
    // Else curl has a limit of its own for this part.
    try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
  }

  /// Trusts the authorities in a file instead of the system's.
  func trust(_ certificateAuthorityFile: String?) throws(CurlFailure) {
    guard let certificateAuthorityFile else { return }
    try set(CURLOPT_CAINFO, certificateAuthorityFile)
    try unsafe ccurl_set_text(handle, CURLOPT_CAPATH, nil).check()
  }

  /// What is the same for all messages.
  ///
  /// Curl follows no redirect and keeps no cookies unless it is told to.
  private func setLaws() throws(CurlFailure) {
    try set(CURLOPT_NOSIGNAL, 1)
    try unsafe ccurl_set_quick_exit(handle).check()
    // One exchange at a time on a connection: what ends one ends no other.
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_HTTP09_ALLOWED, 0)
    try set(CURLOPT_PATH_AS_IS, 1)
    // All codings that this libcurl can undo.
    try set(CURLOPT_ACCEPT_ENCODING, "")
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // RFC 8996.
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Servers often close after a minute or so; the older a connection, the more likely just now.
    try set(CURLOPT_MAXAGE_CONN, 20)
  }

  private func setMethod(_ method: HTTPRequestMethod) throws(CurlFailure) {
    switch method {
    case .get: try set(CURLOPT_HTTPGET, 1)
    case .head: try set(CURLOPT_NOBODY, 1)
    default: try set(CURLOPT_CUSTOMREQUEST, method.name)
    }
  }

  private func setBody(_ body: [UInt8]?) throws(CurlFailure) {
    guard let body else { return }
    // First, for the copy is made at once.
    try unsafe ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)).check()
    let code = unsafe body.withUnsafeBytes { bytes in
      // Where there are no bytes there may be no address, which curl takes for no body.
      guard let start = bytes.baseAddress else {
        return unsafe ccurl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, "")
      }
      return unsafe ccurl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, start)
    }
    try code.check()
  }

  private func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
    try unsafe ccurl_set_number(handle, option, value).check()
  }

  private func set(_ option: CURLoption, _ value: String) throws(CurlFailure) {
    try unsafe ccurl_set_text(handle, option, value).check()
  }
}
