internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The page of one purchase: whose it is, its charges, and who else wanted it.
struct PurchasePage {
  let desk: DeskSite
  let purchase: HeldPurchase
  /// The page of the charges, from 1.
  let page: Int
  let now: Date
  let durations: [String: Duration]

  @MarkupBuilder
  var content: Markup {
    dl {
      dt { DeskText.product }
      dd { DeskText.product(purchase.productID ?? "", of: purchase.vendor) }
      dt { DeskText.environment }
      dd { purchase.environment.rawValue }
      dt { DeskText.state }
      dd { purchase.summary(at: now, durations: durations)?.state.name ?? DeskText.none }
      dt { DeskText.account }
      dd {
        if purchase.owners.isEmpty { DeskText.none }
        for owner in purchase.owners {
          a(.href(desk.link("/customers", owner.rawValue))) { owner.rawValue }
          " "
        }
      }
    }
    if let timeline = Timeline(of: [purchase], at: now) {
      h2 { DeskText.timeline }
      timeline.markup
    }
    h2 { DeskText.charges }
    charges
    if purchase.vendor == .apple, !desk.desk.appStores.isEmpty {
      form(
        Attribute("method", "post"),
        .action(
          desk.link("/notifications", purchase.id, [("in", purchase.environment.rawValue)]))
      ) {
        p { button(.type("submit")) { DeskText.askApple } }
      }
    }
    if !purchase.questions.isEmpty {
      h2 { DeskText.questions }
      desk.table(of: purchase.questions)
    }
    if !purchase.transfers.isEmpty {
      h2 { DeskText.transfersWord }
      DeskTable(DeskText.transfersWord, [DeskText.date, DeskText.from, DeskText.to]) {
        for transfer in purchase.transfers {
          tr {
            td { desk.moment(transfer.date) }
            td { customer(transfer.previousOwner) }
            td { customer(transfer.owner) }
          }
        }
      }.markup
    }
    if !purchase.claims.isEmpty {
      h2 { DeskText.disputes }
      DeskTable(DeskText.disputes, [DeskText.date, DeskText.account]) {
        for claim in purchase.claims {
          tr {
            td { desk.moment(claim.date) }
            td { customer(claim.account) }
          }
        }
      }.markup
    }
  }

  private func customer(_ id: AccountID) -> Markup {
    a(.href(desk.link("/customers", id.rawValue))) { id.rawValue }
  }

  @MarkupBuilder
  private var charges: Markup {
    let shown = purchase.charges(onPage: page)
    DeskTable(
      DeskText.charges,
      [
        DeskText.transaction, DeskText.product, DeskText.bought, DeskText.ends,
        DeskText.refundedWord, DeskText.asOfWord,
      ]
    ) {
      for record in shown {
        tr {
          td { record.transactionID }
          td { record.productID }
          td { desk.moment(record.purchaseDate) }
          td { desk.moment(record.expiresDate) }
          td { desk.moment(record.cancellationDate) }
          td { desk.moment(record.signedDate) }
        }
      }
    }.markup
    ul(.class("actions")) {
      if page > 1 { li { a(.href(link(page - 1))) { DeskText.later } } }
      if shown.endIndex < purchase.history?.transactions.count ?? 0 {
        li { a(.href(link(page + 1))) { DeskText.earlier } }
      }
    }
  }

  private func link(_ page: Int) -> DeskLink {
    desk.link(
      "/purchases", purchase.id,
      [("in", purchase.environment.rawValue), ("page", String(page))])
  }
}
