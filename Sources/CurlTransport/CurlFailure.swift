internal import CStorekeeperCurl
internal import HTTPMessages

/// An error of libcurl, as the cause of an ``/HTTPMessages/HTTPTransportFailure``.
///
/// It quotes neither URL nor response. The failure's reason tells the consequences for the request.
/// Source: libcurl-errors(3).
public struct CurlFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error code, such as 7 for a refused connection.
  public let code: Int

  init(_ code: CURLcode) {
    self.code = Int(code.rawValue)
  }

  /// The error code with libcurl's constant text for it.
  public var description: String {
    guard let text = unsafe curl_easy_strerror(CURLcode(UInt32(code))) else {
      return "libcurl error \(code)"
    }
    return unsafe "libcurl error \(code): \(String(cString: text))"
  }
}

extension CURLcode {
  /// Throws unless the code is success.
  func check() throws(CurlFailure) {
    guard self == CURLE_OK else { throw CurlFailure(self) }
  }
}

extension HTTPTransportFailure {
  /// Creates the failure for a libcurl error, depending on whether curl had begun to send the
  /// request, with the head of the response if that arrived.
  init(_ code: CURLcode, isSent: Bool, response: HTTPResponseMessage? = nil) {
    self.init(
      Self.reason(code, isSent: isSent), cause: CurlFailure(code), response: response)
  }

  private static func reason(_ code: CURLcode, isSent: Bool) -> Reason {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
      isSent ? .interrupted : .untrustedPeer
    // Any other error, such as an unknown host or a proxy's refusal: before the request was sent,
    // the server cannot have received it.
    default: isSent ? .interrupted : .notConnected
    }
  }
}

extension CurlFailure {
  /// The failure of an exchange that did not begin.
  var asNotConnected: HTTPTransportFailure { HTTPTransportFailure(.notConnected, cause: self) }
}
