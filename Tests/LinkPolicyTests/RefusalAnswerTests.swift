import StorekeeperHTTP
import LinkPolicy
import Testing

@Suite("Answers of refusals")
struct RefusalAnswerTests {
  /// Refusal, field, code and message, as the contract prints them (sections 2.2, 3.1, 6.4 and 6.5).
  static let current: [(LinkRefusal, String, String, String)] = [
    (
      .linkedToOtherAccount, "originalTxId", "linked_to_other_ftc",
      "Apple subscription is already claimed by another ftc account."
    ),
    (
      .linkedToOtherSubscription, "ftcId", "linked_to_other_iap",
      "FTC account is already linked to another Apple subscription"
    ),
    (
      .hasValidNonIAP, "ftcId", "has_valid_non_iap",
      "FTC account already has a valid membership via non-Apple channel"
    ),
    (
      .environmentNotAllowed, "originalTxId", "environment_not_allowed",
      "Subscriptions of this environment cannot be linked here"
    ),
    (
      .expiresEarlier, "originalTxId", "expires_earlier",
      "The Apple subscription expires earlier than the current membership"
    ),
    (.notLinked, "ftcId", "invalid", "IAP is not linked to the ftc account"),
    (
      .accountTokenMismatch, "originalTxId", "account_token_mismatch",
      "The Apple subscription was bought for another account"
    ),
  ]
  static let of2019: [(LinkRefusal, String, String, String)] = [
    (
      .linkedToOtherAccount, "iap_membership", "already_linked",
      "one apple subscription cannot be linked to multiple FTC account"
    ),
    (
      .linkedToOtherSubscription, "ftc_membership", "already_linked",
      "target ftc account is already linked to another apple subscription"
    ),
    (
      .hasValidNonIAP, "ftc_membership", "valid_non_iap",
      "target ftc account already has a valid membership"
    ),
    (
      .environmentNotAllowed, "receipt-data", "invalid", "verification response is not valid"
    ),
  ]

  @Test("are those of the contract that is spoken")
  func answers() {
    #expect(Set(Self.current.map(\.0)) == Set(LinkRefusal.allCases))
    for (contract, rows) in [(LinkContract.current, Self.current), (.legacy, Self.of2019)] {
      for (refusal, field, code, message) in rows {
        let answer = contract == .current ? RefusalAnswer.current(refusal) : .legacy(refusal)
        #expect(answer.status == 422)
        #expect(answer.field == field)
        #expect(answer.code == code)
        #expect(answer.message == message)
      }
    }
  }
}
