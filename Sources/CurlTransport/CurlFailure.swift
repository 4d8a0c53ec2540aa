internal import CStorekeeperCurl

/// What libcurl said of an exchange that failed: the cause of an
/// ``/HTTPMessages/HTTPTransportFailure``.
///
/// It quotes neither address nor answer. What it means for the request is the failure's reason.
///
/// Source: libcurl-errors(3).
public struct CurlFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the error, such as 7 where nobody listens.
  public let code: Int

  init(_ code: CURLcode) {
    self.code = Int(code.rawValue)
  }

  /// The number, and libcurl's constant words for it.
  public var description: String {
    guard let text = unsafe curl_easy_strerror(CURLcode(UInt32(code))) else {
      return "libcurl error \(code)"
    }
    return unsafe "libcurl error \(code): \(String(cString: text))"
  }
}

extension CURLcode {
  /// Passes over success.
  func check() throws(CurlFailure) {
    guard self == CURLE_OK else { throw CurlFailure(self) }
  }
}
