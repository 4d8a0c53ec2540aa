import Foundation
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("Offers at the simulated App Store")
struct OfferTests {
  private let appStore: AppStoreSimulator

  init() throws {
    var products = TestProduct.samples
    products[0].winBackOffers = ["half-price", "one-month"]
    appStore = try AppStoreSimulator(bundleID: "com.example.reader", products: products)
  }

  private func pass(days: Int) { appStore.clock.advance(by: .seconds(days * 86_400)) }

  private func renewal(of customer: String = "customer") -> RenewalInfo? {
    appStore.subscriptions(of: customer).first?.renewal
  }

  @Test(
    "an introductory offer is redeemed once in a group",
    arguments: [TestOffer.trial, .introductory], [TestOffer.trial, .introductory])
  func introductory(first: TestOffer, second: TestOffer) throws {
    let purchase = try appStore.buy("reader.monthly", offer: first)
    try appStore.expire(purchase, for: .customerCancelled)
    pass(days: 1)
    #expect(throws: SimulatorFailure.offerNotAvailable) {
      try appStore.buy("reader.yearly", offer: second)
    }
    try appStore.buy("reader.yearly", by: "another", offer: second)
  }

  @Test("a promotional offer is for those who know the subscription")
  func promotional() throws {
    #expect(throws: SimulatorFailure.offerNotAvailable) {
      try appStore.buy("reader.monthly", offer: .promotional("spring"))
    }
    try appStore.buy("reader.monthly")
    pass(days: 31)
    let again = try appStore.buy("reader.monthly", offer: .promotional("spring"))
    #expect(again.notification.transaction.offerType == .promotional)
    #expect(again.notification.transaction.offerIdentifier == "spring")
  }

  @Test("an offer to win back is told of and redeemed once the paid subscription has lapsed")
  func winBack() throws {
    let purchase = try appStore.buy("reader.monthly")
    #expect(renewal()?.eligibleWinBackOfferIDs == nil)
    #expect(throws: SimulatorFailure.subscriptionRunning) {
      try appStore.buy("reader.monthly", offer: .code("c"))
    }
    #expect(throws: SimulatorFailure.offerNotAvailable) {
      try appStore.buy("reader.monthly", offer: .winBack("half-price"))
    }
    let expired = try appStore.expire(purchase, for: .customerCancelled)
    #expect(expired.renewalInfo?.eligibleWinBackOfferIDs == ["half-price", "one-month"])
    #expect(throws: SimulatorFailure.offerNotAvailable) {
      try appStore.buy("reader.monthly", offer: .winBack("unknown"))
    }
    pass(days: 1)
    let back = try appStore.buy("reader.monthly", offer: .winBack("half-price"))
    #expect(back.notification.transaction.offerType == .winBack)
    #expect(back.notification.transaction.offerIdentifier == "half-price")
    #expect(back.notification.subtype == .resubscribe)
    #expect(renewal()?.eligibleWinBackOfferIDs == nil)
  }

  @Test("who never paid is not won back")
  func trialOnly() throws {
    let purchase = try appStore.buy("reader.monthly", offer: .trial)
    let expired = try appStore.expire(purchase, for: .customerCancelled)
    #expect(expired.renewalInfo?.eligibleWinBackOfferIDs == nil)
    #expect(throws: SimulatorFailure.offerNotAvailable) {
      try appStore.buy("reader.monthly", offer: .winBack("half-price"))
    }
  }

  @Test("an offer that is redeemed while the subscription runs belongs to the next charge")
  func redeemed() throws {
    let purchase = try appStore.buy("reader.monthly")
    let redeemed = try appStore.redeem(.code("spring"), for: purchase)
    #expect(redeemed.type == .offerRedeemed)
    #expect(redeemed.transaction.offerType == nil)
    #expect(redeemed.renewalInfo?.offerType == .offerCode)
    #expect(redeemed.renewalInfo?.offerIdentifier == "spring")
    pass(days: 30)
    let renewed = try appStore.renew(purchase)
    #expect(renewed.notification.transaction.offerIdentifier == "spring")
    #expect(renewal()?.offerType == nil)
    #expect(throws: SimulatorFailure.offerNotAvailable) {
      try appStore.redeem(.trial, for: purchase)
    }
    pass(days: 31)
    #expect(throws: SimulatorFailure.notRunning) {
      try appStore.redeem(.code("spring"), for: purchase)
    }
  }

  @Test("a price increase that needs no consent is told of as accepted")
  func announced() throws {
    let purchase = try appStore.buy("reader.monthly")
    let told = try appStore.announcePriceIncrease(of: purchase)
    #expect(told.type == .priceIncrease && told.subtype == .accepted)
    #expect(told.renewalInfo?.priceIncreaseStatus == .consented)
    #expect(told.renewalInfo?.autoRenewStatus == .on)
  }

  @Test("an assigned purchase is taken back with a kind of its own")
  func assigned() throws {
    let purchase = try appStore.buy("reader.yearly", by: "organization")
    let seat = try appStore.assign(purchase, to: "employee")
    #expect(seat.notification.transaction.inAppOwnershipType == .assigned)
    #expect(seat.originalTransactionID != purchase.originalTransactionID)
    #expect(throws: SimulatorFailure.notShared) { try appStore.revoke(purchase) }
    let revoked = try appStore.revoke(seat)
    #expect(revoked.type == .revoke)
    #expect(revoked.transaction.revocationType == .assignmentRevoke)
    let shared = try appStore.share(purchase, with: "relative")
    #expect(try appStore.revoke(shared).transaction.revocationType == .familyRevoke)
  }

  @Test("Apple asks once, ten days later, for the report about a token that nobody reported")
  func externalPurchases() throws {
    let made = appStore.createExternalPurchaseToken()
    #expect(made.type == .externalPurchaseToken && made.subtype == .created)
    let id = try #require(made.externalPurchaseID)
    pass(days: 9)
    #expect(appStore.askForExternalPurchaseReports().isEmpty)
    #expect(try appStore.remindOfExternalPurchaseToken(id).subtype == .activeTokenReminder)
    pass(days: 1)
    let asked = appStore.askForExternalPurchaseReports()
    #expect(asked.map(\.subtype) == [.unreported])
    #expect(asked.map(\.externalPurchaseID) == [id])
    #expect(appStore.askForExternalPurchaseReports().isEmpty)
    #expect(throws: SimulatorFailure.unknownPurchase) {
      try appStore.remindOfExternalPurchaseToken("unknown")
    }
  }
}
