internal import CreditPolicy
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Something that a member of the support can do from a page.
struct DeskAct: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case refresh
    case link
    case unlink
    case dissociate
    case book
    case resend
    case discard
  }

  let kind: Kind
  var account: AccountID?
  var purchase: String?
  var app: String?
  /// The number of a parked message.
  var number: Int?
  /// The number of credits to book, which may be negative.
  var amount: Int?

  init(_ kind: Kind) { self.kind = kind }

  /// Creates an act of the fields of an address or a form; nil if one of them is malformed.
  init?(_ kind: Kind, _ field: (String) -> String?) {
    self.kind = kind
    if let text = field("account") {
      guard let id = try? AccountID(opaque: text) else { return nil }
      account = id
    }
    if let text = field("purchase") {
      guard TransactionIDs.areStorable(text) else { return nil }
      purchase = text
    }
    app = field("app")
    if let text = field("number") {
      guard let value = Int(text), value > 0 else { return nil }
      number = value
    }
    if let text = field("amount") {
      guard let value = Int(text), value != 0, abs(value) <= 1_000_000 else { return nil }
      amount = value
    }
  }

  /// The fields that name what the act is about.
  var query: [(String, String)] {
    [
      ("account", account?.rawValue), ("purchase", purchase), ("app", app),
      ("number", number.map(String.init)), ("amount", amount.map(String.init)),
    ].compactMap { field in field.1.map { (field.0, $0) } }
  }

  /// The act in words, for a link to it.
  var title: String { DeskText.act(self) }
}

/// The changes that an act would make as things are.
struct ActPreview: Sendable {
  /// The changes in words; or why nothing can be done.
  var changes: [String]
  /// Whether the act can be done.
  var canBeDone = true
  /// The facts that the changes follow from: a form that was made of others is stale.
  var facts = ""

  static func refused(_ reason: String) -> ActPreview {
    ActPreview(changes: [reason], canBeDone: false)
  }
}

extension Desk {
  /// Returns what an act would change as things are.
  ///
  /// - Throws: An error of the store or of the host's accounts.
  func preview(_ act: DeskAct) async throws -> ActPreview {
    switch act.kind {
    case .refresh:
      guard subscriptions != nil, let id = act.purchase else { return .refused(DeskText.notServed) }
      return ActPreview(changes: [DeskText.willRefresh(id)])
    case .link: return try await previewLink(act)
    case .unlink: return try await previewUnlink(act)
    case .dissociate:
      guard entitlements != nil, let id = act.purchase, let account = act.account, let app = act.app
      else { return .refused(DeskText.notServed) }
      return ActPreview(changes: [DeskText.willDissociate(id, account, app)])
    case .book:
      guard let credits, let account = act.account, let amount = act.amount else {
        return .refused(DeskText.notServed)
      }
      let balance = try await credits.balance(of: account)
      return ActPreview(
        changes: [DeskText.willBook(amount, balance: balance)], canBeDone: balance + amount >= 0,
        facts: String(balance))
    case .resend, .discard:
      guard let number = act.number else { return .refused(DeskText.notServed) }
      let found = try await read { try await $0.outbox.parked(after: number - 1, limit: 1) }
      guard let message = found.first, message.number == number else {
        return .refused(DeskText.notParked)
      }
      let kind = message.message.kind.rawValue
      return ActPreview(
        changes: [act.kind == .resend ? DeskText.willResend(kind) : DeskText.willDiscard(kind)],
        facts: "\(message.failures)")
    }
  }

  private func previewLink(_ act: DeskAct) async throws -> ActPreview {
    guard let subscriptions, let id = act.purchase, let user = act.account else {
      return .refused(DeskText.notServed)
    }
    guard let account = try await context.accounts.account(knownAs: user) else {
      return .refused(DeskText.nothingKnown(false))
    }
    let now = now()
    let decision = try await read { records -> LinkDecision? in
      let found = try await records.find([id], account: account)
      guard let stored = found.subscriptions.first?.subscription else { return nil }
      var options = try await subscriptions.options.ending(in: records)
      // Support shows no evidence.
      options.transfer = .never
      var proposal = LinkProposal(
        account: account, subscription: stored, rows: found.memberships, force: true,
        options: options)
      let key = PurchaseKey(originalTransactionID: id, environment: stored.environment)
      var owners = PurchaseOwners(in: records)
      try await owners.find([key])
      let foreign = owners.owners(of: key).first { !account.isKnown(as: $0) }
      if stored.owner == nil, let foreign {
        (proposal.isOwnedElsewhere, proposal.ownerElsewhere) = (true, foreign)
      }
      return proposal.decision(at: now)
    }
    guard let decision else { return .refused(DeskText.nothingFound) }
    return ActPreview(decision)
  }

  private func previewUnlink(_ act: DeskAct) async throws -> ActPreview {
    guard let subscriptions, let id = act.purchase, let user = act.account else {
      return .refused(DeskText.notServed)
    }
    let now = now()
    let decision = try await read { records -> LinkDecision? in
      let found = try await records.find([id], account: nil)
      guard let stored = found.subscriptions.first?.subscription else { return nil }
      return UnlinkProposal(
        account: Account(id: user), subscription: stored,
        subscriptionMembership: found.memberships.first { $0.originalTransactionID == id },
        options: try await subscriptions.options.ending(in: records)
      ).decision(at: now)
    }
    guard let decision else { return .refused(DeskText.nothingFound) }
    return ActPreview(decision)
  }

  /// Does an act.
  ///
  /// - Throws: The failure of the service that does it.
  func perform(_ act: DeskAct, form: String, by member: String, because reason: String) async throws
  {
    switch (act.kind, act.account, act.purchase) {
    case (.refresh, _, let id?): _ = try await subscriptions?.refresh(id)
    case (.link, let account?, let id?):
      _ = try await subscriptions?.link(account, to: id, force: true)
    case (.unlink, let account?, let id?): try await subscriptions?.unlink(account, from: id)
    case (.dissociate, let account?, let id?):
      if let app = act.app {
        _ = try await entitlements?.dissociate(id, from: account, in: app)
      }
    case (.book, let account?, _):
      guard let amount = act.amount else { return }
      _ = try await credits?.book(
        LedgerBooking(
          userID: account, eventID: "desk:\(form)", changeType: "support", subjectType: "desk",
          subjectID: member, amount: amount, metadata: ["reason": .string(reason)]))
    case (.resend, _, _):
      if let number = act.number {
        _ = try await context.store.write { try await $0.outbox.sendAgain(number) }
      }
    case (.discard, _, _):
      if let number = act.number {
        _ = try await context.store.write { try await $0.outbox.discard(number) }
      }
    default: break
    }
  }
}

extension ActPreview {
  fileprivate init(_ decision: LinkDecision) {
    if case .refuse(let refusal) = decision.outcome {
      self = .refused(DeskText.refusal(refusal))
      return
    }
    self.init(
      changes: decision.writes.compactMap(DeskText.write), facts: "\(decision.writes)")
    if changes.isEmpty { changes = [DeskText.nothingChanges] }
  }
}
