import Foundation
import ReceiptModels
import Testing

/// One question about a group `g`, and the answer by the contract (section 8.2).
struct IntroOfferCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var records: [PurchaseRecord]
  var knowledge = SubscriptionKnowledge.remote
  var areComplete = true
  var eligibility: IntroOfferEligibility

  static func period(
    group: String? = "g", days: Double = -1, trial: Bool? = false, intro: Bool? = false,
    family: Bool = false, unreadable: Bool = false
  ) -> PurchaseRecord {
    .month(ends: TestDate.days(days)) {
      $0.subscriptionGroupID = group
      $0.isTrialPeriod = trial
      $0.isInIntroOfferPeriod = intro
      $0.ownership = family ? .familyShared : .purchased
      $0.hasUnreadableOffer = unreadable
    }
  }

  static let all: [IntroOfferCase] = [
    IntroOfferCase(testDescription: "nothing bought", records: [], eligibility: .eligible),
    IntroOfferCase(
      testDescription: "nothing known to be bought", records: [], areComplete: false,
      eligibility: .unknown),
    IntroOfferCase(
      testDescription: "paid, ended", records: [period()], eligibility: .eligible),
    IntroOfferCase(
      testDescription: "paid, running", records: [period(days: 1)], eligibility: .ineligible),
    IntroOfferCase(
      testDescription: "trial, ended", records: [period(trial: true)], eligibility: .ineligible),
    IntroOfferCase(
      testDescription: "intro, ended", records: [period(intro: true)], eligibility: .ineligible),
    IntroOfferCase(
      testDescription: "trial, ended, history incomplete", records: [period(trial: true)],
      areComplete: false, eligibility: .ineligible),
    IntroOfferCase(
      testDescription: "paid, history incomplete", records: [period()], areComplete: false,
      eligibility: .unknown),
    IntroOfferCase(
      testDescription: "paid, from a local receipt", records: [period()], knowledge: .local,
      eligibility: .unknown),
    IntroOfferCase(
      testDescription: "trial in another group", records: [period(group: "h", trial: true)],
      eligibility: .eligible),
    IntroOfferCase(
      testDescription: "trial in an unknown group", records: [period(group: nil, trial: true)],
      eligibility: .unknown),
    IntroOfferCase(
      testDescription: "paid in an unknown group, ended", records: [period(group: nil)],
      eligibility: .eligible),
    IntroOfferCase(
      testDescription: "paid in an unknown group, running",
      records: [period(group: nil, days: 1)], eligibility: .unknown),
    IntroOfferCase(
      testDescription: "no intro flag, as before 2017", records: [period(intro: nil)],
      eligibility: .eligible),
    IntroOfferCase(
      testDescription: "no flag at all", records: [period(trial: nil, intro: nil)],
      eligibility: .unknown),
    IntroOfferCase(
      testDescription: "an intro flag that cannot be read",
      records: [period(intro: nil, unreadable: true)], eligibility: .unknown),
    IntroOfferCase(
      testDescription: "an intro flag that cannot be read, of a trial",
      records: [period(trial: true, intro: nil, unreadable: true)], eligibility: .ineligible),
    IntroOfferCase(
      testDescription: "a flag that cannot be read, of what may be no subscription",
      records: [.single { $0.hasUnreadableOffer = true }], eligibility: .unknown),
    IntroOfferCase(
      testDescription: "trial shared by a family member",
      records: [period(trial: true, family: true)], eligibility: .unknown),
    IntroOfferCase(
      testDescription: "trial assigned by an organization",
      records: [
        .month(ends: TestDate.days(-1)) {
          $0.subscriptionGroupID = "g"
          $0.isTrialPeriod = true
          $0.ownership = .assigned
        }
      ], eligibility: .unknown),
    IntroOfferCase(
      testDescription: "only a purchase without an end", records: [.single()],
      eligibility: .eligible),
  ]
}

@Suite("Eligibility for introductory offers")
struct IntroOfferTests {
  @Test("is proved, disproved or unknown", arguments: IntroOfferCase.all)
  func eligibility(_ question: IntroOfferCase) {
    let histories = PurchaseHistory.histories(
      of: question.records, knowledge: question.knowledge)
    #expect(
      PurchaseHistory.introOfferEligibility(
        groupID: "g", in: histories, areComplete: question.areComplete, at: TestDate.now)
        == question.eligibility)
  }

  static let paid = """
    "transaction_id":"1","product_id":"p","expires_date_ms":"1500000000000",
    "subscription_group_identifier":"g","is_trial_period":"false"
    """

  @Test(
    "is that of the answer: unknown where something could not be read",
    arguments: [
      (#"{\#(paid)}"#, "", .eligible),
      (#"{\#(paid),"is_in_intro_offer_period":"0"}"#, "", .eligible),
      (#"{\#(paid),"is_in_intro_offer_period":"perhaps"}"#, "", .unknown),
      (#"{\#(paid),"is_in_intro_offer_period":""}"#, "", .unknown),
      (#"{\#(paid),"is_in_intro_offer_period":null}"#, "", .eligible),
      (#"{\#(paid),"is_in_intro_offer_period":"True"}"#, "", .ineligible),
      (#"{\#(paid)},{"transaction_id":"2"}"#, "", .unknown),
      (#"{\#(paid)},{"transaction_id":"x","product_id":"p"}"#, "", .unknown),
      (#"{\#(paid)}"#, #"{"transaction_id":[1],"product_id":"p"}"#, .unknown),
      (#"{\#(paid)}"#, #"{"transaction_id":"7","product_id":"once"}"#, .eligible),
      (#"{\#(paid),"is_in_intro_offer_period":"1"},{}"#, "", .ineligible), ("", "", .eligible),
    ] as [(String, String, IntroOfferEligibility)])
  func answer(latest: String, inApp: String, eligibility: IntroOfferEligibility) throws {
    let answer = try PurchaseSourceTests.answer(
      #"{"status":0,"receipt":{"in_app":[\#(inApp)]},"latest_receipt_info":[\#(latest)]}"#)
    #expect(
      answer.introOfferEligibility(groupID: "g", areComplete: true, at: TestDate.now) == eligibility
    )
    if eligibility == .eligible {
      #expect(answer.unreadableTransactionCount == 0)
      #expect(
        answer.introOfferEligibility(groupID: "g", areComplete: false, at: TestDate.now) == .unknown
      )
    }
  }

  @Test(
    "is unknown from answers that do not list all",
    arguments: [
      #"{"status":0,"receipt":{"in_app":[]}}"#,
      #"{"status":0,"receipt":{"in_app":[]},"#
        + #""pending_renewal_info":[]}"#, #"{"status":21002}"#,
      #"{"status":21010,"latest_receipt_info":[]}"#, #"{"status":21006,"latest_receipt_info":[]}"#,
      #"{"status":0,"receipt":{"bid":"a"},"latest_receipt_info":{}}"#,
    ])
  func incomplete(text: String) throws {
    let answer = try PurchaseSourceTests.answer(text)
    #expect(
      answer.introOfferEligibility(groupID: "g", areComplete: true, at: TestDate.now) == .unknown)
  }

  @Test("counts the transactions that could not be read, in every list")
  func unreadable() throws {
    let answer = try PurchaseSourceTests.answer(
      """
      {"status":0,"receipt":{"in_app":[{},{"transaction_id":"1","product_id":"p"}]},
      "latest_receipt_info":[{"transaction_id":"1","product_id":""}],
      "latest_expired_receipt_info":{"product_id":"p"}}
      """)
    #expect(answer.unreadableTransactionCount == 3)
  }
}
