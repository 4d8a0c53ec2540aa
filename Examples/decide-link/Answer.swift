import StorekeeperHTTP
import LinkPolicy
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

/// What is decided about a question.
struct Answer {
  var decision: LinkDecision
  /// Which refusal the contract answers with; nil if nothing is refused.
  var refusal: RefusalAnswer?
  private var action: Question.Action

  init(to question: Question) {
    action = question.action
    decision = question.decision
    if case .refuse(let reason) = decision.outcome {
      refusal = question.contract == .current ? .current(reason) : .legacy(reason)
    }
  }

  /// One line of JSON, its members in this order.
  var line: [UInt8] {
    Array(json: [
      ("decision", .string(decision.outcome.name)),
      ("field", refusal.map { .string($0.field) } ?? .null),
      ("code", refusal.map { .string($0.code) } ?? .null),
      ("status", .integer(status)),
      ("writes", .array(writes.map(JSONValue.string))),
      ("membership", decision.membership.map { MembershipBody($0).json } ?? .null),
    ])
  }

  /// What is written, each kind once.
  var writes: [String] {
    let names = Set(decision.writes.map(\.name))
    return ["claim", "membership", "snapshot", "dispute", "archive", "email"]
      .filter(names.contains)
  }

  private var status: Int { refusal?.status ?? (action == .unlink ? 204 : 200) }
}

extension Question {
  var decision: LinkDecision {
    switch action {
    case .link:
      guard let account else { return LinkDecision(outcome: .unchanged) }
      var proposal = LinkProposal(
        account: account, subscription: subscription, accountMembership: accountMembership,
        subscriptionMembership: subscriptionMembership, force: force, options: options)
      proposal.transferDates = transferDates
      return proposal.decision(at: now)
    case .unlink: return unlinkDecision
    case .sync:
      return SyncProposal(
        subscription: subscription, membership: carrier, reason: .verify, options: options
      ).decision(at: now)
    }
  }

  /// Also of an account whose membership is another than the deleted one.
  private var unlinkDecision: LinkDecision {
    var decision = UnlinkProposal(
      by: contract == .current ? .ownership : .receipt, account: account,
      subscription: subscription, subscriptionMembership: carrier,
      options: options
    ).decision(at: now)
    let isDeleted = decision.writes.contains { write in
      if case .delete(let row) = write {
        row.accountID == accountMembership?.accountID
      } else {
        false
      }
    }
    if decision.membership == nil, !isDeleted { decision.membership = accountMembership }
    return decision
  }

  /// The row that carries the subscription's id; it may have been named as the account's only.
  private var carrier: Membership? {
    subscriptionMembership
      ?? LinkProposal.subscriptionMembership(
        among: [accountMembership].compactMap(\.self), subscription: subscription)
  }
}

extension LinkOutcome {
  /// The name that the output has for it.
  var name: String {
    switch self {
    case .link: "link"
    case .sync: "sync"
    case .unchanged: "unchanged"
    case .switch: "switch"
    case .override: "override"
    case .transfer: "transfer"
    case .unlink: "unlink"
    case .refuse: "refuse"
    }
  }
}

extension LinkWrite {
  /// The name that the output has for it.
  fileprivate var name: String {
    switch self {
    case .claim: "claim"
    case .insert, .update, .delete: "membership"
    case .snapshot: "snapshot"
    case .dispute: "dispute"
    case .archive: "archive"
    case .email: "email"
    }
  }
}
