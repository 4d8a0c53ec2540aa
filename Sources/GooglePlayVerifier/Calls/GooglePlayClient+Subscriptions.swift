internal import JSONValues

// A purchase token belongs to one app, and each change of a subscription sends a notification.

extension GooglePlayClient {
  /// Cancels a subscription, which runs until its expiry (`purchases.subscriptionsv2.cancel`).
  public func cancelSubscription(
    token: String, _ type: CancellationType, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    try await send(
      PlayRequest(
        .cancelSubscription, post: subscriptionPath(token) + ":cancel",
        body: CancelSubscriptionPurchaseRequest(type).checked()), patience: patience)
  }

  /// Puts the next payment of all items off, `purchases.subscriptionsv2.defer`.
  ///
  /// The user keeps the access for that time without paying. After a failure in which Google may have acted
  /// the request is not repeated: read the subscription, whose expiry and etag tell.
  ///
  /// - Parameters:
  ///   - token: The purchase token.
  ///   - duration: The time by which each expiry moves.
  ///   - etag: That of the subscription as it was read; Google refuses an older one.
  ///   - effect: Whether the expiries move, or are only told.
  ///   - patience: The time limit for all attempts, or nil for the configured one.
  /// - Returns: The new expiry of each item.
  /// - Throws: ``GooglePlayFailure``; `invalidValue` for an old etag.
  public func deferSubscription(
    token: String, by duration: Duration, etag: String, effect: DeferralEffect = .applied,
    patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> [ItemExpiryTimeDetails] {
    var request = DeferSubscriptionPurchaseRequest()
    request.deferralContext.deferDuration = duration
    request.deferralContext.etag = etag
    request.deferralContext.validateOnly = effect == .validatedOnly
    let answer: DeferSubscriptionPurchaseResponse = try await read(
      PlayRequest(
        .deferSubscription, post: subscriptionPath(token) + ":defer", body: request.checked()),
      patience: patience)
    return answer.itemExpiryTimeDetails
  }

  /// Takes a subscription away at once and gives money back, `purchases.subscriptionsv2.revoke`.
  ///
  /// After a failure in which Google may have acted the request is not repeated: read the subscription, which is
  /// expired then, or lacks the item.
  public func revokeSubscription(
    token: String, _ context: RevocationContext, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    try await send(
      PlayRequest(
        .revokeSubscription, post: subscriptionPath(token) + ":revoke",
        body: RevokeSubscriptionPurchaseRequest(context).checked()), patience: patience)
  }

  /// An effect of a deferral.
  public enum DeferralEffect: Hashable, Sendable {
    case applied
    /// Nothing changes; the answer tells what would.
    case validatedOnly
  }
}
