internal import JSONValues
public import ReceiptModels

/// An address to which the stores' notifications are forwarded, such as that of a staging server.
public struct ForwardTarget: Sendable {
  /// The name, 1 to 64 letters, digits, hyphens and underscores; what waits for the target is kept under it.
  public let name: String
  /// The URL, which is `https` unless the target was created with `allowsHTTP`.
  public let url: String
  /// The stores whose notifications are forwarded; nil, as by default, for all.
  public var vendors: Set<Vendor>?
  /// The environments whose notifications are forwarded; nil, as by default, for all.
  ///
  /// A notification that does not tell its environment, as Google's, is forwarded to targets of all environments only.
  public var environments: Set<AppStoreEnvironment>?
  /// The greatest size of a body in bytes, 1 MiB by default and at most 8 MiB; a larger one is not forwarded.
  public var bodyLimit = 1 << 20
  /// The number of notifications that wait at most, 10,000 by default; while so many wait, a new one is not forwarded.
  public var limit = 10_000
  /// The time for one attempt; 15 seconds by default.
  public var timeout = Duration.seconds(15)

  /// Creates a target.
  ///
  /// With `allowsHTTP` the URL may be `http`, without any protection.
  ///
  /// - Throws: ``WebhookEndpointFailure``.
  public init(
    _ name: String, url: String, allowsHTTP: Bool = false
  ) throws(WebhookEndpointFailure) {
    (self.name, self.url) = (
      name, try WebhookEndpoint.checkedAddress(name, url, allowsHTTP: allowsHTTP)
    )
  }

  /// The kind of its messages in the outbox.
  public var line: OutboxMessage.Kind { .forward(name) }

  func wants(_ vendor: Vendor, _ environment: AppStoreEnvironment?) -> Bool {
    guard vendors?.contains(vendor) ?? true else { return false }
    guard let environments else { return true }
    return environment.map(environments.contains) ?? false
  }
}

/// The reason why a notification was not forwarded.
@nonexhaustive
public enum ForwardRefusal: String, Hashable, Sendable {
  /// It is larger than the target takes.
  case tooLarge
  /// As many as the target's limit wait.
  case full
}
