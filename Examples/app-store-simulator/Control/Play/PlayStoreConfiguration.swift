public import StoreSimulators

/// The app, the products and the pushes of a simulated Play store.
public struct PlayStoreConfiguration: Sendable {
  /// The app.
  public var packageName = "com.example.reader"
  /// The products for sale.
  public var products = PlayProduct.samples
  /// The address for pushes; nil for none.
  public var pushURL: String?
  /// The audience of the pushes' bearer tokens; nil for the address.
  public var audience: String?
  /// The e-mail address of the service account as which Pub/Sub pushes.
  public var pushEmail = PlayPushConfiguration().email
  /// The service account that may ask; nil for a new one.
  public var serviceAccount: TestServiceAccount?
  /// The key that signs pushes at first; nil for a new one.
  public var pushKey: TestPushKey?

  /// Creates a configuration for a reading app, without an address for pushes.
  public init() {}

  var pushes: PlayPushConfiguration { pushes(to: pushURL) }

  func pushes(to url: String?) -> PlayPushConfiguration {
    PlayPushConfiguration(
      url: url ?? PlayPushConfiguration().url, audience: audience, email: pushEmail)
  }
}
