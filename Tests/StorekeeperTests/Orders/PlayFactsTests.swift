import EntitlementPolicy
import GooglePlayVerifier
import HTTPMessages
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Google's purchases as facts (Google Play rules, section 3.1)")
struct PlayFactsTests {
  private static let month: TimeInterval = 30 * 86_400

  @Test("a subscription is a purchase under its order, and its token stands for the first charge")
  func subscription() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    let facts = try await host.facts(of: bought)
    #expect(facts.vendor == .google)
    #expect(facts.voucher == .googlePlay)
    #expect(facts.completeness == .single)
    #expect(facts.environment == .production)
    #expect(facts.asOf == host.play.now)
    let purchase = try #require(facts.purchases.first)
    #expect(facts.purchases.count == 1)
    #expect(purchase.transactionID == "google:\(bought.orderID):pro_monthly")
    #expect(purchase.originalTransactionID == host.id(of: bought))
    #expect(purchase.vendor == .google)
    #expect(purchase.productID == "pro_monthly")
    #expect(purchase.productType == .autoRenewableSubscription)
    #expect(purchase.originalPurchaseDate == OrderScene.start)
    #expect(purchase.expiresDate == OrderScene.start + Self.month)
    let renewal = try #require(facts.renewals.first)
    #expect(renewal.willRenew == true)
    #expect(renewal.autoRenewProductID == "pro_monthly")
    #expect(!renewal.isInBillingRetry)
  }

  @Test("each renewal is a purchase of its own under the same token")
  func renewal() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    host.play.clock.advance(by: .seconds(Self.month))
    let renewed = try host.play.renew(bought)
    let facts = try await host.facts(of: renewed)
    #expect(renewed.orderID != bought.orderID)
    #expect(facts.purchases.map(\.transactionID) == ["google:\(renewed.orderID):pro_monthly"])
    #expect(facts.originalTransactionIDs == [host.id(of: bought)])
    #expect(facts.purchases.first?.expiresDate == OrderScene.start + 2 * Self.month)
  }

  @Test("purchases of license testers are of the Sandbox")
  func licenseTester() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly", PlayTerms(buyer: .licenseTester))
    #expect(try await host.facts(of: bought).environment == .sandbox)
  }

  @Test("a cancelled subscription runs to its end and does not renew")
  func cancelled() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    _ = try host.play.cancel(bought)
    let facts = try await host.facts(of: bought)
    #expect(facts.purchases.first?.expiresDate == OrderScene.start + Self.month)
    #expect(facts.renewals.map(\.willRenew) == [false])
  }

  @Test("in the grace period the end is Google's, on hold it is past")
  func billingRetry() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    host.play.clock.advance(by: .seconds(Self.month))
    _ = try host.play.failRenewal(bought, gracePeriod: .seconds(86_400))
    let graceEnd = OrderScene.start + Self.month + 86_400
    let facts = try await host.facts(of: bought)
    #expect(facts.purchases.first?.expiresDate == graceEnd)
    #expect(facts.renewals.first?.gracePeriodExpiresDate == graceEnd)
    #expect(facts.renewals.first?.isInBillingRetry == true)
    host.play.clock.advance(by: .seconds(86_400))
    let held = try await host.facts(of: bought)
    #expect(held.purchases.first?.cancellationDate == graceEnd)
    #expect(held.renewals.first?.isInBillingRetry == true)
  }

  @Test("a revoked subscription ends at once")
  func revoked() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    host.play.clock.advance(by: .seconds(86_400))
    _ = try host.play.revoke(bought)
    let facts = try await host.facts(of: bought)
    #expect(facts.purchases.first?.cancellationDate == host.play.now)
  }

  @Test("a payment that has not arrived is no fact")
  func pending() async throws {
    let host = try await PlayHost()
    let bought = try host.play.subscribe("pro_monthly", PlayTerms(payment: .pending))
    await #expect(throws: FactsFailure.empty) { try await host.facts(of: bought) }
    _ = try host.play.cancelPayment(of: bought)
    await #expect(throws: FactsFailure.empty) { try await host.facts(of: bought) }
  }

  @Test("a source of Google answers for purchases whose token is stored, and for no others")
  func source() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    let purchase = PurchaseReference(
      originalTransactionID: host.id(of: bought), environment: .production)
    let apples = PurchaseReference(
      originalTransactionID: "1000000000000001", environment: .production)
    #expect(purchase.vendor == .google)
    #expect(apples.vendor == .apple)
    #expect(try await host.services.source.facts(about: purchase) == nil)
    try await host.services.subscriptions.record(host.facts(of: bought))
    #expect(try await host.services.source.facts(about: purchase)?.purchases.count == 1)
    #expect(try await host.services.source.facts(about: apples) == nil)
    host.play.fail(next: nil, with: .error(.notFound, reason: "notFound"), at: .subscription)
    #expect(try await host.services.source.facts(about: purchase) == nil)
    host.play.stopFailing()
    host.play.fail(next: nil, with: .backendError, at: .subscription)
    await #expect(throws: GooglePlayFailure.self) {
      try await host.services.source.facts(about: purchase)
    }
  }
}
