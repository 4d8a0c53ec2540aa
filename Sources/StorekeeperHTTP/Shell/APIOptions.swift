public struct APIOptions: Sendable {
  /// The beginning of the paths, without a trailing slash; `/api/v1` by default.
  ///
  /// Trailing slashes are removed. A ``SubscriptionAPI`` has mounts instead.
  public var prefix = "/api/v1" {
    didSet { prefix = Mount(prefix).prefix }
  }
  /// The time after which a client may try again, in the field `Retry-After` of status 503; nil for that of
  /// the API, which is 5 seconds for a ``CreditAPI`` and 30 for the others.
  ///
  /// The field has whole seconds, rounded up, at least 0. The time that a vendor gave comes first.
  public var retryAfter: Duration?
  /// The observer of every request, for logs and metrics; by default one that discards all reports.
  public var observer: any RequestObserver = SilentObserver()
  /// The clock that measures the duration of a request.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Returns the ID of a request, of letters, digits and hyphens.
  ///
  /// An ID that is not a valid value of a header field is replaced by a random one.
  public var requestID: @Sendable () -> String = RequestID.random

  /// Creates the default settings.
  public init() {}
}
