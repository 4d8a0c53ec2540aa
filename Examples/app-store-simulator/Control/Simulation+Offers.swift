import ReceiptModels
import StoreSimulators

// Offers, commitments, prices, and purchases that somebody else paid for.

extension Simulation {
  /// The terms of an order besides product and customer.
  struct Terms: Sendable {
    var offer: TestOffer?
    var plan: BillingPlanType?
  }

  /// The way in which somebody gets a purchase that another customer paid for.
  enum Gift: Sendable {
    case share
    case assign

    fileprivate func give(
      _ purchase: TestPurchase, to holder: String, in appStore: AppStoreSimulator
    ) throws(SimulatorFailure) -> TestPurchase {
      switch self {
      case .share: try appStore.share(purchase, with: holder)
      case .assign: try appStore.assign(purchase, to: holder)
      }
    }
  }

  /// The customer's part in a price increase.
  enum PriceConsent: String, CaseIterable, Sendable {
    /// Apple asks for consent.
    case asked
    /// The customer consents.
    case given
    /// The increase needs none; Apple tells of it.
    case unneeded
  }

  func give(_ held: Held, to holder: String, by gift: Gift) throws(ControlRefusal) -> Change {
    let given = try refusing { () throws(SimulatorFailure) in
      try gift.give(held.newest, to: holder, in: appStore(held.shop))
    }
    return Change(
      shop: held.shop, originalTransactionID: given.originalTransactionID, customer: holder,
      notifications: [keep(given, of: holder, in: held.shop)])
  }

  func give(_ pack: BoughtPack, to holder: String, by gift: Gift) throws(ControlRefusal)
    -> BoughtPack
  {
    _ = now
    let given = try refusing { () throws(SimulatorFailure) in
      try gift.give(pack.purchase, to: holder, in: appStore(pack.shop))
    }
    let own = BoughtPack(shop: pack.shop, purchase: given, news: given.notification)
    boughtPacks[given.transactionID] = own
    return own
  }

  /// Takes back a subscription that is shared or assigned.
  func revoke(_ held: Held) throws(ControlRefusal) -> Change {
    try one(held) { appStore throws(SimulatorFailure) in try appStore.revoke(held.newest) }
  }

  func revoke(_ pack: BoughtPack) throws(ControlRefusal) -> BoughtPack {
    try change(pack) { appStore throws(SimulatorFailure) in try appStore.revoke(pack.purchase) }
  }

  func increasePrice(of held: Held, _ consent: PriceConsent) throws(ControlRefusal) -> Change {
    try one(held) { appStore throws(SimulatorFailure) in
      switch consent {
      case .asked: try appStore.askForPriceConsent(held.newest)
      case .given: try appStore.consentToPrice(held.newest)
      case .unneeded: try appStore.announcePriceIncrease(of: held.newest)
      }
    }
  }

  func redeem(_ offer: TestOffer, for held: Held) throws(ControlRefusal) -> Change {
    try one(held) { appStore throws(SimulatorFailure) in
      try appStore.redeem(offer, for: held.newest)
    }
  }

  /// Has Apple ask for the reports about external purchases that are due.
  func askForReports() {
    for shop in shops(.production) + shops(.sandbox) {
      appStore(shop).askForExternalPurchaseReports()
    }
  }
}
