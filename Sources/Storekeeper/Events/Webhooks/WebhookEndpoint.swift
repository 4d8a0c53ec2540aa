internal import JSONValues
public import ReceiptModels

/// An address of the host that is told of events.
public struct WebhookEndpoint: Sendable {
  /// The name, 1 to 64 letters, digits, hyphens and underscores; the place of the endpoint in the log is kept under it.
  public let name: String
  /// The URL, which is `https` unless the endpoint was created with `allowsHTTP`.
  public let url: String
  /// The keys that sign; while they rotate, the new one and the one before it.
  public let keys: [WebhookSigningKey]
  /// The types that the endpoint wants to hear of; nil for all.
  public let kinds: Set<PurchaseEvent.Kind>?
  /// The time for one attempt; 15 seconds by default.
  public var timeout = Duration.seconds(15)

  /// Creates an endpoint.
  ///
  /// With `allowsHTTP` the URL may be `http`, without any protection, for a receiver on the same machine.
  ///
  /// - Throws: ``WebhookEndpointFailure``.
  public init(
    _ name: String, url: String, keys: [WebhookSigningKey],
    kinds: Set<PurchaseEvent.Kind>? = nil, allowsHTTP: Bool = false
  ) throws(WebhookEndpointFailure) {
    self.url = try Self.checkedAddress(name, url, allowsHTTP: allowsHTTP)
    guard !keys.isEmpty else { throw .keyMissing }
    self.name = name
    self.keys = keys
    self.kinds = kinds
  }

  /// Returns the URL of an address of the host with a name; throws unless both have their form.
  static func checkedAddress(
    _ name: String, _ url: String, allowsHTTP: Bool
  ) throws(WebhookEndpointFailure) -> String {
    guard (1...64).contains(name.utf8.count),
      name.utf8.allSatisfy({ $0.isLetterOrDigit || "-_".utf8.contains($0) })
    else { throw .nameInvalid }
    do throws(ContentFailure) {
      return try RemoteAddress(url, allowsHTTP: allowsHTTP).url
    } catch {
      throw .urlInvalid
    }
  }

  /// The kind of its messages in the outbox.
  public var line: OutboxMessage.Kind { .webhook(name) }

  func wants(_ event: PurchaseEvent) -> Bool { kinds?.contains(event.kind) ?? true }
}

/// The reason why an endpoint can't be made.
@nonexhaustive
public enum WebhookEndpointFailure: Error, Hashable, Sendable {
  /// The name has no or more than 64 characters, or others than letters, digits, hyphens and underscores of ASCII.
  case nameInvalid
  /// The URL is none with a host, has a user or a password, or is not `https`.
  case urlInvalid
  /// There is no key to sign with.
  case keyMissing
}
