internal import CStorekeeperCurl

/// Addresses of requests.
enum Address {
  /// Whether curl sends a request to this address, and as it is.
  ///
  /// `http` or `https`, a host, and visible characters of ASCII. Curl would also take a user and a
  /// password, spaces, any number of slashes before the host, and escapes in its name.
  static func isUsable(_ address: String) -> Bool {
    guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = address.firstIndex(of: ":"),
      ["http", "https"].contains(address[..<colon].lowercased()),
      address[colon...].hasPrefix("://")
    else { return false }
    let authority = address[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
    guard !authority.isEmpty, authority.allSatisfy({ !#"@%\"#.contains($0) }) else { return false }
    return isParsed(address)
  }

  private static func isParsed(_ address: String) -> Bool {
    guard let url = unsafe curl_url() else { return false }
    defer { unsafe curl_url_cleanup(url) }
    let flags = UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
    guard unsafe curl_url_set(url, CURLUPART_URL, address, flags) == CURLUE_OK else {
      return false
    }
    var host: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK else { return false }
    unsafe curl_free(host)
    return true
  }
}
