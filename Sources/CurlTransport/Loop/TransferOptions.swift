internal import CStorekeeperCurl
internal import HTTPMessages

/// The options of a transfer in curl.
@safe
struct TransferOptions {
  private let handle: UnsafeMutableRawPointer

  /// Creates the options of a transfer, which must outlive them.
  init(_ handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  /// Sets the options for a message.
  func set(_ message: Message) throws(CurlFailure) {
    try setLaws()
    try setMethod(message.method)
    try setBody(message.body)
    try set(CURLOPT_URL, message.address)
    // Plain HTTP is for this machine alone: a proxy of the environment would read it.
    if message.isLoopback { try set(CURLOPT_PROXY, "") }
    try setTime(message.milliseconds)
  }

  /// Requests a new connection.
  func renewConnection(milliseconds: Int) throws(CurlFailure) {
    try set(CURLOPT_FRESH_CONNECT, 1)
    try setTime(milliseconds)
  }

  private func setTime(_ milliseconds: Int) throws(CurlFailure) {
    try set(CURLOPT_TIMEOUT_MS, milliseconds)
    // Otherwise curl applies its own limit to connecting.
    try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
  }

  /// Sets the options that the transfers of a transport have in common.
  func set(_ settings: TransferSettings) throws(CurlFailure) {
    try trust(settings.certificateAuthorityFile)
    guard settings.addresses == .publicOnly else { return }
    try unsafe ccurl_set_address_rule(handle) { bytes, count in
      guard let bytes = unsafe bytes else { return 0 }
      let address = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
      return NetworkAddress.isGlobal(address) ? 1 : 0
    }.check()
  }

  /// Trusts the authorities in a file instead of the system's.
  private func trust(_ certificateAuthorityFile: String?) throws(CurlFailure) {
    guard let certificateAuthorityFile else { return }
    try set(CURLOPT_CAINFO, certificateAuthorityFile)
    try unsafe ccurl_set_text(handle, CURLOPT_CAPATH, nil).check()
  }

  /// Sets the options that are the same for all messages.
  ///
  /// By default, curl follows no redirects and keeps no cookies.
  private func setLaws() throws(CurlFailure) {
    try set(CURLOPT_NOSIGNAL, 1)
    try unsafe ccurl_set_quick_exit(handle).check()
    // One exchange at a time on a connection, so that the end of one affects no other.
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_HTTP09_ALLOWED, 0)
    try set(CURLOPT_PATH_AS_IS, 1)
    // All codings that this libcurl can decode.
    try set(CURLOPT_ACCEPT_ENCODING, "")
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // RFC 8996.
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Servers often close idle connections after about a minute; an old one may be closing just
    // now.
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
    // The size comes first, because the next call copies the body.
    try unsafe ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)).check()
    let code = unsafe body.withUnsafeBytes { bytes in
      // An empty body may have no address, which curl would take for no body.
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
