internal import JWSVerifier
public import ReceiptModels

extension AppStoreServerClient {
  /// Turns off the renewal of a subscription.
  ///
  /// Source: Apple, Cancel Subscription, Advanced Commerce API.
  public func cancelSubscription(
    _ request: AdvancedCommerceSubscriptionCancelRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try await advancedCommerce(
      .cancelSubscription, ["subscription", "cancel"], request, of: transactionID, in: environment,
      patience: patience)
  }

  /// Changes the names, descriptions or the tax code of a subscription.
  ///
  /// Source: Apple, Change Subscription Metadata, Advanced Commerce API.
  public func changeSubscriptionMetadata(
    _ request: AdvancedCommerceSubscriptionChangeMetadataRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try await advancedCommerce(
      .changeSubscriptionMetadata, ["subscription", "changeMetadata"], request, of: transactionID,
      in: environment,
      patience: patience)
  }

  /// Changes the prices of a subscription from its next renewal on.
  ///
  /// At least 24 hours have to be left until then. Source: Apple, Change Subscription Price,
  /// Advanced Commerce API.
  public func changeSubscriptionPrice(
    _ request: AdvancedCommerceSubscriptionPriceChangeRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try await advancedCommerce(
      .changeSubscriptionPrice, ["subscription", "changePrice"], request, of: transactionID,
      in: environment,
      patience: patience)
  }

  /// Moves a subscription to the Advanced Commerce API.
  ///
  /// Source: Apple, Migrate Subscription to Advanced Commerce API, Advanced Commerce API.
  public func migrateSubscription(
    _ request: AdvancedCommerceSubscriptionMigrateRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try await advancedCommerce(
      .migrateSubscription, ["subscription", "migrate"], request, of: transactionID,
      in: environment,
      patience: patience)
  }

  /// Ends a subscription and refunds it.
  ///
  /// Take access away at the revocation date of the refund's notification, not before. Source:
  /// Apple, Revoke Subscription, Advanced Commerce API.
  public func revokeSubscription(
    _ request: AdvancedCommerceSubscriptionRevokeRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try await advancedCommerce(
      .revokeSubscription, ["subscription", "revoke"], request, of: transactionID, in: environment,
      patience: patience)
  }

  /// Requests the refund of items of a purchase.
  ///
  /// Source: Apple, Request Transaction Refund, Advanced Commerce API.
  public func requestTransactionRefund(
    _ request: AdvancedCommerceRequestRefundRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try await advancedCommerce(
      .requestTransactionRefund, ["transaction", "requestRefund"], request, of: transactionID,
      in: environment,
      patience: patience)
  }

  private func advancedCommerce(
    _ endpoint: AppStoreServerEndpoint, _ path: [String], _ request: some CheckedRequest,
    of transactionID: String, in environment: AppStoreEnvironment?, patience: Duration?
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try check(request, endpoint)
    let id = try self.transactionID(transactionID, endpoint)
    return try await ask(
      ServerRequest(endpoint, ["advancedCommerce", "v1"] + path + [id], sending: request),
      in: environment, patience: patience
    ) { answer async throws(AppStoreServerFailure) in
      let response: AdvancedCommerceResponse = try answer.decoded()
      let transaction = try await verified(
        response.signedTransactionInfo, "signedTransactionInfo", as: .transaction, in: answer)
      if response.signedRenewalInfo == nil, answer.endpoint == .requestTransactionRefund {
        return AdvancedCommerceResult(transaction: transaction, renewalInfo: nil)
      }
      let renewalInfo = try await verified(
        response.signedRenewalInfo, "signedRenewalInfo", as: .renewalInfo, in: answer)
      guard renewalInfo.isOfSubscription(of: transaction) else {
        throw answer.failure(.otherSubscription)
      }
      return AdvancedCommerceResult(transaction: transaction, renewalInfo: renewalInfo)
    }
  }
}
