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
    case reconcile
    case restore
    case link
    case unlink
    case dissociate
    case book
    case answer
    case resend
    case discard
    case erase
  }

  let kind: Kind
  var account: AccountID?
  var purchase: String?
  var app: String?
  /// The number of a parked message.
  var number: Int?
  /// The number of credits to book, which may be negative.
  var amount: Int?
  /// The answer to a store's question.
  var answer: RefundAnswer?

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
      guard let value = Int(text), value != 0, (-1_000_000...1_000_000).contains(value) else {
        return nil
      }
      amount = value
    }
    if kind == .answer {
      guard let value = RefundAnswer(field) else { return nil }
      answer = value
    }
  }

  /// The fields that name what the act is about.
  var query: [(String, String)] {
    let fields: [(String, String?)] =
      [
        ("account", account?.rawValue), ("purchase", purchase), ("app", app),
        ("number", number.map(String.init)), ("amount", amount.map(String.init)),
      ] + (answer?.query ?? [])
    return fields.compactMap { field in field.1.map { (field.0, $0) } }
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

/// The reason why an act was not done.
enum DeskActFailure: Error, Hashable, Sendable {
  /// What it is about was not there any more, or the host does not serve it.
  case nothingDone
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
    case .reconcile:
      guard subscriptions != nil, !appStores.isEmpty, let id = act.purchase,
        TransactionIDs.vendor(of: id) == .apple
      else { return .refused(DeskText.notServed) }
      return ActPreview(changes: [DeskText.willReconcile(id)])
    case .restore:
      guard let entitlements, let user = act.account, let app = act.app,
        entitlements.apps[app] != nil
      else { return .refused(DeskText.notServed) }
      return ActPreview(changes: [DeskText.willRestore(user, app)])
    case .link, .unlink:
      guard let subscriptions, let id = act.purchase, let account = act.account else {
        return .refused(DeskText.notServed)
      }
      return try await preview(act.kind, id, account, try subscriptions.trial())
    case .dissociate: return try await previewDissociation(act)
    case .book:
      guard let credits, let user = act.account, let amount = act.amount else {
        return .refused(DeskText.notServed)
      }
      guard try await context.accounts.account(knownAs: user)?.id == user else {
        return .refused(DeskText.noSuchAccount)
      }
      let balance = try await credits.balance(of: user)
      return ActPreview(
        changes: [DeskText.willBook(amount, balance: balance)], canBeDone: balance + amount >= 0,
        facts: String(balance))
    case .answer:
      guard let answer = act.answer else { return .refused(DeskText.notServed) }
      return try await preview(of: answer)
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
    case .erase:
      guard let eraser, let user = act.account else { return .refused(DeskText.notServed) }
      let rows = try await eraser.preview(of: user).rows
      return rows.isEmpty
        ? .refused(DeskText.nothingFound)
        : ActPreview(changes: DeskText.willErase(rows), facts: "\(rows.values.reduce(0, +))")
    }
  }

  /// Returns what a link or an unlink would change, which the service decides itself and then undoes.
  private func preview(
    _ kind: DeskAct.Kind, _ id: String, _ user: AccountID, _ trial: SubscriptionService
  ) async throws -> ActPreview {
    let account = try await context.accounts.account(knownAs: user) ?? Account(id: user)
    let (before, owner) = try await read { records in
      let found = try await records.find([id], account: account)
      return (
        found.memberships.filter { $0.account.map(account.isSame) ?? false },
        found.subscriptions.first?.subscription.owner
      )
    }
    do {
      switch kind {
      case .link:
        let membership = try await trial.link(user, to: id, force: true)
        return ActPreview(
          changes: DeskText.link(id, user, from: before.first, to: membership),
          facts: "\(before), \(membership.plan), \(owner?.rawValue ?? "")")
      default:
        try await trial.unlink(user, from: id)
        let ended = before.first { $0.isIAP && $0.originalTransactionID == id }
        return ActPreview(
          changes: DeskText.unlink(id, ended), facts: "\(before), \(owner?.rawValue ?? "")")
      }
    } catch let failure as SubscriptionFailure {
      return .refused(DeskText.failure(failure))
    }
  }

  private func previewDissociation(_ act: DeskAct) async throws -> ActPreview {
    guard entitlements != nil, let id = act.purchase, let user = act.account, let app = act.app
    else { return .refused(DeskText.notServed) }
    let rows = try await read { records in
      var rows: [PurchaseAssociation] = []
      for environment in [AppStoreEnvironment.production, .sandbox] {
        rows += try await records.associations.find([id], environment: environment)
      }
      return rows
    }
    guard rows.contains(where: { $0.userID == user && $0.bundleID == app }) else {
      return .refused(DeskText.notAssociated)
    }
    return ActPreview(changes: [DeskText.willDissociate(id, user, app)], facts: "\(rows)")
  }

  /// Does an act.
  ///
  /// - Throws: ``DeskActFailure/nothingDone``, or the failure of the service that does it.
  func perform(_ act: DeskAct, form: String, by member: String) async throws {
    let isDone: Bool
    switch (act.kind, act.account, act.purchase) {
    case (.refresh, _, let id?):
      isDone = try await subscriptions?.refresh(id) != nil
    case (.reconcile, _, let id?):
      isDone = try await subscriptions?.reconcile(id, withAnyOf: appStores) != nil
    case (.restore, let account?, _):
      let answer = try await entitlements?.restore(account, in: act.app ?? "")
      guard answer?.failed.isEmpty ?? true else { throw SubscriptionFailure.sourceFailed }
      isDone = answer != nil
    case (.link, let account?, let id?):
      isDone = try await subscriptions?.link(account, to: id, force: true) != nil
    case (.unlink, let account?, let id?):
      isDone = try await subscriptions?.unlink(account, from: id) != nil
    case (.dissociate, let account?, let id?):
      isDone = try await entitlements?.dissociate(id, from: account, in: act.app ?? "") ?? false
    case (.book, let account?, _):
      let booking = LedgerBooking(
        userID: account, eventID: "desk:\(form)", changeType: "support", subjectType: "desk",
        subjectID: member, amount: act.amount ?? 0)
      isDone = try await credits?.book(booking) != nil
    case (.answer, _, _):
      guard let answer = act.answer else { throw DeskActFailure.nothingDone }
      isDone = try await give(answer)
    case (.resend, _, _):
      let number = act.number ?? 0
      isDone = try await context.store.write { try await $0.outbox.sendAgain(number) }
    case (.discard, _, _):
      let number = act.number ?? 0
      isDone = try await context.store.write { try await $0.outbox.discard(number) }
    case (.erase, let account?, _):
      isDone = try await eraser?.erase(account, reference: form).pseudonym != nil
    default: isDone = false
    }
    guard isDone else { throw DeskActFailure.nothingDone }
  }
}

extension Membership {
  /// The plan and the last day, which tell two states of a membership apart.
  fileprivate var plan: String {
    "\(tier?.rawValue ?? "") \(cycle?.rawValue ?? "") \(expireDate.map { "\($0)" } ?? "")"
  }
}
