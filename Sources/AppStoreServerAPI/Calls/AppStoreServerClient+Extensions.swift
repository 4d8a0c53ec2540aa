public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreServerClient {
  /// Extends the current period of a subscription, which cannot be undone.
  ///
  /// After a connection that broke, the request is not repeated: ask for the statuses, and see
  /// whether the expiry has moved.
  ///
  /// - Parameters:
  ///   - request: The number of days and the reason.
  ///   - originalTransactionID: The original transaction ID.
  ///   - environment: The environment of the purchase; nil for the configured server, if that is
  ///     one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: Apple's answer, in which `success` may be false. Store the new expiry from signed
  ///   data only.
  /// - Throws: ``AppStoreServerFailure``.
  ///
  /// Source: Apple, Extend a Subscription Renewal Date.
  public func extendSubscriptionRenewalDate(
    _ request: ExtendRenewalDateRequest, of originalTransactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<ExtendRenewalDateResponse> {
    try checking(.extendSubscriptionRenewalDate) { () throws(InvalidRequest) in
      try request.validate()
    }
    let id = try transactionID(
      originalTransactionID, .extendSubscriptionRenewalDate, field: "originalTransactionId")
    return try await unsigned(
      ServerRequest(
        .extendSubscriptionRenewalDate, ["inApps", "v1", "subscriptions", "extend", id],
        sending: request), in: environment, patience: patience)
  }

  /// Extends the current period of all active subscriptions of a product, which takes hours or days.
  ///
  /// - Parameters:
  ///   - request: The product, the number of days, the reason and the storefronts. Store its
  ///     identifier before the call.
  ///   - environment: The environment; nil for the configured server, if that is one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The identifier of the request, which Apple has accepted.
  /// - Throws: ``AppStoreServerFailure``.
  ///
  /// Source: Apple, Extend Subscription Renewal Dates for All Active Subscribers.
  public func extendRenewalDateForAllActiveSubscribers(
    _ request: MassExtendRenewalDateRequest, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<MassExtendRenewalDateResponse> {
    try checking(.extendRenewalDateForAllActiveSubscribers) { () throws(InvalidRequest) in
      try request.validate()
    }
    return try await unsigned(
      ServerRequest(
        .extendRenewalDateForAllActiveSubscribers,
        ["inApps", "v1", "subscriptions", "extend", "mass"], sending: request),
      in: environment, patience: patience)
  }

  /// Returns how far an extension of all active subscriptions has come; ask every ten minutes at
  /// most.
  ///
  /// - Parameters:
  ///   - productID: The product.
  ///   - requestIdentifier: The identifier of the request.
  ///   - environment: The environment; nil for the configured server, if that is one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The progress, with counts once it is complete.
  /// - Throws: ``AppStoreServerFailure``.
  ///
  /// Source: Apple, Get Status of Subscription Renewal Date Extensions.
  public func statusOfSubscriptionRenewalDateExtensions(
    ofProduct productID: String, requestIdentifier: UUID,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<MassExtendRenewalDateStatusResponse> {
    let product = try pathPart(
      productID, "productId", .statusOfSubscriptionRenewalDateExtensions)
    return try await unsigned(
      ServerRequest(
        .statusOfSubscriptionRenewalDateExtensions,
        [
          "inApps", "v1", "subscriptions", "extend", "mass", product,
          RequestPart.uuid(requestIdentifier),
        ]),
      in: environment, patience: patience)
  }
}
