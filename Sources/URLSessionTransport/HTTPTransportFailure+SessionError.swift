internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPTransportFailure {
  /// What an error of URLSession means, once the request was good enough to send.
  init(sessionError error: any Error) {
    self.init(Self.reason(error), cause: error)
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
  /// Whether curl says that it did not trust the peer.
  ///
  /// Text, since FoundationNetworking drops curl's code 60. Should the words change, an untrusted
  /// peer is called an interruption; it is trusted in no case.
  fileprivate var isAboutTrust: Bool {
    hasPrefix("SSL certificate problem") || hasPrefix("SSL: ")
  }
}
