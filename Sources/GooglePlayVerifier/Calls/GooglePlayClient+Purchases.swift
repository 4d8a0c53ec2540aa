internal import JSONValues

extension GooglePlayClient {
  /// Reads a subscription, `purchases.subscriptionsv2.get`.
  public func subscription(
    token: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> SubscriptionPurchaseV2 {
    try await read(
      PlayRequest(get: "subscriptionsv2/tokens/" + part(token, .token)), patience: patience)
  }

  /// Reads a purchase of one-time products, `purchases.productsv2.getproductpurchasev2`.
  ///
  /// The answer names the products, so the call needs only the token.
  public func product(
    token: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> ProductPurchaseV2 {
    try await read(
      PlayRequest(get: "productsv2/tokens/" + part(token, .token)), patience: patience)
  }

  /// Returns an identifier as a part of a path.
  func part(
    _ text: String, _ member: InvalidCall.Member
  ) throws(GooglePlayFailure) -> String {
    do throws(InvalidCall) { return try PathPart.encoded(text, member) } catch {
      throw .invalidCall(error)
    }
  }
}

// Google refunds and revokes a purchase that nobody acknowledges within three days, and one of a
// license tester within minutes. Acknowledge it after it was recorded. To repeat a call does no harm.

extension GooglePlayClient {
  /// Acknowledges a subscription, `purchases.subscriptions.acknowledge`.
  ///
  /// `accounts` are the user's, for a purchase outside the app, which Google could not ask for them. Google
  /// keeps the developer payload with the purchase.
  public func acknowledgeSubscription(
    _ productID: String, token: String, accounts: ExternalAccountIDs? = nil,
    developerPayload: String? = nil, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    var body = Self.body(developerPayload)
    if let accounts { body["externalAccountIds"] = accounts.json }
    try await send(
      PlayRequest(
        post: action("acknowledge", on: "subscriptions", productID, token), body: .object(body)),
      patience: patience)
  }

  /// Acknowledges a one-time product, `purchases.products.acknowledge`.
  ///
  /// A consumable product needs ``consumeProduct(_:token:patience:)`` alone.
  public func acknowledgeProduct(
    _ productID: String, token: String, developerPayload: String? = nil,
    patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    try await send(
      PlayRequest(
        post: action("acknowledge", on: "products", productID, token),
        body: .object(Self.body(developerPayload))), patience: patience)
  }

  /// Consumes a one-time product, so that it can be bought again; this acknowledges it too
  /// (`purchases.products.consume`).
  public func consumeProduct(
    _ productID: String, token: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    try await send(
      PlayRequest(post: action("consume", on: "products", productID, token), body: nil),
      patience: patience)
  }

  private func action(
    _ name: String, on collection: String, _ productID: String, _ token: String
  ) throws(GooglePlayFailure) -> String {
    let productID = try part(productID, .productID)
    return "\(collection)/\(productID)/tokens/\(try part(token, .token)):\(name)"
  }

  private static func body(_ developerPayload: String?) -> [String: JSONValue] {
    developerPayload.map { ["developerPayload": .string($0)] } ?? [:]
  }
}

/// A user's accounts in the app, which Google attaches to a purchase.
///
/// Source: Google Play Developer API, `ExternalAccountIds`.
public struct ExternalAccountIDs: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The identifier of the account, in a form that tells Google nothing.
  public var obfuscatedAccountID: String?
  /// The identifier of the profile in the account, in such a form.
  public var obfuscatedProfileID: String?

  /// Creates a value.
  public init(obfuscatedAccountID: String? = nil, obfuscatedProfileID: String? = nil) {
    self.obfuscatedAccountID = obfuscatedAccountID
    self.obfuscatedProfileID = obfuscatedProfileID
  }

  var json: JSONValue {
    var members: [String: JSONValue] = [:]
    if let obfuscatedAccountID { members["obfuscatedAccountId"] = .string(obfuscatedAccountID) }
    if let obfuscatedProfileID { members["obfuscatedProfileId"] = .string(obfuscatedProfileID) }
    return .object(members)
  }

  /// The type's name, without the identifiers.
  public var description: String { "ExternalAccountIDs" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
