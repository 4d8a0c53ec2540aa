internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A purchase at a ``PlayStoreSimulator``, as of the call that returned it.
///
/// The purchase token is a secret of the customer: printing the purchase does not show it.
public struct TestPlayPurchase: Sendable, CustomStringConvertible, CustomReflectable {
  /// The token by which the app and the server know the purchase.
  public let purchaseToken: String
  /// The number of the newest order.
  public let orderID: String
  /// The product; of a subscription with a deferred change, the one that is owned.
  public let productID: String
  /// The base plan; nil for a one-time product.
  public let basePlan: String?
  public let customer: String
  /// Google's name for the state, such as `SUBSCRIPTION_STATE_ACTIVE` or `PURCHASED`.
  public let state: String
  /// The end of what is paid or granted; nil for a one-time product, and before a payment.
  public let expiry: Date?
  /// Whether the purchase was acknowledged.
  public let isAcknowledged: Bool
  /// The notifications that the call caused, oldest first.
  public let notifications: [TestDeveloperNotification]

  init?(_ token: String, in world: PlayWorld, since number: Int) {
    purchaseToken = token
    notifications = world.notifications(after: number).map(TestDeveloperNotification.init)
    if let subscription = world.subscription(token) {
      orderID = subscription.orders.latest.id
      productID = subscription.item.productID
      basePlan = subscription.item.plan.id
      customer = subscription.customer
      state = subscription.stateName
      expiry = subscription.expiry
      isAcknowledged = subscription.isAcknowledged
    } else if let product = world.product(token) {
      orderID = product.orders.latest.id
      productID = product.productID
      basePlan = nil
      customer = product.customer
      state = product.stateName
      expiry = nil
      isAcknowledged = product.isAcknowledged
    } else {
      return nil
    }
  }

  public var description: String { "TestPlayPurchase(\(productID), \(orderID), \(state))" }
  /// The members shown by ``description``.
  public var customMirror: Mirror {
    Mirror(self, children: ["productID": productID, "orderID": orderID, "state": state])
  }
}

extension PlayStoreSimulator {
  /// Changes the world, after what is due by now, and returns the affected purchase.
  ///
  /// A failure changes nothing but what was due.
  func change(
    _ body: (inout PlayWorld, Date) throws(PlayStoreFailure) -> String
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    let now = now
    return try state.withLock { (state) throws(PlayStoreFailure) in
      state.world.settle(at: now)
      var world = state.world
      let last = world.newestNotificationNumber
      let token = try body(&world, now)
      // What ends at this very moment ends with the change.
      world.settle(at: now)
      state.world = world
      guard let purchase = TestPlayPurchase(token, in: world, since: last) else {
        throw .unknownPurchase
      }
      return purchase
    }
  }

  /// The purchases of all customers, oldest first, as of now.
  public var purchases: [TestPlayPurchase] {
    let now = now
    return state.withLock { state in
      state.world.settle(at: now)
      let world = state.world
      return world.tokens.compactMap { TestPlayPurchase($0, in: world, since: .max) }
    }
  }

  /// Returns a purchase as of now.
  ///
  /// - Throws: ``PlayStoreFailure/unknownPurchase``.
  public func purchase(_ purchaseToken: String) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (_, _) throws(PlayStoreFailure) in purchaseToken }
  }

  /// Returns the newest purchase of a customer as of now; nil if there is none.
  public func newestPurchase(of customer: String) -> TestPlayPurchase? {
    let now = now
    return state.withLock { state in
      state.world.settle(at: now)
      let world = state.world
      return world.newestToken(of: customer).flatMap {
        TestPlayPurchase($0, in: world, since: .max)
      }
    }
  }

  func product(_ id: String) throws(PlayStoreFailure) -> PlayProduct {
    guard let product = products.first(where: { $0.id == id }) else { throw .unknownProduct(id) }
    return product
  }

  /// Returns a base plan of a subscription that is for sale; the first one if none is named.
  func plan(_ id: String?, of product: PlayProduct) throws(PlayStoreFailure) -> PlayBasePlan {
    guard let first = product.basePlans.first else { throw .otherKind }
    let plan = product.basePlans.first { $0.isActive && $0.id == id ?? $0.id }
    guard let plan else { throw .unknownBasePlan(id ?? first.id) }
    return plan
  }
}

extension PlayWorld {
  func subscription(
    of purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> SimulatedPlaySubscription {
    guard let subscription = subscription(purchase.purchaseToken) else {
      throw product(purchase.purchaseToken) == nil ? .unknownPurchase : .otherKind
    }
    return subscription
  }

  func product(of purchase: TestPlayPurchase) throws(PlayStoreFailure) -> SimulatedPlayProduct {
    guard let product = product(purchase.purchaseToken) else {
      throw subscription(purchase.purchaseToken) == nil ? .unknownPurchase : .otherKind
    }
    return product
  }
}
