internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPTransportFailure {
  /// Creates the failure for an error of URLSession after a valid request, with the head of the
  /// response if that arrived.
  init(sessionError error: any Error, response: HTTPResponseMessage?) {
    self.init(Self.reason(error), cause: error, response: response)
  }

  private static func reason(_ error: any Error) -> Reason {
    guard let error = error as? URLError else { return .interrupted }
    return switch error.code {
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
      .internationalRoamingOff, .callIsActive, .dataNotAllowed:
      .notConnected
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      .untrustedPeer
    case .timedOut: .timedOut
    case .unknown where error.localizedDescription.isAboutTrust: .untrustedPeer
    default: .interrupted
    }
  }
}

extension String {
  /// Whether curl's message reports an untrusted peer.
  ///
  /// The text is compared because FoundationNetworking drops curl's code 60. If the text changes,
  /// an untrusted peer is reported as an interruption, but is still not trusted.
  fileprivate var isAboutTrust: Bool {
    hasPrefix("SSL certificate problem") || hasPrefix("SSL: ")
  }
}
