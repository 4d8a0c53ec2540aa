import ReceiptModels
import StoreSimulators

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A pack, or another product that does not renew, that a customer bought.
struct BoughtPack: Sendable {
  let shop: Shop
  let purchase: TestPurchase
  /// The newest notification, whose transaction is the one of now.
  var news: TestNotification
}

extension Simulation {
  /// The packs, most recently bought first.
  var newestPacks: [BoughtPack] {
    boughtPacks.values.sorted { one, other in
      let (first, second) = (one.purchase.transactionID, other.purchase.transactionID)
      return (first.utf8.count, first) > (second.utf8.count, second)
    }
  }

  func buy(
    pack product: String, by customer: String, in shop: Shop, quantity: Int,
    appAccountToken: UUID?
  ) throws(ControlRefusal) -> BoughtPack {
    // The clock follows the machine's.
    _ = now
    let purchase = try refusing { () throws(SimulatorFailure) in
      try appStore(shop).buy(
        product, by: customer, quantity: quantity, appAccountToken: appAccountToken)
    }
    let pack = BoughtPack(
      shop: shop, purchase: purchase, news: purchase.notification)
    boughtPacks[purchase.transactionID] = pack
    return pack
  }

  func refund(_ pack: BoughtPack) throws(ControlRefusal) -> BoughtPack {
    guard pack.news.transaction.revocationDate == nil else { throw .refunded }
    return try change(pack) { appStore throws(SimulatorFailure) in
      try appStore.refund(pack.purchase)
    }
  }

  func reverseRefund(_ pack: BoughtPack) throws(ControlRefusal) -> BoughtPack {
    guard pack.news.transaction.revocationDate != nil else { throw .notRefunded }
    return try change(pack) { appStore throws(SimulatorFailure) in
      try appStore.reverseRefund(pack.purchase)
    }
  }

  func requestRefund(
    _ pack: BoughtPack, reason: ConsumptionRequestReason
  ) throws(ControlRefusal) -> BoughtPack {
    try change(pack) { appStore throws(SimulatorFailure) in
      try appStore.requestRefund(pack.purchase, reason: reason)
    }
  }

  func decideRefund(
    _ pack: BoughtPack, otherwise: AppStoreSimulator.RefundDecision
  ) throws(ControlRefusal) -> BoughtPack {
    try change(pack) { appStore throws(SimulatorFailure) in
      try appStore.decideRefund(pack.purchase, otherwise: otherwise)
    }
  }

  func change(
    _ pack: BoughtPack,
    _ body: (AppStoreSimulator) throws(SimulatorFailure) -> TestNotification
  ) throws(ControlRefusal) -> BoughtPack {
    _ = now
    let appStore = appStore(pack.shop)
    var pack = pack
    pack.news = try refusing { () throws(SimulatorFailure) in try body(appStore) }
    boughtPacks[pack.purchase.transactionID] = pack
    return pack
  }
}
