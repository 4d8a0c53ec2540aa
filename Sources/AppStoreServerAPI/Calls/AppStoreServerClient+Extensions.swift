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
  /// whether the expiry has moved. `success` may be false in Apple's answer. Store the new expiry
  /// from signed data only. Source: Apple, Extend a Subscription Renewal Date.
  public func extendSubscriptionRenewalDate(
    _ request: ExtendRenewalDateRequest, of originalTransactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<ExtendRenewalDateResponse> {
    try check(request, .extendSubscriptionRenewalDate)
    let id = try transactionID(
      originalTransactionID, .extendSubscriptionRenewalDate, field: "originalTransactionId")
    return try await unsigned(
      ServerRequest(
        .extendSubscriptionRenewalDate, ["inApps", "v1", "subscriptions", "extend", id],
        sending: request), in: environment, patience: patience)
  }

  /// Extends the current period of all active subscriptions of a product, which takes hours or days.
  ///
  /// Store the identifier of the request before the call. Source: Apple, Extend Subscription Renewal
  /// Dates for All Active Subscribers.
  public func extendRenewalDateForAllActiveSubscribers(
    _ request: MassExtendRenewalDateRequest, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<MassExtendRenewalDateResponse> {
    try check(request, .extendRenewalDateForAllActiveSubscribers)
    return try await unsigned(
      ServerRequest(
        .extendRenewalDateForAllActiveSubscribers,
        ["inApps", "v1", "subscriptions", "extend", "mass"], sending: request),
      in: environment, patience: patience)
  }

  /// Returns how far an extension of all active subscriptions has come; ask every ten minutes at
  /// most.
  ///
  /// The counts are there once it is complete. Source: Apple, Get Status of Subscription Renewal
  /// Date Extensions.
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
