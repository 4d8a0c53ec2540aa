import ReceiptModels
import StoreSimulators

// What the server APIs need, and the orders about it.

extension Simulation {
  /// Brings the environments up to date with each other.
  func prepareServerAPI() {
    for shop in shops(.sandbox) where appStore(shop).serverAPI.hasPassedPerformanceTest {
      let released = Shop(app: shop.app, environment: .production)
      appStore(released).serverAPI.hasPassedPerformanceTest = true
    }
  }

  /// Makes Apple unreachable, or reachable again.
  func setAway(_ isAway: Bool) { self.isAway = isAway }

  /// Returns the notifications of an app's history that are not listed yet.
  func takeSentNotifications(_ shop: Shop) -> [AppStoreSimulator.SentNotification] {
    let new = appStore(shop).sentNotifications(after: taken[shop] ?? 0)
    if let last = new.last { taken[shop] = last.number }
    return new.filter { !isListed($0.uuid) }
  }

  func requestRefund(
    _ purchase: TestPurchase, of held: Held, reason: ConsumptionRequestReason
  ) throws(ControlRefusal) -> Change {
    try one(held) { appStore throws(SimulatorFailure) in
      try appStore.requestRefund(purchase, reason: reason)
    }
  }

  func decideRefund(
    _ purchase: TestPurchase, of held: Held, otherwise: AppStoreSimulator.RefundDecision
  ) throws(ControlRefusal) -> Change {
    try one(held) { appStore throws(SimulatorFailure) in
      try appStore.decideRefund(purchase, otherwise: otherwise)
    }
  }

  func extend(_ held: Held, byDays days: Int) throws(ControlRefusal) -> Change {
    try one(held) { appStore throws(SimulatorFailure) in
      try appStore.extend(held.newest, byDays: days)
    }
  }

  func one(
    _ held: Held,
    _ body: (AppStoreSimulator) throws(SimulatorFailure) -> TestNotification
  ) throws(ControlRefusal) -> Change {
    let appStore = appStore(held.shop)
    let notification = try refusing { () throws(SimulatorFailure) in try body(appStore) }
    return Change(
      shop: held.shop,
      originalTransactionID: held.subscription.originalTransactionID,
      customer: held.subscription.customer, notifications: [notification])
  }
}
