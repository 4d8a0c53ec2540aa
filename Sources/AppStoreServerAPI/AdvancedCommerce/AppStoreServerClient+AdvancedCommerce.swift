internal import JWSVerifier
public import ReceiptModels

extension AppStoreServerClient {
  /// Turns off the renewal of a subscription.
  ///
  /// - Parameters:
  ///   - request: The request. Its `requestReferenceID` may be sent again only after a connection
  ///     that broke, as this call does by itself.
  ///   - transactionID: Any transaction ID of the purchase.
  ///   - environment: The environment of the purchase; nil for the configured server, if that is
  ///     one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The purchase after the call.
  /// - Throws: ``AppStoreServerFailure``. If its ``AppStoreServerFailure/hasArrived`` is true, an
  ///   attempt whose answer was lost did its work: read the present state.
  ///
  /// Source: Apple, Cancel Subscription, Advanced Commerce API.
  public func cancelSubscription(
    _ request: AdvancedCommerceSubscriptionCancelRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try checking(.cancelSubscription) { () throws(InvalidRequest) in try request.validate() }
    let id = try self.transactionID(transactionID, .cancelSubscription)
    return try await advancedCommerce(
      ServerRequest(
        .cancelSubscription, ["advancedCommerce", "v1", "subscription", "cancel", id],
        sending: request), in: environment, patience: patience)
  }

  /// Changes the names, descriptions or the tax code of a subscription.
  ///
  /// - Parameters:
  ///   - request: The request. Its `requestReferenceID` may be sent again only after a connection
  ///     that broke, as this call does by itself.
  ///   - transactionID: Any transaction ID of the purchase.
  ///   - environment: The environment of the purchase; nil for the configured server, if that is
  ///     one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The purchase after the call.
  /// - Throws: ``AppStoreServerFailure``. If its ``AppStoreServerFailure/hasArrived`` is true, an
  ///   attempt whose answer was lost did its work: read the present state.
  ///
  /// Source: Apple, Change Subscription Metadata, Advanced Commerce API.
  public func changeSubscriptionMetadata(
    _ request: AdvancedCommerceSubscriptionChangeMetadataRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try checking(.changeSubscriptionMetadata) { () throws(InvalidRequest) in try request.validate()
    }
    let id = try self.transactionID(transactionID, .changeSubscriptionMetadata)
    return try await advancedCommerce(
      ServerRequest(
        .changeSubscriptionMetadata,
        ["advancedCommerce", "v1", "subscription", "changeMetadata", id],
        sending: request), in: environment, patience: patience)
  }

  /// Changes the prices of a subscription from its next renewal on.
  ///
  /// At least 24 hours have to be left until then.
  ///
  /// - Parameters:
  ///   - request: The request. Its `requestReferenceID` may be sent again only after a connection
  ///     that broke, as this call does by itself.
  ///   - transactionID: Any transaction ID of the purchase.
  ///   - environment: The environment of the purchase; nil for the configured server, if that is
  ///     one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The purchase after the call.
  /// - Throws: ``AppStoreServerFailure``. If its ``AppStoreServerFailure/hasArrived`` is true, an
  ///   attempt whose answer was lost did its work: read the present state.
  ///
  /// Source: Apple, Change Subscription Price, Advanced Commerce API.
  public func changeSubscriptionPrice(
    _ request: AdvancedCommerceSubscriptionPriceChangeRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try checking(.changeSubscriptionPrice) { () throws(InvalidRequest) in try request.validate() }
    let id = try self.transactionID(transactionID, .changeSubscriptionPrice)
    return try await advancedCommerce(
      ServerRequest(
        .changeSubscriptionPrice, ["advancedCommerce", "v1", "subscription", "changePrice", id],
        sending: request), in: environment, patience: patience)
  }

  /// Moves a subscription to the Advanced Commerce API.
  ///
  /// - Parameters:
  ///   - request: The request. Its `requestReferenceID` may be sent again only after a connection
  ///     that broke, as this call does by itself.
  ///   - transactionID: Any transaction ID of the purchase.
  ///   - environment: The environment of the purchase; nil for the configured server, if that is
  ///     one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The purchase after the call.
  /// - Throws: ``AppStoreServerFailure``. If its ``AppStoreServerFailure/hasArrived`` is true, an
  ///   attempt whose answer was lost did its work: read the present state.
  ///
  /// Source: Apple, Migrate Subscription to Advanced Commerce API, Advanced Commerce API.
  public func migrateSubscription(
    _ request: AdvancedCommerceSubscriptionMigrateRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try checking(.migrateSubscription) { () throws(InvalidRequest) in try request.validate() }
    let id = try self.transactionID(transactionID, .migrateSubscription)
    return try await advancedCommerce(
      ServerRequest(
        .migrateSubscription, ["advancedCommerce", "v1", "subscription", "migrate", id],
        sending: request), in: environment, patience: patience)
  }

  /// Ends a subscription and refunds it.
  ///
  /// Take access away at the revocation date of the refund's notification, not before.
  ///
  /// - Parameters:
  ///   - request: The request. Its `requestReferenceID` may be sent again only after a connection
  ///     that broke, as this call does by itself.
  ///   - transactionID: Any transaction ID of the purchase.
  ///   - environment: The environment of the purchase; nil for the configured server, if that is
  ///     one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The purchase after the call.
  /// - Throws: ``AppStoreServerFailure``. If its ``AppStoreServerFailure/hasArrived`` is true, an
  ///   attempt whose answer was lost did its work: read the present state.
  ///
  /// Source: Apple, Revoke Subscription, Advanced Commerce API.
  public func revokeSubscription(
    _ request: AdvancedCommerceSubscriptionRevokeRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try checking(.revokeSubscription) { () throws(InvalidRequest) in try request.validate() }
    let id = try self.transactionID(transactionID, .revokeSubscription)
    return try await advancedCommerce(
      ServerRequest(
        .revokeSubscription, ["advancedCommerce", "v1", "subscription", "revoke", id],
        sending: request), in: environment, patience: patience)
  }

  /// Requests the refund of items of a purchase.
  ///
  /// - Parameters:
  ///   - request: The request. Its `requestReferenceID` may be sent again only after a connection
  ///     that broke, as this call does by itself.
  ///   - transactionID: Any transaction ID of the purchase.
  ///   - environment: The environment of the purchase; nil for the configured server, if that is
  ///     one.
  ///   - patience: The time limit with all attempts; nil for the configured one.
  /// - Returns: The purchase after the call.
  /// - Throws: ``AppStoreServerFailure``. If its ``AppStoreServerFailure/hasArrived`` is true, an
  ///   attempt whose answer was lost did its work: read the present state.
  ///
  /// Source: Apple, Request Transaction Refund, Advanced Commerce API.
  public func requestTransactionRefund(
    _ request: AdvancedCommerceRequestRefundRequest, of transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try checking(.requestTransactionRefund) { () throws(InvalidRequest) in try request.validate() }
    let id = try self.transactionID(transactionID, .requestTransactionRefund)
    return try await advancedCommerce(
      ServerRequest(
        .requestTransactionRefund, ["advancedCommerce", "v1", "transaction", "requestRefund", id],
        sending: request), in: environment, patience: patience)
  }

  private func advancedCommerce(
    _ request: ServerRequest, in environment: AppStoreEnvironment?, patience: Duration?
  ) async throws(AppStoreServerFailure) -> AdvancedCommerceResult {
    try await ask(request, in: environment, patience: patience) {
      answer async throws(AppStoreServerFailure) in
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
