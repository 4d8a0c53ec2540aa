import LinkPolicy
import ReceiptModels

// The contract's rows O3 to O33, typed from its text. O1 and O2 are decided before the policy.

private typealias Scene = OutcomeRow.Scene

/// Subscriptions of each state, without owner and with the account as owner.
private let active: [Subscription] = [
  .wanted(), .wanted(renews: false), .wanted(owner: "ftc-1"),
  // Past by 60 days, and renewing: still active.
  .wanted(ends: "2020-09-15T23:59:59Z"),
]
private let expired: [Subscription] = [
  .wanted(ends: "2020-11-13T23:59:59Z", renews: false),
  // Past by 61 days: renewing does not help.
  .wanted(ends: "2020-09-14T23:59:59Z"), .wanted(ends: "2020-09-14T12:00:00Z", owner: "ftc-1"),
]

private func scenes(
  _ subscriptions: [Subscription], _ rows: [[Membership]] = [[]]
) -> [Scene] {
  subscriptions.flatMap { subscription in rows.map { Scene(subscription, $0) } }
}

private let methods: [PayMethod?] = [.alipay, .wechat, .stripe, .b2b]
private let validOthers = methods.map { [Membership.paid($0, until: "2021-03-01")] }
private let expiredOthers: [[Membership]] =
  (methods + [nil]).map { [.paid($0, until: "2020-11-13")] }
  + [[.paid(.alipay, until: nil)], [.paid(nil, until: nil)], [.paid(nil, until: "2019-01-01")]]

private func iapOther(_ day: String, renews: Bool = false) -> [Membership] {
  [.iap(asking, "2000", until: day, renews: renews)]
}
private let someoneElses = Membership.iap(other)
private let staleElsewhere: [[Membership]] = (methods + [nil]).map {
  [.paid($0, other, until: "2021-03-01", stale: "1000")]
}

private let sandbox = Subscription.wanted(environment: .sandbox)
private let theirs = Subscription.wanted(owner: "ftc-2")

private let iapMembership = OutcomeRow.Outcome.refuse(
  "iap_membership", "already_linked", .unchanged, cheat: true)
private let iapMembershipNull = OutcomeRow.Outcome.refuse(
  "iap_membership", "already_linked", .staysNull, cheat: true)
private let alreadyLinked = OutcomeRow.Outcome.refuse("ftc_membership", "already_linked", .own)
private let validNonIAP = OutcomeRow.Outcome.refuse("ftc_membership", "valid_non_iap", .own)
private let hasValidNonIAP = OutcomeRow.Outcome.refuse("ftcId", "has_valid_non_iap", .own)
private let linkedToOtherIAP = OutcomeRow.Outcome.refuse("ftcId", "linked_to_other_iap", .own)

let outcomeTable: [OutcomeRow] = [
  OutcomeRow(
    "O3", .refuse("originalTxId", "environment_not_allowed", .unchanged),
    in2019: .refuse("receipt-data", "invalid", .unchanged),
    scenes(
      [
        sandbox, .wanted(owner: "ftc-1", environment: .sandbox),
        .wanted(owner: "ftc-2", environment: .sandbox),
      ],
      [[], [.iap()], [someoneElses], iapOther("2021-03-01")] + validOthers + staleElsewhere)),
  OutcomeRow(
    "O4", .refuse("originalTxId", "linked_to_other_ftc", .unchanged, cheat: true),
    in2019: iapMembership,
    scenes(
      [theirs, .wanted(ends: "2020-01-01T00:00:00Z", owner: "ftc-2")],
      [[], [.iap()], [someoneElses], iapOther("2021-03-01")] + validOthers + expiredOthers)),
  OutcomeRow("O5", .insert(.own, .no, .yes), scenes(active)),
  OutcomeRow("O6", .insert(.own, .no, .marked), scenes(expired)),
  OutcomeRow("O7", .insert(.own, .other, .yes), scenes(active, staleElsewhere)),
  OutcomeRow(
    "O8", .refuse("originalTxId", "linked_to_other_ftc", .staysNull, cheat: true),
    in2019: iapMembershipNull,
    scenes(
      [.active, .expired],
      ([[]] + validOthers + expiredOthers).map { $0 + [someoneElses] }
        + [[.iap(other, until: "2020-01-01", renews: false)]])),
  OutcomeRow(
    "O9", .refuse("originalTxId", "linked_to_other_ftc", .staysNull, cheat: true),
    in2019: iapMembershipNull,
    scenes(
      [.active, .expired],
      [iapOther("2021-03-01") + [someoneElses], iapOther("2020-01-01") + [someoneElses]])),
  OutcomeRow(
    "O10", .keep(.own, .no, .no),
    scenes(
      [
        .wanted(owner: "ftc-1"), .wanted(ends: "2021-06-15T00:00:00Z", owner: "ftc-1"),
        .wanted(ends: "2021-06-15T23:59:59Z", owner: "ftc-1"),
      ], [[.iap()]])),
  OutcomeRow(
    "O11", .sync(.own, .own, .no),
    scenes(
      [.wanted(), .wanted(owner: "ftc-1")],
      [[.iap(until: "2021-06-14")], [.iap(until: "2020-01-01")], [.iap { $0.expireDate = nil }]])),
  OutcomeRow(
    "O12", .sync(.own, .own, .no),
    scenes([.wanted(), .wanted(owner: "ftc-1")], [[.iap(until: "2021-06-16")]])),
  OutcomeRow(
    "O13", .sync(.own, .own, .no),
    scenes(
      [.wanted(), .wanted(owner: "ftc-1")],
      [
        [.iap { $0.tier = .premium }], [.iap { $0.cycle = .month }], [.iap { $0.cycle = nil }],
        [.iap(renews: false)],
      ])),
  OutcomeRow("O14", .keep(.own, .no, .no), scenes([.wanted()], [[.iap()]])),
  OutcomeRow(
    "O15", force: [false], linkedToOtherIAP, in2019: alreadyLinked,
    scenes(active, [iapOther("2021-03-01"), iapOther("2020-11-14")])),
  OutcomeRow(
    "O16", force: [false], linkedToOtherIAP, in2019: .replace(.own, .own, .yes),
    scenes(active, [iapOther("2020-11-13"), iapOther("2020-09-14", renews: true)])),
  OutcomeRow(
    "O17", force: [false], linkedToOtherIAP, in2019: alreadyLinked,
    scenes(
      active, [iapOther("2020-11-13", renews: true), iapOther("2020-09-15", renews: true)])),
  OutcomeRow(
    "O18", force: [true], .replace(.own, .own, .yes), in2019: alreadyLinked,
    scenes(
      [.wanted(), .wanted(ends: "2021-06-15T00:00:00Z", owner: "ftc-1")],
      [iapOther("2021-06-15"), iapOther("2021-06-14"), iapOther("2020-11-14")])),
  OutcomeRow(
    "O19", force: [true], strict: [false], .replace(.own, .own, .yes), in2019: alreadyLinked,
    scenes([.wanted(), .wanted(owner: "ftc-1")], [iapOther("2021-06-16")])),
  OutcomeRow(
    "O19, expired", force: [true], strict: [false], .replace(.own, .own, .marked),
    in2019: alreadyLinked, scenes(expired, [iapOther("2021-06-16")])),
  OutcomeRow(
    "O20", force: [true], strict: [true], .refuse("originalTxId", "expires_earlier", .own),
    in2019: alreadyLinked, scenes(active + expired, [iapOther("2021-06-16")])),
  OutcomeRow(
    "O20, membership expired", force: [true], strict: [true],
    .refuse("originalTxId", "expires_earlier", .own), in2019: .replace(.own, .own, .marked),
    scenes([.wanted(ends: "2020-08-01T00:00:00Z")], [iapOther("2020-11-13")])),
  OutcomeRow(
    "O21", force: [true], strict: [false], .replace(.own, .own, .yes),
    scenes(active, [iapOther("2020-11-13"), iapOther("2020-09-14", renews: true)])),
  OutcomeRow(
    "O21, expired", force: [true], strict: [false], .replace(.own, .own, .marked),
    scenes(expired, [iapOther("2020-11-13")])),
  OutcomeRow(
    "O22", hasValidNonIAP, in2019: validNonIAP, scenes(active + expired, validOthers)),
  OutcomeRow(
    "O23", hasValidNonIAP, in2019: validNonIAP,
    scenes(active, [[.paid(.alipay, until: "2020-11-14")]])),
  OutcomeRow(
    "O24", .replace(.own, .own, .yes), scenes(active, [[.paid(.alipay, until: "2020-11-13")]])),
  OutcomeRow(
    "O25", hasValidNonIAP, in2019: validNonIAP,
    scenes(
      active,
      [
        [.paid(.stripe, until: "2020-09-15", renews: true)],
        [.paid(.stripe, until: "2020-11-13", renews: true)],
      ])),
  OutcomeRow(
    "O26", .replace(.own, .own, .yes),
    scenes(active, [[.paid(.stripe, until: "2020-09-14", renews: true)]])),
  OutcomeRow(
    "O27", .replace(.own, .own, .yes), in2019: validNonIAP,
    scenes(
      [.wanted(), .wanted(owner: "ftc-1"), .wanted(ends: "2021-06-15T00:00:00Z")],
      [[.paid(nil, until: "2021-06-14")], [.paid(nil, until: "2020-11-14")]])),
  OutcomeRow(
    "O28", .replace(.own, .own, .yes), in2019: validNonIAP,
    scenes(
      [.wanted(), .wanted(ends: "2021-06-15T00:00:01Z")], [[.paid(nil, until: "2021-06-15")]])),
  OutcomeRow(
    "O29", hasValidNonIAP, in2019: validNonIAP,
    scenes([.wanted(ends: "2021-06-15T00:00:00Z")], [[.paid(nil, until: "2021-06-15")]])),
  OutcomeRow(
    "O30", hasValidNonIAP, in2019: validNonIAP,
    scenes(active + expired, [[.paid(nil, until: "2021-06-16")]])),
  OutcomeRow("O31", .replace(.own, .own, .yes), scenes(active, expiredOthers)),
  OutcomeRow("O31, expired", .replace(.own, .own, .marked), scenes(expired, expiredOthers)),
  OutcomeRow(
    "O32", hasValidNonIAP, in2019: validNonIAP,
    scenes(active + expired, [[.paid(.alipay, until: "2021-03-01", stale: "1000")]])),
  OutcomeRow(
    "O33", .replace(.own, .own, .yes),
    scenes(active, [[.paid(.alipay, until: "2020-11-13", stale: "1000")]])),
]
