#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The purchases of all customers of a Play store, as a value.
struct PlayWorld: Sendable {
  /// The tokens of all purchases, oldest first.
  private(set) var tokens: [String] = []
  private var subscriptions: [String: SimulatedPlaySubscription] = [:]
  private var products: [String: SimulatedPlayProduct] = [:]
  /// The tokens of each customer's purchases, oldest first.
  private var tokensOfCustomers: [String: [String]] = [:]
  /// A moment before which nothing happens by itself, so that not every call looks at all purchases.
  var quietUntil = Date.distantFuture
  private(set) var voided: [VoidedPlayPurchase] = []
  /// The questions for a review of a refund, by their tokens.
  var refundReviews: [String: PlayRefundReview] = [:]
  /// The payments outside of Google's billing, by the developer's identifiers.
  var externalTransactions: [String: SimulatedExternalTransaction] = [:]
  /// The replaced purchases that still look as they did before.
  private var lagging: [String: LaggingSubscription] = [:]
  /// The notifications of all changes, oldest first.
  var notifications: [DeveloperNotificationRecord] = []
  /// The number of notifications that are still to be lost.
  var lossesDue = 0

  // MARK: Queries

  func subscription(_ token: String) -> SimulatedPlaySubscription? { subscriptions[token] }
  func product(_ token: String) -> SimulatedPlayProduct? { products[token] }

  /// Returns a subscription as Google describes it at a date.
  func shownSubscription(_ token: String, at date: Date) -> SimulatedPlaySubscription? {
    guard let lag = lagging[token], date < lag.end else { return subscriptions[token] }
    return lag.subscription
  }

  /// Returns the token of the customer's newest purchase.
  func newestToken(of customer: String) -> String? { tokensOfCustomers[customer]?.last }

  /// Whether the customer owns a subscription to a product.
  func ownsSubscription(_ customer: String, _ productID: String) -> Bool {
    tokensOfCustomers[customer, default: []].lazy.compactMap { subscriptions[$0] }
      .contains { $0.isOwned && $0.item.productID == productID }
  }

  /// Returns an order with the token of its purchase.
  func order(_ id: String) -> (token: String, order: PlayOrders.Order)? {
    for token in tokens {
      let orders = subscriptions[token]?.orders ?? products[token]?.orders
      if let order = orders?.order(id) { return (token, order) }
    }
    return nil
  }

  /// The number of the newest notification; 0 before the first.
  var newestNotificationNumber: Int { notifications.last?.number ?? 0 }

  /// Returns the notifications after one, by its number, oldest first.
  func notifications(after number: Int) -> [DeveloperNotificationRecord] {
    // The newest are at the end, and few are asked for.
    notifications.reversed().prefix { $0.number > number }.reversed()
  }

  // MARK: Changes

  /// Lets a subscription look as it does now until a date.
  mutating func keepLook(of token: String, until end: Date) {
    lagging[token] = subscriptions[token].map { LaggingSubscription(subscription: $0, end: end) }
  }

  mutating func add(_ subscription: SimulatedPlaySubscription) {
    tokens.append(subscription.token)
    tokensOfCustomers[subscription.customer, default: []].append(subscription.token)
    subscriptions[subscription.token] = subscription
    expectChange(of: subscription.token)
  }

  mutating func add(_ product: SimulatedPlayProduct) {
    tokens.append(product.token)
    tokensOfCustomers[product.customer, default: []].append(product.token)
    products[product.token] = product
    expectChange(of: product.token)
  }

  /// Changes a subscription, which gets a new etag.
  mutating func alter(_ token: String, _ body: (inout SimulatedPlaySubscription) -> Void) {
    guard var subscription = subscriptions[token] else { return }
    body(&subscription)
    subscription.version += 1
    subscriptions[token] = subscription
    expectChange(of: token)
  }

  mutating func alter(product token: String, _ body: (inout SimulatedPlayProduct) -> Void) {
    guard var product = products[token] else { return }
    body(&product)
    products[token] = product
    expectChange(of: token)
  }

  // MARK: Notifications

  mutating func note(_ content: DeveloperNotificationContent, at date: Date) {
    let isLost = lossesDue > 0
    if isLost { lossesDue -= 1 }
    notifications.append(
      DeveloperNotificationRecord(
        number: newestNotificationNumber + 1, messageID: PlayToken.digits(16),
        date: date, content: content, isLost: isLost))
  }

  mutating func note(_ type: PlaySubscriptionNotificationType, _ token: String, at date: Date) {
    note(.subscription(type, purchaseToken: token), at: date)
  }

  // MARK: Refunds

  /// Gives the money of an order back, takes the goods back, and lists that.
  ///
  /// A partial amount is for a subscription that ends before its time.
  mutating func void(
    _ token: String, order: String, source: PlayVoidedSource, reason: PlayVoidedReason,
    amount: PlayPrice? = nil, at date: Date
  ) {
    let isChargedBack = reason == .chargeback
    if let subscription = subscriptions[token] {
      let purchased = subscription.orders.order(order)?.date ?? subscription.start
      let wasOwned = subscription.isOwned
      alter(token) { subscription in
        if let amount {
          subscription.orders.refund(order, amount, at: date)
        } else {
          subscription.orders.refund(order, isChargedBack: isChargedBack, at: date)
        }
        guard wasOwned else { return }
        subscription.acknowledgeBy = nil
        subscription.items[0].expiry = min(subscription.expiry ?? date, date)
        subscription.phase = .expired(.init(cause: source.cancellation, date: date))
      }
      if wasOwned { note(.revoked, token, at: date) }
      list(token, order, purchased, source, reason, isSubscription: true, quantity: nil, at: date)
    } else if let product = products[token] {
      alter(product: token) { product in
        product.orders.refund(order, isChargedBack: isChargedBack, at: date)
        product.acknowledgeBy = nil
        product.phase = .canceled
        product.refundableQuantity = 0
      }
      list(
        token, order, product.completed, source, reason, isSubscription: false, quantity: nil,
        at: date)
    }
  }

  /// Lists the refund of some items of a one-time purchase.
  mutating func voidPart(
    of product: SimulatedPlayProduct, quantity: Int, source: PlayVoidedSource,
    reason: PlayVoidedReason, at date: Date
  ) {
    alter(product: product.token) { product in
      product.refundableQuantity -= quantity
      let latest = product.orders.latest
      product.orders.refund(latest.id, latest.item.price.times(quantity), at: date)
    }
    list(
      product.token, product.orders.latest.id, product.completed, source, reason,
      isSubscription: false, quantity: quantity, at: date)
  }

  private mutating func list(
    _ token: String, _ order: String, _ purchased: Date, _ source: PlayVoidedSource,
    _ reason: PlayVoidedReason, isSubscription: Bool, quantity: Int?, at date: Date
  ) {
    voided.append(
      VoidedPlayPurchase(
        token: token, orderID: order, purchased: purchased, voided: date, source: source,
        reason: reason, isSubscription: isSubscription, quantity: quantity))
    note(
      .voided(
        purchaseToken: token, orderID: order, isSubscription ? .subscription : .oneTime,
        quantity == nil ? .full : .partialQuantity), at: date)
  }
}

/// A subscription as it was before another one replaced it.
private struct LaggingSubscription: Sendable {
  let subscription: SimulatedPlaySubscription
  let end: Date
}

/// Texts of the forms that Google's tokens have.
enum PlayToken {
  private static let letters = Array("abcdefghijklmnop")
  private static let others = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  private static func random(_ count: Int, of characters: [Character]) -> String {
    String((0..<count).map { _ in characters[Int.random(in: characters.indices)] })
  }

  /// Returns a new purchase token: 24 letters, a point, and a longer text.
  static func purchase() -> String { "\(random(24, of: letters)).AO-J1O\(random(90, of: others))" }

  static func access() -> String { "ya29.c.c0AY\(random(120, of: others))" }

  /// Returns a new identifier of hexadecimal digits, such as that of a key.
  static func hexadecimal(_ count: Int) -> String { random(count, of: Array("0123456789abcdef")) }

  /// Returns a new identifier of digits.
  static func digits(_ count: Int) -> String {
    random(1, of: Array("123456789")) + random(count - 1, of: Array("0123456789"))
  }

  /// Whether a text has the form of a purchase token; Google calls any other one invalid.
  static func hasForm(_ text: String) -> Bool {
    (20...1000).contains(text.utf8.count)
      && text.allSatisfy { $0 == "." || others.contains($0) }
  }
}
