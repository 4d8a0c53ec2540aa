public import ReceiptModels

/// A source of the present state of a purchase, such as an API of Apple or of Google.
///
/// ``SubscriptionService/refresh(_:)``, ``RefreshJob`` and ``EntitlementService`` ask the first source that
/// can answer.
public protocol PurchaseSource: Sendable {
  /// Returns the present facts about a stored purchase, or nil if this source can't answer for it.
  ///
  /// - Throws: ``SubscriptionFailure``, or another error of the source, if this source failed
  ///   although it could answer. No other source is asked then.
  func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts?
}

/// A stored purchase, as far as a source has to know it.
public struct PurchaseReference: Hashable, Sendable {
  /// The identifier of the first charge.
  public var originalTransactionID: String
  /// The environment of the purchase.
  public var environment: AppStoreEnvironment
  /// Whether the purchase is an auto-renewable subscription.
  public var isSubscription: Bool

  /// Creates a reference to a purchase.
  public init(
    originalTransactionID: String, environment: AppStoreEnvironment, isSubscription: Bool = true
  ) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
    self.isSubscription = isSubscription
  }

  /// The store that sold the purchase.
  public var vendor: Vendor { TransactionIDs.vendor(of: originalTransactionID) }

  /// Creates a reference to a subscription.
  public init(_ subscription: Subscription) {
    self.init(
      originalTransactionID: subscription.originalTransactionID,
      environment: subscription.environment)
  }
}
