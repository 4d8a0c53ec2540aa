internal import CStorekeeperCurl

/// The options of a transfer in curl that only opens a connection.
@safe
struct ConnectionOptions {
  private let handle: UnsafeMutableRawPointer

  init(_ handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  /// Sets all options; throws `notConnected` if curl refuses one.
  func set(
    _ configuration: RedisReceiptStore.Configuration
  ) throws(RedisReceiptStore.Failure) {
    try setLaws()
    try set(CURLOPT_URL, Self.address(configuration))
    guard let file = configuration.certificateAuthorityFile else { return }
    try set(CURLOPT_CAINFO, file)
    try check(unsafe ccurl_set_text(handle, CURLOPT_CAPATH, nil))
  }

  /// The address for curl, whose protocol decides about TLS and nothing else.
  private static func address(_ configuration: RedisReceiptStore.Configuration) -> String {
    let host =
      configuration.host.utf8.contains(UInt8(ascii: ":"))
      ? "[\(configuration.host)]" : configuration.host
    return "\(configuration.usesTLS ? "https" : "http")://\(host):\(configuration.port)/"
  }

  private func setLaws() throws(RedisReceiptStore.Failure) {
    try set(CURLOPT_CONNECT_ONLY, 1)
    try set(CURLOPT_NOSIGNAL, 1)
    try check(unsafe ccurl_set_quick_exit(handle))
    // Otherwise curl takes a proxy from the environment.
    try set(CURLOPT_PROXY, "")
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    try set(CURLOPT_SSL_ENABLE_ALPN, 0)
    // RFC 8996.
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    // The mark of the transfer when it ends.
    try check(unsafe ccurl_set_bytes(handle, CURLOPT_PRIVATE, handle))
  }

  private func set(_ option: CURLoption, _ value: Int) throws(RedisReceiptStore.Failure) {
    try check(unsafe ccurl_set_number(handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) throws(RedisReceiptStore.Failure) {
    try check(unsafe ccurl_set_text(handle, option, value))
  }

  private func check(_ code: CURLcode) throws(RedisReceiptStore.Failure) {
    guard code == CURLE_OK else { throw .notConnected }
  }
}
