import LinkPolicy
import ReceiptModels

extension OutcomeTableRow {
  /// O3 to O33; the policy is not asked for O1 and O2.
  static let all: [OutcomeTableRow] = beforeMemberships + sameMembership + appleMemberships + others

  private static let active = subscription()
  private static let expired = subscription(ends: "2020-10-01T10:30:00Z", renews: false)
  private static let same = row(.apple, until: "2021-06-15", renews: true, appleID: "1000")
  private static let someoneElses = row(.apple, until: "2021-06-15", appleID: "1000", ofOther: true)
  private static let methods: [PayMethod] = [.alipay, .wechat, .stripe, .b2b]

  private static func iapOther(until day: String, renews: Bool = false) -> Membership? {
    row(.apple, until: day, renews: renews, appleID: "2000")
  }

  private static func cases(
    _ subscriptions: [Subscription], _ rows: [Membership?], holder: Membership? = nil
  ) -> [Case] {
    subscriptions.flatMap { subscription in
      rows.map { Case(subscription: subscription, ofAccount: $0, ofSubscription: holder) }
    }
  }

  private static func sameCases(
    _ row: Membership?, _ subscriptions: [Subscription] = [active]
  ) -> [Case] {
    subscriptions.map { Case(subscription: $0, ofAccount: row, ofSubscription: row) }
  }

  private static let beforeMemberships: [OutcomeTableRow] = [
    OutcomeTableRow(
      "O3", "any", "any", "Sandbox, which is not allowed",
      cases([subscription(in: .sandbox)], [nil, row(.alipay, until: "2021-03-01")])
        + cases([subscription(in: .sandbox)], [nil], holder: someoneElses)),
    OutcomeTableRow(
      "O4", "any", "any", "owner is another account",
      cases([subscription(owner: "ftc-2")], [nil, row(.alipay, until: "2021-03-01")])
        + cases([subscription(owner: "ftc-2")], [nil], holder: someoneElses)),
    OutcomeTableRow("O5", "none", "none", "active", cases([active], [nil])),
    OutcomeTableRow("O6", "none", "none", "expired", cases([expired], [nil])),
    OutcomeTableRow(
      "O7", "none", "none, but a stale id on another account's", "active",
      cases(
        [active], [nil],
        holder: row(.alipay, until: "2021-03-01", appleID: "1000", ofOther: true))),
    OutcomeTableRow(
      "O8", "none, or not Apple's, valid or expired", "another account's", "active",
      cases(
        [active], [nil, row(.alipay, until: "2021-03-01"), row(nil, until: "2020-01-01")],
        holder: someoneElses)),
    OutcomeTableRow(
      "O9", "another Apple subscription's", "another account's", "active",
      cases([active], [iapOther(until: "2021-03-01")], holder: someoneElses)),
  ]

  private static let sameMembership: [OutcomeTableRow] = [
    OutcomeTableRow(
      "O10", "same row", "same row", "owner is the account; same day, other hour",
      sameCases(same, [subscription(ends: "2021-06-15T23:59:59Z", owner: "ftc-1")])),
    OutcomeTableRow(
      "O11", "same row", "same row", "later day",
      sameCases(row(.apple, until: "2021-05-15", renews: true, appleID: "1000"))),
    OutcomeTableRow(
      "O12", "same row", "same row", "earlier day",
      sameCases(row(.apple, until: "2021-07-15", renews: true, appleID: "1000"))),
    OutcomeTableRow(
      "O13", "same row", "same row", "same day; renewal differs",
      sameCases(row(.apple, until: "2021-06-15", renews: false, appleID: "1000"))),
    OutcomeTableRow("O14", "same row", "same row", "as O10, without owner", sameCases(same)),
  ]

  private static let appleMemberships: [OutcomeTableRow] = [
    OutcomeTableRow(
      "O15", "another Apple subscription's, valid", "none", "active", force: false,
      cases([active], [iapOther(until: "2021-03-01")])),
    OutcomeTableRow(
      "O16", "another Apple subscription's, expired", "none", "active", force: false,
      cases([active], [iapOther(until: "2020-11-13")])),
    OutcomeTableRow(
      "O17", "another Apple subscription's, kept by renewal", "none", "active", force: false,
      cases([active], [iapOther(until: "2020-11-01", renews: true)])),
    OutcomeTableRow(
      "O18", "another Apple subscription's, valid", "none", "ends the same day or later",
      force: true, cases([active], ["2021-06-15", "2021-03-01"].map { iapOther(until: $0) })),
    OutcomeTableRow(
      "O19", "another Apple subscription's, valid", "none", "ends earlier; strict off",
      force: true, strict: false, cases([active, expired], [iapOther(until: "2021-07-15")])),
    OutcomeTableRow(
      "O20", "another Apple subscription's, valid or expired", "none",
      "ends earlier; strict **on**", force: true, strict: true,
      cases([active, expired], [iapOther(until: "2021-07-15")])
        + cases([expired], [iapOther(until: "2020-11-13")])),
    OutcomeTableRow(
      "O21", "another Apple subscription's, expired", "none", "active or expired; strict off",
      force: true, strict: false, cases([active, expired], [iapOther(until: "2020-11-13")])),
  ]

  private static let others: [OutcomeTableRow] = [
    OutcomeTableRow(
      "O22", "alipay, wechat, stripe or b2b, valid", "none", "active or expired",
      cases([active, expired], methods.map { row($0, until: "2021-03-01") })),
    OutcomeTableRow(
      "O23", "alipay, until today", "none", "active",
      cases([active], [row(.alipay, until: "2020-11-14")])),
    OutcomeTableRow(
      "O24", "alipay, until yesterday", "none", "active",
      cases([active], [row(.alipay, until: "2020-11-13")])),
    OutcomeTableRow(
      "O25", "stripe, kept by renewal", "none", "active",
      cases([active], [row(.stripe, until: "2020-09-15", renews: true)])),
    OutcomeTableRow(
      "O26", "stripe, renewal past the tolerance", "none", "active",
      cases([active], [row(.stripe, until: "2020-09-14", renews: true)])),
    OutcomeTableRow(
      "O27", "origin unknown, valid, until a day before the subscription's", "none", "active",
      cases([active], [row(nil, until: "2021-06-14")])),
    OutcomeTableRow(
      "O28", "origin unknown, valid, until the subscription's day", "none",
      "active, ends after 00:00:00Z", cases([active], [row(nil, until: "2021-06-15")])),
    OutcomeTableRow(
      "O29", "origin unknown, valid, until the subscription's day", "none",
      "active, ends at 00:00:00Z",
      cases([subscription(ends: "2021-06-15T00:00:00Z")], [row(nil, until: "2021-06-15")])),
    OutcomeTableRow(
      "O30", "origin unknown, valid, until after the subscription's day", "none",
      "active or expired", cases([active, expired], [row(nil, until: "2021-06-16")])),
    OutcomeTableRow(
      "O31", "not Apple's, expired", "none", "active or expired",
      cases([active, expired], ([nil] + methods).map { row($0, until: "2020-11-13") })),
    OutcomeTableRow(
      "O32", "alipay, valid, with the stale id", "none", "active or expired",
      sameCases(row(.alipay, until: "2021-03-01", appleID: "1000"), [active, expired])),
    OutcomeTableRow(
      "O33", "alipay, expired, with the stale id", "none", "active",
      sameCases(row(.alipay, until: "2020-11-13", appleID: "1000"))),
  ]
}
