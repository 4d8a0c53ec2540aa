internal import JSONValues

extension GooglePlayClient {
  /// Reads a subscription, `purchases.subscriptionsv2.get`.
  public func subscription(
    token: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> SubscriptionPurchaseV2 {
    try await read(
      PlayRequest(.getSubscription, get: subscriptionPath(token)), patience: patience)
  }

  /// Reads a purchase of one-time products, `purchases.productsv2.getproductpurchasev2`.
  ///
  /// The answer names the products, so the call needs only the token.
  public func product(
    token: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> ProductPurchaseV2 {
    try await read(
      PlayRequest(.getProduct, get: "purchases/productsv2/tokens/" + part(token, .token)),
      patience: patience)
  }

  /// Reads a purchase of a one-time product in Google's older form, `purchases.products.get`.
  ///
  /// It alone tells promotions and rewards.
  public func product(
    _ productID: String, token: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> ProductPurchase {
    try await read(
      PlayRequest(.getOlderProduct, get: path("products", productID, token)), patience: patience)
  }

  /// Returns an identifier as a part of a path.
  func part(
    _ text: String, _ member: InvalidCall.Member
  ) throws(GooglePlayFailure) -> String {
    do throws(InvalidCall) { return try PathPart.encoded(text, member) } catch {
      throw .invalidCall(error)
    }
  }

  func subscriptionPath(_ token: String) throws(GooglePlayFailure) -> String {
    "purchases/subscriptionsv2/tokens/" + (try part(token, .token))
  }

  private func path(
    _ collection: String, _ productID: String, _ token: String
  ) throws(GooglePlayFailure) -> String {
    let productID = try part(productID, .productID)
    return "purchases/\(collection)/\(productID)/tokens/\(try part(token, .token))"
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
    var request = SubscriptionPurchasesAcknowledgeRequest()
    request.developerPayload = developerPayload
    request.externalAccountIDs = accounts
    try await send(
      PlayRequest(
        .acknowledgeSubscription,
        post: path("subscriptions", productID, token) + ":acknowledge", body: request.checked()),
      patience: patience)
  }

  /// Acknowledges a one-time product, `purchases.products.acknowledge`.
  ///
  /// A consumable product needs ``consumeProduct(_:token:patience:)`` alone.
  public func acknowledgeProduct(
    _ productID: String, token: String, developerPayload: String? = nil,
    patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    var request = ProductPurchasesAcknowledgeRequest()
    request.developerPayload = developerPayload
    try await send(
      PlayRequest(
        .acknowledgeProduct, post: path("products", productID, token) + ":acknowledge",
        body: request.checked()), patience: patience)
  }

  /// Consumes a one-time product, so that it can be bought again; this acknowledges it too
  /// (`purchases.products.consume`).
  public func consumeProduct(
    _ productID: String, token: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    try await send(
      PlayRequest(.consumeProduct, post: path("products", productID, token) + ":consume"),
      patience: patience)
  }
}
