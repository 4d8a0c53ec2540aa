internal import HTTPMessages
internal import JSONValues
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperHTTP
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension DeskSite {
  /// The pages of acts: each shows first what it would change, and does it when its form comes back.
  var actPages: [PageAPI.Page] {
    [page("/act/{id}", showAct), form("/act/{id}", doAct), page("/acts", acts)]
  }

  /// The acts that the page of a customer offers, each on the identifier that the rows have.
  func acts(on file: CustomerFile) -> [DeskAct] {
    let account = file.holder
    var acts: [DeskAct] = []
    func add(
      _ kind: DeskAct.Kind, _ purchase: HeldPurchase, for user: AccountID, app: String? = nil
    ) {
      var act = DeskAct(kind)
      (act.account, act.purchase, act.app) = (user, purchase.id, app)
      acts.append(act)
    }
    for purchase in file.purchases {
      if desk.subscriptions != nil, let subscription = purchase.subscription {
        add(.refresh, purchase, for: account.id)
        if !desk.appStores.isEmpty, purchase.vendor == .apple {
          add(.reconcile, purchase, for: account.id)
        }
        if let owner = subscription.owner, account.isKnown(as: owner) {
          add(.unlink, purchase, for: owner)
        } else if subscription.owner == nil {
          add(.link, purchase, for: account.id)
        }
      }
      for association in purchase.associations
      where desk.entitlements != nil && account.isKnown(as: association.userID) {
        add(.dissociate, purchase, for: association.userID, app: association.bundleID)
      }
    }
    // Offered once in each app for each identifier that has something there.
    var asked: Set<[String]> = []
    for association in file.purchases.flatMap(\.associations)
    where desk.entitlements != nil && account.isKnown(as: association.userID)
      && asked.insert([association.userID.rawValue, association.bundleID]).inserted
    {
      var restoring = DeskAct(.restore)
      (restoring.account, restoring.app) = (association.userID, association.bundleID)
      acts.append(restoring)
    }
    for want in file.wanted { add(.link, want.purchase, for: account.id) }
    if desk.eraser != nil, !file.isEmpty {
      var erasure = DeskAct(.erase)
      erasure.account = account.id
      acts.append(erasure)
    }
    return acts
  }

  // MARK: Before

  private func showAct(
    _ request: PageRequest, _ session: DeskSession
  ) async throws -> HTTPResponseMessage {
    guard let kind = DeskAct.Kind(rawValue: request.id),
      let act = DeskAct(kind, { request.parameter($0) })
    else { return failurePage(.notFound) }
    return try await confirmation(of: try await desk.completed(act), session)
  }

  /// The page that shows what an act would change, with the form to do it for those who may.
  private func confirmation(
    of act: DeskAct, _ session: DeskSession, because refusal: String? = nil
  ) async throws -> HTTPResponseMessage {
    let preview = try await desk.preview(act)
    let keepsActs = try await desk.read { $0.common.acts != nil }
    let mayAct = session.member.role == .agent && preview.canBeDone && keepsActs
    let ticket = mayAct ? try ticket(act, preview, session) : nil
    return DeskPage(self, act.title, for: session) {
      if let refusal { p(.class("alert"), Attribute("role", "alert")) { refusal } }
      h2 { preview.canBeDone ? DeskText.wouldChange : DeskText.cannotBeDone }
      ul { for change in preview.changes { li { change } } }
      if let ticket {
        StorekeeperDesk.form(
          Attribute("method", "post"), .action(link("/act", act.kind.rawValue))
        ) {
          for (name, value) in act.query + ticket.fields {
            input(Attribute("name", name), .type("hidden"), .value(value))
          }
          p {
            label(Attribute("for", "reason")) { DeskText.reason }
            input(
              .id("reason"), .name("reason"), .required, Attribute("maxlength", "500"),
              Attribute("autocomplete", "off"))
          }
          p { button(.type("submit")) { DeskText.doIt } }
        }
      } else if preview.canBeDone {
        p { keepsActs ? DeskText.readersOnly : DeskText.notKept }
      }
      if let account = act.account {
        p { a(.href(link("/customers", account.rawValue))) { DeskText.cancel } }
      }
    }.response(refusal == nil ? .ok : 409)
  }

  // MARK: Forms

  /// The proof that a form was made by this page: for this member, this act, these facts, and not long ago.
  private struct Ticket {
    let form: String
    let end: Int
    let seal: String

    var fields: [(String, String)] { [("form", form), ("until", String(end)), ("seal", seal)] }
  }

  /// The time for which a form can be sent.
  private static let formLife = 3600

  private func ticket(
    _ act: DeskAct, _ preview: ActPreview, _ session: DeskSession
  ) throws -> Ticket {
    let form = hexadecimal(DeskAccess.randomBytes(16))
    let end = Int(access.now().timeIntervalSince1970) + Self.formLife
    let text = sealed(act, preview, session, form: form, end: end)
    return Ticket(form: form, end: end, seal: try access.seal(text))
  }

  /// The text that the seal of a form is of.
  private func sealed(
    _ act: DeskAct, _ preview: ActPreview, _ session: DeskSession, form: String, end: Int
  ) -> String {
    let parts =
      [session.id, session.member.name, act.kind.rawValue]
      + act.query.map { "\($0.0)=\($0.1)" } + [preview.facts, form, String(end)]
    // Each part with its length, so that no two lists have the same text.
    return parts.map { "\($0.utf8.count):\($0)" }.joined(separator: ",")
  }

  // MARK: Doing it

  private func doAct(
    _ request: PageRequest, _ session: DeskSession
  ) async throws -> HTTPResponseMessage {
    guard request.isFromOwnPage, session.member.role == .agent else {
      return failurePage(.forbidden)
    }
    guard let kind = DeskAct.Kind(rawValue: request.id), let fields = request.form(),
      let given = DeskAct(kind, { fields[$0] })
    else { return failurePage(.badRequest) }
    let act = try await desk.completed(given)
    guard let form = fields["form"], (1...64).contains(form.utf8.count), let seal = fields["seal"],
      let end = fields["until"].flatMap({ Int($0) }),
      let reason = fields["reason"].map({ String($0.trimmed) }),
      (1...2000).contains(reason.utf8.count)
    else { return try await confirmation(of: act, session, because: DeskText.reasonMissing) }
    // Who sends a form twice is told what the first one did.
    if let before = try await desk.read({ try await $0.acts.act(form: form) }) {
      return wasDone(before, session)
    }
    let preview = try await desk.preview(act)
    guard preview.canBeDone, access.now().timeIntervalSince1970 < Double(end),
      try access.isSeal(seal, of: sealed(act, preview, session, form: form, end: end))
    else { return try await confirmation(of: act, session, because: DeskText.staleForm) }
    return try await perform(act, form: form, because: reason, session)
  }

  private func perform(
    _ act: DeskAct, form: String, because reason: String, _ session: DeskSession
  ) async throws -> HTTPResponseMessage {
    let data = JSONValue.object(
      Dictionary(
        act.query.map { ($0.0, JSONValue.string($0.1)) } + [("reason", .string(reason))],
        uniquingKeysWith: { $1 }))
    let record = SupportAct(
      form: form, member: session.member.name, kind: act.kind.rawValue, account: act.account,
      data: String(decoding: data.serialized, as: UTF8.self), date: desk.now())
    // First of all, so that nothing is done that is not recorded, and a form that comes twice does nothing.
    let isNew = try await desk.context.store.write { try await $0.acts.begin(record) }
    guard isNew else { return wasDone(record, session) }
    var result = DeskText.done
    do {
      try await desk.perform(act, form: form, by: session.member.name)
    } catch {
      // The record has a word of the desk's own; the error itself is for the host's log.
      result = DeskText.failed(DeskText.failure(error))
      desk.context.tell(.sourceFailed(error))
    }
    let told = result
    do {
      try await desk.context.store.write { try await $0.acts.end(form: form, result: told) }
    } catch {
      desk.context.tell(.sourceFailed(error))
    }
    guard result == DeskText.done else {
      return try await confirmation(of: act, session, because: result)
    }
    // The name of an account that was erased stands in no address any more.
    guard act.kind != .erase, let account = act.account else { return redirect(to: link("/acts")) }
    return redirect(to: link("/customers", account.rawValue))
  }

  /// The page for a form that was sent before, which offers no other one.
  private func wasDone(_ act: SupportAct, _ session: DeskSession) -> HTTPResponseMessage {
    DeskPage(self, DeskText.usedForm, for: session) {
      p { DeskText.before(act.result) }
      p { a(.href(link("/acts"))) { DeskText.acts } }
    }.response(409)
  }

  // MARK: What was done

  private func acts(_ request: PageRequest, _ session: DeskSession) async throws
    -> HTTPResponseMessage
  {
    let before = request.parameter("before").flatMap { Int($0) }
    let list = try await desk.read { records in
      try await records.acts.acts(about: nil, before: before, limit: HeldPurchase.pageSize)
    }
    return DeskPage(self, DeskText.acts, for: session) {
      table(of: list)
      if list.count == HeldPurchase.pageSize, let last = list.last?.number {
        p { a(.href(link("/acts", nil, [("before", String(last))]))) { DeskText.earlier } }
      }
    }.response()
  }

  /// The table of acts, which the page of a customer has as well.
  func table(of acts: [SupportAct]) -> Markup {
    DeskTable(
      DeskText.acts,
      [
        DeskText.date, DeskText.who, DeskText.kind, DeskText.account, DeskText.reason,
        DeskText.result,
      ]
    ) {
      for act in acts {
        tr {
          td { moment(act.date) }
          td { act.member }
          td { act.kind }
          td {
            if let account = act.account {
              a(.href(link("/customers", account.rawValue))) { account.rawValue }
            }
          }
          td { act.reason }
          td { act.result ?? DeskText.unknownResult }
        }
      }
    }.markup
  }
}

extension SupportAct {
  /// The reason that the member gave.
  fileprivate var reason: String {
    guard case .object(let members)? = try? JSONValue(parsing: Array(data.utf8)),
      case .string(let text)? = members["reason"]
    else { return "" }
    return text
  }
}
