import CreditPolicy
import ReceiptModels

/// A row of the table of notifications (credit rules, section 6).
struct NewsRow {
  var type: NotificationType
  var status: CreditTransaction.Status?

  static let all: [NewsRow] = types.flatMap { type in
    ([nil] + CreditTransaction.Status.allCases.map(Optional.some)).map {
      NewsRow(type: type, status: $0)
    }
  }

  private static let types: [NotificationType] = [
    .refund, .revoke, .didFailToRenew, .refundReversed, .didRenew,
  ]

  var markdown: String {
    let decision = decision
    let row = decision.transaction
    return RuleTables.row([
      "`\(type)`", Self.word(status), "`\(decision.outcome.rawValue)`",
      Self.word(row?.status ?? status), row.map { "\($0.refundRound)" } ?? "",
      decision.booking.map { "\($0.amount)" } ?? "",
      decision.booking.map { "`\($0.eventID)`" } ?? "",
    ])
  }

  private var decision: NoticeDecision {
    let stored = status.map { TableScene.stored($0, of: "u1") }
    guard let effect = CreditNotice.effect(of: type) else { return NoticeDecision(.ignoredType) }
    let proposal = NoticeProposal(notice: TableScene.news(type), effect: effect, stored: stored)
    return proposal.decision(balance: 25, refund: Self.refund)
  }

  /// The booking of the refund that took 25 credits.
  private static let refund = NoticeProposal(
    notice: TableScene.news(.refund), effect: .clawback,
    stored: TableScene.stored(.granted, of: "u1")
  ).decision(balance: 25, refund: nil).booking

  private static func word(_ status: CreditTransaction.Status?) -> String {
    status.map { "`\($0.rawValue)`" } ?? "none"
  }
}
