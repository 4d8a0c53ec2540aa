import Foundation
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("Commitments at the simulated App Store")
struct CommitmentTests {
  private static let price = 59_880
  private let appStore: AppStoreSimulator
  private let start: Date

  init() throws {
    var products = TestProduct.samples
    products[1] = TestProduct(
      "reader.yearly", .autoRenewable(period: .seconds(360 * 86_400), group: "20000001"))
    products[1].commitmentPrice = Self.price
    appStore = try AppStoreSimulator(bundleID: "com.example.reader", products: products)
    start = appStore.now
  }

  private func date(_ days: Int) -> Date { start.addingTimeInterval(Double(days) * 86_400) }
  private func pass(days: Int) { appStore.clock.advance(by: .seconds(days * 86_400)) }

  /// The numbers of the periods that are paid, one after the other, while Apple renews.
  private func periods(_ purchase: TestPurchase, charges: Int) throws -> [Int?] {
    try (0..<charges).map { _ in
      pass(days: 30)
      return try appStore.renew(purchase).notification.transaction.commitmentInfo?
        .billingPeriodNumber
    }
  }

  @Test("each of twelve periods is a charge of its own, then the commitment begins anew")
  func renewed() throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    let first = purchase.notification.transaction
    #expect(first.billingPlanType == .monthly)
    #expect(first.expiresDate == date(30))
    #expect(first.price == 4990)
    #expect(first.currency == "USD")
    let info = try #require(first.commitmentInfo)
    #expect(info.billingPeriodNumber == 1 && info.totalBillingPeriods == 12)
    #expect(info.commitmentExpiresDate == date(360))
    #expect(info.commitmentPrice == Self.price)
    let renewal = try #require(purchase.notification.renewalInfo)
    #expect(renewal.renewalBillingPlanType == .monthly)
    #expect(renewal.renewalDate == date(30))
    #expect(renewal.renewalPrice == 4990)
    #expect(renewal.commitmentInfo?.commitmentRenewalDate == date(360))
    #expect(renewal.commitmentInfo?.commitmentRenewalPrice == Self.price)
    #expect(renewal.commitmentInfo?.commitmentAutoRenewProductID == "reader.yearly")
    #expect(renewal.commitmentInfo?.commitmentRenewalBillingPlanType == .monthly)
    #expect(try periods(purchase, charges: 13) == Array(2...12) + [1, 2])
    let last = try #require(appStore.subscriptions.first?.transactions.last)
    #expect(last.expiresDate == date(14 * 30))
    #expect(last.commitmentInfo?.commitmentExpiresDate == date(720))
  }

  @Test("a commitment that is cancelled is paid to its end, and not renewed")
  func cancelled() throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    pass(days: 10)
    let cancelled = try appStore.setAutoRenew(.off, of: purchase)
    #expect(cancelled.renewalInfo?.autoRenewStatus == .on)
    #expect(cancelled.renewalInfo?.commitmentInfo?.commitmentAutoRenewStatus == .off)
    // What the customer chose stays for all periods.
    for number in 2...12 {
      pass(days: number == 2 ? 20 : 30)
      let renewed = try appStore.renew(purchase).notification
      #expect(renewed.transaction.commitmentInfo?.billingPeriodNumber == number)
      #expect(renewed.renewalInfo?.commitmentInfo?.commitmentAutoRenewStatus == .off)
      #expect(renewed.renewalInfo?.autoRenewStatus == (number == 12 ? .off : .on))
    }
  }

  @Test("another product is chosen for the time after the commitment")
  func changed() throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    let chosen = try appStore.downgrade(purchase, to: "reader.monthly")
    #expect(chosen.renewalInfo?.autoRenewProductID == "reader.yearly")
    #expect(
      chosen.renewalInfo?.commitmentInfo?.commitmentAutoRenewProductID == "reader.monthly")
    #expect(try periods(purchase, charges: 11) == Array(2...12))
    pass(days: 30)
    let next = try appStore.renew(purchase).notification.transaction
    #expect(next.productID == "reader.monthly")
    #expect(next.commitmentInfo == nil && next.billingPlanType == nil)
  }

  @Test("a period that is paid late moves those after it")
  func late() throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    pass(days: 30)
    try appStore.failRenewal(purchase)
    pass(days: 5)
    let paid = try appStore.recover(purchase).notification.transaction
    #expect(paid.purchaseDate == date(35) && paid.expiresDate == date(65))
    #expect(paid.commitmentInfo?.billingPeriodNumber == 2)
    #expect(paid.commitmentInfo?.commitmentExpiresDate == date(365))
  }

  @Test("an extension moves the commitment, and later periods have their length")
  func extended() throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    try appStore.extend(purchase, byDays: 60)
    #expect(appStore.subscriptions.first?.transactions.last?.expiresDate == date(90))
    #expect(try periods(purchase, charges: 1) == [2])
    let next = try #require(appStore.subscriptions.first?.transactions.last)
    #expect(next.purchaseDate == date(90) && next.expiresDate == date(120))
    #expect(next.commitmentInfo?.commitmentExpiresDate == date(420))
  }

  @Test(
    "a subscription that is expired or refunded is committed to nothing", arguments: [true, false])
  func over(isRefunded: Bool) throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    let ended =
      try isRefunded
      ? appStore.refund(purchase) : appStore.expire(purchase, for: .customerCancelled)
    #expect(ended.renewalInfo?.autoRenewStatus == .off)
    #expect(ended.renewalInfo?.commitmentInfo?.commitmentAutoRenewStatus == .off)
  }

  @Test("a question about a price does not end a commitment")
  func price() throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    try appStore.askForPriceConsent(purchase)
    pass(days: 31)
    let late = try #require(appStore.subscriptions.first)
    #expect(late.renewal.autoRenewStatus == .on && late.renewal.expirationIntent == nil)
    let renewed = try appStore.renew(purchase).notification
    #expect(renewed.renewalInfo?.priceIncreaseStatus == .notAnswered)
  }

  @Test("a member of the family gets the period that was paid, as a part of the commitment")
  func shared() throws {
    let purchase = try appStore.buy("reader.yearly", plan: .monthly)
    let own = try appStore.share(purchase, with: "relative").notification.transaction
    #expect(own.billingPlanType == .monthly && own.expiresDate == date(30))
    try appStore.refund(purchase)
    #expect(throws: SimulatorFailure.alreadyRefunded) {
      try appStore.share(purchase, with: "another")
    }
  }

  @Test("a product without a commitment has no such plan, and one with it is also paid at once")
  func plans() throws {
    #expect(throws: SimulatorFailure.noCommitment) {
      try appStore.buy("reader.monthly", plan: .monthly)
    }
    let whole = try appStore.buy("reader.yearly", plan: .billedUpfront).notification.transaction
    #expect(whole.billingPlanType == .billedUpfront && whole.commitmentInfo == nil)
    #expect(whole.expiresDate == date(360))
  }
}
