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
