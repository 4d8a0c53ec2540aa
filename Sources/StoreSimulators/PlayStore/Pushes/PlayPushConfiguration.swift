/// The address and the identities of the pushes of a ``PlayStoreSimulator``.
public struct PlayPushConfiguration: Hashable, Sendable {
  /// The address of the server's endpoint.
  public var url: String
  /// The audience of the bearer tokens; nil for the address.
  public var audience: String?
  /// The e-mail address of the service account as which Pub/Sub pushes.
  public var email: String
  /// The name of the subscription to the topic.
  public var subscription: String

  /// Creates a configuration.
  public init(
    url: String = "https://api.example.com/webhook/google", audience: String? = nil,
    email: String = "push@example-project.iam.gserviceaccount.com",
    subscription: String = "projects/example-project/subscriptions/play-notifications"
  ) {
    self.url = url
    self.audience = audience
    self.email = email
    self.subscription = subscription
  }

  /// The audience of the bearer tokens.
  var effectiveAudience: String { audience ?? url }
}
