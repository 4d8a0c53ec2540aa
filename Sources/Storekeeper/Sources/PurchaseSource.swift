internal import JSONValues
public import ReceiptModels

/// A source of the present state of a purchase, such as an API of Apple or of Google.
///
/// ``SubscriptionService/refresh(_:)``, ``RefreshJob`` and ``EntitlementService`` ask the sources whose
/// ``scope`` contains the purchase, in order, until one answers. One that fails keeps no other from being
/// asked.
public protocol PurchaseSource: Sendable {
  /// The purchases that the source can speak about; by default it may be any.
  var scope: PurchaseScope { get }

  /// Returns the present facts about a stored purchase, or nil if this source can't answer for it.
  ///
  /// - Throws: ``SubscriptionFailure``, or another error of the source, if this source failed although it could
  ///   answer. The next source is asked then.
  func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts?
}

extension PurchaseSource {
  public var scope: PurchaseScope { PurchaseScope() }
}

/// The purchases of a vendor, of an app and of an environment; what is nil may be any.
///
/// It is also the name of a source that failed (``ServiceIncident/sourceFailed(_:of:)``).
public struct PurchaseScope: Hashable, Sendable {
  public var vendor: Vendor?
  /// The app: Apple's bundle ID, or Google's package name.
  public var appID: String?
  public var environment: AppStoreEnvironment?

  /// Creates a scope.
  public init(
    vendor: Vendor? = nil, appID: String? = nil, environment: AppStoreEnvironment? = nil
  ) {
    self.vendor = vendor
    self.appID = appID
    self.environment = environment
  }

  /// Returns whether a purchase may be in the scope; one whose app is not known may be of any.
  public func contains(_ purchase: PurchaseReference) -> Bool {
    if let vendor, vendor != purchase.vendor { return false }
    if let environment, environment != purchase.environment { return false }
    guard let appID, let other = purchase.appID else { return true }
    return appID.isSameText(as: other)
  }
}

/// A stored purchase, as far as a source has to know it.
public struct PurchaseReference: Hashable, Sendable {
  public var originalTransactionID: String
  public var environment: AppStoreEnvironment
  /// Whether the purchase is an auto-renewable subscription.
  public var isSubscription: Bool
  /// The app in which the purchase was made: Apple's bundle ID, or Google's package name; nil if it is not
  /// known.
  public var appID: String?

  /// Creates a reference to a purchase.
  public init(
    originalTransactionID: String, environment: AppStoreEnvironment, isSubscription: Bool = true,
    appID: String? = nil
  ) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
    self.isSubscription = isSubscription
    self.appID = appID
  }

  public var vendor: Vendor { TransactionIDs.vendor(of: originalTransactionID) }

  /// Creates a reference to a subscription.
  public init(_ subscription: Subscription) {
    self.init(
      originalTransactionID: subscription.originalTransactionID,
      environment: subscription.environment)
  }
}
