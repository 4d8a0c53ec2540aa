internal import CreditPolicy
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The page of one account: what it has, and why.
struct CustomerPage {
  let desk: DeskSite
  let file: CustomerFile
  let session: DeskSession
  let ledgerPage: Int

  @MarkupBuilder
  var content: Markup {
    p(.class("meta")) {
      DeskText.asOf(file.moment)
      if let email = file.emailAddress { " · \(email)" }
    }
    if !file.isNow { p { DeskText.pastOnly } }
    if file.isCut { p { DeskText.cut } }
    section {
      h2 { DeskText.why }
      ul(.class("findings")) { for finding in file.findings { item(finding) } }
    }
    if let timeline = Timeline(of: file.purchases, at: file.moment) {
      section {
        h2 { DeskText.timeline }
        timeline.markup
      }
    }
    actions
    if !file.purchases.isEmpty { purchases }
    if let credits = file.credits, credits.total > 0 { ledger(credits) }
    if !file.changes.isEmpty { history }
    if !file.events.isEmpty { events }
    if !file.messages.isEmpty { messages }
    if !file.acts.isEmpty {
      section {
        h2 { DeskText.acts }
        desk.table(of: file.acts)
      }
    }
    momentForm
  }

  private var events: Markup {
    section {
      h2 { DeskText.events }
      DeskTable(DeskText.events, [DeskText.date, DeskText.kind, DeskText.content]) {
        for event in file.events {
          tr {
            td { desk.moment(event.date) }
            td { event.type }
            td {
              details {
                summary { DeskText.show }
                pre { event.data }
              }
            }
          }
        }
      }.markup
    }
  }

  private var messages: Markup {
    section {
      h2 { DeskText.messages }
      DeskTable(
        DeskText.messages,
        [DeskText.number, DeskText.date, DeskText.kind, DeskText.purchase, DeskText.state]
      ) {
        for message in file.messages {
          tr {
            td { String(message.number) }
            td { desk.moment(message.createdDate) }
            td { message.message.kind.rawValue }
            td { message.message.originalTransactionID }
            td { DeskText.state(of: message) }
          }
        }
      }.markup
    }
  }

  private func item(_ finding: Finding) -> Markup {
    li([finding.tone.style]) {
      p { finding.sentence }
      p(.class("meta")) {
        if let source = finding.source { DeskText.source(source.vendor, source.asOf) + " " }
        desk.rule(finding.rule)
        if let purchase = finding.purchase {
          " · "
          a(.href(desk.purchaseLink(purchase.id, purchase.environment))) { purchase.id }
        }
        if let account = finding.account {
          " · "
          a(.href(desk.link("/customers", account.rawValue))) {
            "\(DeskText.account) \(account.rawValue)"
          }
        }
      }
    }
  }

  // MARK: Acts

  private var actions: Markup? {
    guard session.member.role == .agent, file.isNow else { return nil }
    let acts = desk.acts(on: file)
    guard !acts.isEmpty else { return nil }
    return ul(.class("actions")) {
      for act in acts {
        li { a(.href(desk.link("/act", act.kind.rawValue, act.query))) { act.title } }
      }
    }
  }

  // MARK: Tables

  private var purchases: Markup {
    section {
      h2 { DeskText.purchases }
      DeskTable(
        DeskText.purchases,
        [
          DeskText.product, DeskText.state, DeskText.bought, DeskText.ends, DeskText.environment,
          DeskText.transaction,
        ]
      ) {
        for purchase in file.purchases {
          let summary = file.summary(of: purchase)
          tr {
            td { DeskText.product(purchase.productID ?? "", of: purchase.vendor) }
            td { summary?.state.name ?? "" }
            td { desk.moment(summary?.transaction.purchaseDate) }
            td { desk.moment(summary?.transaction.expiresDate) }
            td { purchase.environment.rawValue }
            td {
              a(.href(desk.purchaseLink(purchase.id, purchase.environment))) { purchase.id }
            }
          }
        }
      }.markup
    }
  }

  private func ledger(_ credits: CustomerFile.CreditFile) -> Markup {
    section {
      h2 { DeskText.ledger }
      DeskTable(
        DeskText.ledger,
        [DeskText.date, DeskText.kind, DeskText.amount, DeskText.balanceWord, DeskText.reason]
      ) {
        for entry in credits.entries {
          tr {
            td { desk.moment(entry.createdDate) }
            td { entry.booking.changeType.rawValue }
            td { String(entry.booking.amount) }
            td { String(entry.balanceAfter) }
            td { "\(entry.booking.subjectType) \(entry.booking.subjectID)" }
          }
        }
      }.markup
      pages(credits)
    }
  }

  private func pages(_ credits: CustomerFile.CreditFile) -> Markup {
    ul(.class("actions")) {
      if ledgerPage > 1 {
        li { a(.href(page(ledgerPage - 1))) { DeskText.later } }
      }
      if ledgerPage * HeldPurchase.pageSize < credits.total {
        li { a(.href(page(ledgerPage + 1))) { DeskText.earlier } }
      }
    }
  }

  private func page(_ number: Int) -> DeskLink {
    desk.link("/customers", file.id.rawValue, [("page", String(number))])
  }

  private var history: Markup {
    section {
      h2 { DeskText.history }
      DeskTable(DeskText.history, [DeskText.date, DeskText.kind, DeskText.transaction]) {
        for change in file.changes {
          tr {
            td { desk.moment(change.date) }
            td { change.kind.word }
            td { change.originalTransactionID ?? "" }
          }
        }
      }.markup
    }
  }

  private var momentForm: Markup {
    form(Attribute("method", "get"), .action(desk.link("/customers", file.id.rawValue))) {
      p {
        label(Attribute("for", "at")) { DeskText.otherMoment }
        " "
        input(
          .id("at"), .name("at"), .type("date"),
          .value(String(DeskText.moment(file.moment).prefix(10))))
        " "
        button(.type("submit")) { DeskText.show }
        if !file.isNow {
          " "
          a(.href(desk.link("/customers", file.id.rawValue))) { DeskText.now }
        }
      }
    }
  }
}

extension Finding.Tone {
  fileprivate var style: Attribute {
    switch self {
    case .good: .class("good")
    case .bad: .class("bad")
    case .notice: .class("notice")
    }
  }
}

extension MembershipEvent.Kind {
  /// The kind of a change, as the records name it.
  fileprivate var word: String {
    switch self {
    case .snapshot(_, let reason): reason.rawValue
    case .dispute: "dispute"
    case .unlink: "unlink"
    }
  }
}

/// A table that scrolls by itself where it is wider than the page.
struct DeskTable {
  private let title: String
  private let columns: [String]
  private let rows: Markup

  init(_ title: String, _ columns: [String], @MarkupBuilder rows: () -> Markup) {
    self.title = title
    self.columns = columns
    self.rows = rows()
  }

  var markup: Markup {
    guard !rows.isEmpty else { return p { DeskText.none } }
    return div(
      .class("scroll"), Attribute("tabindex", "0"), Attribute("role", "region"), .label(title)
    ) {
      table {
        thead { tr { for column in columns { th(Attribute("scope", "col")) { column } } } }
        tbody { rows }
      }
    }
  }
}
