internal import CStorekeeperCurl
internal import HTTPMessages

extension HTTPTransportFailure {
  /// What an error of curl means for the request, depending on whether curl had begun to send it.
  init(_ code: CURLcode, isSent: Bool) {
    self.init(Self.reason(code, isSent: isSent), cause: CurlFailure(code))
  }

  private static func reason(_ code: CURLcode, isSent: Bool) -> Reason {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
      isSent ? .interrupted : .untrustedPeer
    // Whatever it was, such as a name that is not known or a proxy that refuses: before the request
    // went out, the server cannot have seen it.
    default: isSent ? .interrupted : .notConnected
    }
  }
}

extension CurlFailure {
  /// The same for an exchange that did not even begin.
  var asNotConnected: HTTPTransportFailure { HTTPTransportFailure(.notConnected, cause: self) }
}
