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
    family: Bool = false
  ) -> PurchaseRecord {
    .month(ends: Moment.days(days)) {
      $0.subscriptionGroupID = group
      $0.isTrialPeriod = trial
      $0.isInIntroOfferPeriod = intro
      $0.ownership = family ? .familyShared : .purchased
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
      testDescription: "trial shared by a family member",
      records: [period(trial: true, family: true)], eligibility: .unknown),
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
        groupID: "g", in: histories, areComplete: question.areComplete, at: Moment.now)
        == question.eligibility)
  }
}
