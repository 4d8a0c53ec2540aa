import ReceiptModels
import StoreSimulators

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The actions of the page and of scripts. Each returns the notifications that Apple would send.

extension Simulation {
  /// The result of an action.
  struct Change: Sendable {
    let shop: Shop
    let originalTransactionID: String
    let customer: String
    let notifications: [TestNotification]
  }

  /// The way in which a subscription ends.
  enum Lapse: String, CaseIterable, Sendable {
    /// The customer turns renewal off.
    case cancelled
    /// The charge is refused at once, and Apple keeps retrying.
    case billing
  }

  /// The time at which a cancelled subscription ends.
  enum End: String, CaseIterable, Sendable {
    /// At once, as if the period were over.
    case now
    /// At the end of the paid period, once the clock reaches it.
    case periodEnd
  }

  func buy(
    _ product: String, by customer: String, in shop: Shop, _ terms: Terms,
    appAccountToken: UUID?
  ) throws(ControlRefusal) -> Change {
    _ = now
    let purchase = try refusing { () throws(SimulatorFailure) in
      try appStore(shop).buy(
        product, by: customer, offer: terms.offer, plan: terms.plan,
        appAccountToken: appAccountToken)
    }
    return Change(
      shop: shop, originalTransactionID: purchase.originalTransactionID,
      customer: customer, notifications: [keep(purchase, of: customer, in: shop)])
  }

  func renew(_ held: Held) throws(ControlRefusal) -> Change {
    let renewal = held.subscription.renewal
    guard renewal.autoRenewStatus == .on, held.subscription.status != .revoked else {
      throw .doesNotRenew
    }
    let purchase = try refusing { () throws(SimulatorFailure) in
      try appStore(held.shop).renew(held.newest)
    }
    return change(held, [keep(purchase, of: held.subscription.customer, in: held.shop)])
  }

  func upgrade(_ held: Held, to product: String) throws(ControlRefusal) -> Change {
    guard held.subscription.status == .active else { throw .notRunning }
    guard held.newest.productID != product else { throw .invalid("product") }
    let purchase = try refusing { () throws(SimulatorFailure) in
      try appStore(held.shop).upgrade(held.newest, to: product)
    }
    return change(held, [keep(purchase, of: held.subscription.customer, in: held.shop)])
  }

  /// Refunds one charge of the subscription.
  func refund(_ purchase: TestPurchase, of held: Held) throws(ControlRefusal) -> Change {
    let charge = held.subscription.transactions.first {
      $0.transactionID == purchase.transactionID
    }
    guard charge?.revocationDate == nil else { throw .refunded }
    let notification = try refusing { () throws(SimulatorFailure) in
      try appStore(held.shop).refund(purchase)
    }
    return change(held, [notification])
  }

  /// Reverses the refund of one charge of the subscription.
  func reverseRefund(of purchase: TestPurchase, _ held: Held) throws(ControlRefusal) -> Change {
    let charge = held.subscription.transactions.first {
      $0.transactionID == purchase.transactionID
    }
    guard charge?.revocationDate != nil else { throw .notRefunded }
    let notification = try refusing { () throws(SimulatorFailure) in
      try appStore(held.shop).reverseRefund(purchase)
    }
    return change(held, [notification])
  }

  func lapse(_ held: Held, _ lapse: Lapse, at end: End) throws(ControlRefusal) -> Change {
    guard held.subscription.status == .active else { throw .notRunning }
    let appStore = appStore(held.shop)
    return change(
      held,
      try refusing { () throws(SimulatorFailure) in
        switch (lapse, end) {
        case (.cancelled, .now):
          [
            try appStore.setAutoRenew(.off, of: held.newest),
            try appStore.expire(held.newest, for: .customerCancelled),
          ]
        case (.cancelled, .periodEnd): [try appStore.setAutoRenew(.off, of: held.newest)]
        case (.billing, _): [try Self.failNow(held.newest, appStore)]
        }
      })
  }

  /// Expires a cancelled subscription whose paid period is over.
  func end(_ held: Held) throws(ControlRefusal) -> Change {
    let notification = try refusing { () throws(SimulatorFailure) in
      try appStore(held.shop).expire(held.newest, for: .customerCancelled)
    }
    return change(held, [notification])
  }

  private static func failNow(
    _ purchase: TestPurchase, _ appStore: AppStoreSimulator
  ) throws(SimulatorFailure) -> TestNotification {
    try appStore.endPeriod(purchase)
    return try appStore.failRenewal(purchase)
  }

  private func change(_ held: Held, _ notifications: [TestNotification]) -> Change {
    Change(
      shop: held.shop,
      originalTransactionID: held.subscription.originalTransactionID,
      customer: held.subscription.customer, notifications: notifications)
  }
}
