import Foundation
import OrderPolicy
import ReceiptModels
import Testing

@Suite("Decisions on stored subscriptions (entitlement rules, section 13)")
struct RevalidationDecisionTests {
  private typealias Example = OrderExample

  private func decision(
    _ answer: VendorAnswer, of stored: OrderedSubscription = Example.stored(),
    _ situation: OrderSituation = OrderSituation(owner: "u-1")
  ) throws -> RevalidationDecision {
    RevalidationDecision(
      of: stored, answer, levels: try Example.levels(), situation, at: Example.now)
  }

  @Test("B3: the level, the receipt and the end follow the vendor")
  func update() throws {
    var expected = Example.stored()
    expected.receiptData = "latest"
    expected.expiration = Example.now + 60
    expected.validatedDate = Example.now
    #expect(
      try decision(.valid(Example.purchase()), of: Example.stored(level: "Basic"))
        == .update(expected))
    expected.receiptData = "stored"
    #expect(try decision(.valid(Example.purchase(receipt: nil))) == .update(expected))
  }

  @Test("a purchase of an environment that no longer counts is removed, except for testers")
  func environments() throws {
    var purchase = Example.purchase()
    purchase.purchaseKey.environment = .sandbox
    func decision(_ environments: CountedEnvironments) throws -> RevalidationDecision {
      RevalidationDecision(
        of: Example.stored(), .valid(purchase), levels: try Example.levels(),
        environments: environments, OrderSituation(owner: "u-1"), at: Example.now)
    }
    #expect(try decision([.production]) == .remove(.invalid))
    for rule in [.all, CountedEnvironments([.production], testers: ["u-1"])] {
      guard case .update(let row) = try decision(rule) else {
        Issue.record("not kept")
        continue
      }
      #expect(row.environment == .sandbox)
    }
  }

  @Test("a stored subscription differs by its environment alone, also at Google")
  func environmentOfRow() {
    var (stored, told) = (Example.stored(), Example.stored())
    stored.purchaseKey.vendor = .google
    told.purchaseKey = stored.purchaseKey
    #expect(told == stored)
    told.purchaseKey.environment = .sandbox
    #expect(told.purchaseKey == stored.purchaseKey)
    #expect(told != stored)
  }

  @Test("an explicit failure removes the subscription, whatever its end")
  func explicit() throws {
    for seconds in [-60.0, 60] {
      #expect(
        try decision(
          .explicitFailure(ExplicitFailure(.expired)), of: Example.stored(ends: seconds))
          == .remove(.expired))
    }
  }

  @Test("an incidental failure leaves the subscription as it is, even past its end")
  func incidental() throws {
    let failure = IncidentalFailure(.refused, needsAttention: true)
    for seconds in [-60.0, 60] {
      #expect(
        try decision(.incidentalFailure(failure), of: Example.stored(ends: seconds))
          == .keep(failure))
    }
  }

  @Test("a product of no level leaves the subscription as it is, and somebody has to look after it")
  func unknownProduct() throws {
    #expect(
      try decision(.valid(Example.purchase("com.example.snips.gold")))
        == .keep(IncidentalFailure(.unknownProduct, needsAttention: true)))
  }

  @Test("a receipt that goes on with another user's purchase keeps the subscription until its end")
  func otherOwner() throws {
    let answer = VendorAnswer.valid(Example.purchase(key: "k-2"))
    let others = OrderSituation(owner: "u-2")
    #expect(
      try decision(answer, of: Example.stored(ends: 1), others)
        == .keep(IncidentalFailure(.otherOwner)))
    #expect(try decision(answer, of: Example.stored(ends: 0), others) == .remove(.alreadyUsed))
    guard case .update(let row) = try decision(answer, OrderSituation()) else {
      Issue.record("not the user's own")
      return
    }
    #expect(row.purchaseKey == Example.key("k-2"))
  }

  @Test(
    "a vendor is asked again once the interval has passed, and if the last answer is from the future"
  )
  func interval() {
    let rows: [(age: Double, interval: Duration, isDue: Bool)] = [
      (0, .zero, true), (59, .seconds(60), false), (60, .seconds(60), true),
      (-1, .seconds(60), true), (-1, .zero, true),
    ]
    for (age, interval, isDue) in rows {
      var row = Example.stored()
      row.validatedDate = Example.now - age
      #expect(row.isDue(at: Example.now, interval: interval) == isDue)
    }
    var ended = Example.stored(ends: 0)
    ended.validatedDate = Example.now - 1
    #expect(ended.isDue(at: Example.now, interval: .seconds(3600)))
  }
}
