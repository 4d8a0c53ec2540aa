extension PushTokenVerifier {
  /// The configuration of a ``PushTokenVerifier``.
  public struct Configuration: Hashable, Sendable {
    /// The audience of the push subscription; by default Pub/Sub takes the URL that it posts to.
    public var audience: String
    /// The e-mail address of the service account of the push subscription.
    public var email: String
    /// The address of Google's public keys.
    public var keysURL = "https://www.googleapis.com/oauth2/v3/certs"
    /// Whether an address without TLS is accepted; only for tests.
    public var allowsHTTP = false
    /// The tolerated difference between Google's clock and ours; a minute by default.
    public var leeway = Duration.seconds(60)
    /// The time for which keys are kept if Google names none; an hour by default.
    ///
    /// Google's own time is limited to a day.
    public var defaultLifetime = Duration.seconds(3600)
    /// The further time for which keys serve while Google is away; a day by default.
    public var outageTolerance = Duration.seconds(86_400)
    /// The shortest time between two requests for keys; 30 seconds by default.
    public var minimumInterval = Duration.seconds(30)
    /// The time limit of a request for keys; 10 seconds by default.
    public var timeout = Duration.seconds(10)

    /// Creates the default configuration for a push subscription.
    public init(audience: String, email: String) {
      self.audience = audience
      self.email = email
    }
  }

  /// A reason why a verifier cannot be configured.
  @nonexhaustive
  public enum ConfigurationFailure: Error, Hashable, Sendable {
    /// The audience or the e-mail address is empty.
    case emptyName
    /// The address of the keys is not an absolute one with `https`.
    case malformedURL
    /// A time is negative, or longer than a week; or the interval or the time limit is zero.
    case timeOutOfRange
  }
}

extension PushTokenVerifier.Configuration {
  func check() throws(PushTokenVerifier.ConfigurationFailure) {
    guard !audience.isEmpty, !email.isEmpty else { throw .emptyName }
    guard ServiceAddress.isURL(keysURL, allowsHTTP: allowsHTTP) else { throw .malformedURL }
    let times = [leeway, defaultLifetime, outageTolerance, minimumInterval]
    guard times.allSatisfy({ $0 >= .zero && $0 <= .seconds(7 * 86_400) }),
      minimumInterval > .zero, timeout > .zero
    else { throw .timeOutOfRange }
  }
}
