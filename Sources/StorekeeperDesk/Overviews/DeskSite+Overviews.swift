internal import CreditPolicy
internal import EntitlementPolicy
internal import HTTPMessages
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperHTTP

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension DeskSite {
  // MARK: The day

  func overview(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage
  {
    let now = desk.now()
    let (parked, oldest, kept, asked, day) = try await desk.read { records in
      (
        try await records.outbox.parked(after: 0, limit: Self.countLimit).count,
        try await records.outbox.oldestDate(except: []),
        try await records.notifications.keptNotifications(after: nil, limit: Self.countLimit).count,
        try await records.consumption.waiting(at: now, limit: Self.countLimit).count,
        try await DayEvents.load(at: now, records)
      )
    }
    let failing = await desk.failingSources?() ?? []
    return DeskPage(self, DeskText.overview, for: session) {
      p { DeskText.asOf(now) }
      ul(.class("findings")) {
        li([.class(parked > 0 ? "bad" : "good")]) {
          p { a(.href(link("/parked"))) { DeskText.parked(count(parked)) } }
        }
        li(.class("notice")) { p { DeskText.waiting(since: oldest) } }
        li([.class(kept > 0 ? "bad" : "good")]) {
          p { a(.href(link("/undecoded"))) { DeskText.kept(count(kept)) } }
        }
        if asked > 0 {
          li(.class("notice")) {
            p { a(.href(link("/questions"))) { DeskText.questionsWait(count(asked)) } }
          }
        }
        if desk.failingSources != nil {
          if failing.isEmpty { li { p { DeskText.noSourceFails } } }
          for source in failing { li(.class("bad")) { p { DeskText.sourceFails(source) } } }
        }
      }
      section {
        h2 { DeskText.day }
        events(of: day)
      }
      section {
        h2 { DeskText.paste }
        StorekeeperDesk.form(Attribute("method", "post"), .action(link("/evidence"))) {
          p {
            label(Attribute("for", "evidence")) { DeskText.paste }
            textarea(.id("evidence"), .name("evidence"), .required, Attribute("rows", "4")) {}
          }
          p { button(.type("submit")) { DeskText.find } }
        }
      }
    }.response()
  }

  /// The number up to which rows are counted, so that the page takes no longer where there are many.
  private static let countLimit = 100

  private func count(_ number: Int) -> String {
    number == Self.countLimit ? DeskText.orMore(number) : String(number)
  }

  @MarkupBuilder
  private func events(of day: DayEvents) -> Markup {
    if day.types.isEmpty {
      p { DeskText.noEvents }
    } else {
      if day.isCut { p { DeskText.newestEvents(DayEvents.limit) } }
      BarChart(
        title: DeskText.eventsByHour,
        bars: day.hours.map { (name: String($0.hour), number: $0.count) }
      ).markup
      DeskTable(DeskText.eventsByType, [DeskText.kind, DeskText.number]) {
        for (type, count) in day.types {
          tr(DayEvents.troubles.contains(type) ? [.class("trouble")] : []) {
            td { type }
            td { String(count) }
          }
        }
      }.markup
    }
  }

  // MARK: Money

  func money(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage {
    let today = CalendarDay(desk.now())
    let month = CalendarMonth(today)
    let query = MoneyReport.Query(months: month.advanced(by: -11)...month, asOf: today)
    let report: MoneyReport
    do {
      report = try await MoneyFigures(desk.context).report(query)
    } catch StorageFailure.capabilityMissing {
      return DeskPage(self, DeskText.money, for: session) { p { DeskText.noFigures } }.response()
    }
    return DeskPage(self, DeskText.money, for: session) {
      p { DeskText.asOf(desk.now()) }
      if report.sections.isEmpty { p { DeskText.noFigures } }
      if !report.counts.isEmpty {
        h2 { DeskText.activeByMonth }
        BarChart(
          title: DeskText.activeByMonth,
          bars: report.counts.map { (name: $0.month.description, number: $0.active) }
        ).markup
      }
      for part in report.sections {
        h2 { part.title }
        DeskTable(part.title, part.columns) {
          for row in part.rows { tr { for cell in row { td { cell } } } }
        }.markup
        if let note = part.note { p { note } }
      }
    }.response()
  }

  // MARK: Products

  func products(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage
  {
    DeskPage(self, DeskText.productsWord, for: session) {
      if let plans = desk.subscriptions?.products.plans {
        h2 { DeskText.subscriptions }
        DeskTable(DeskText.subscriptions, [DeskText.product, DeskText.plan]) {
          for (product, plan) in plans.sorted(by: { $0.key < $1.key }) {
            tr {
              td { product }
              td { DeskText.plan(plan.tier, plan.cycle) }
            }
          }
        }.markup
      }
      if let packs = desk.credits?.products.enabled {
        h2 { DeskText.packs }
        DeskTable(
          DeskText.packs,
          [
            DeskText.product, DeskText.vendor(.apple), DeskText.vendor(.google),
            DeskText.creditsWord,
          ]
        ) {
          for pack in packs {
            tr {
              td { pack.code }
              td { pack.appStoreProductID }
              td { pack.googlePlayProductID ?? "" }
              td { String(pack.credits) }
            }
          }
        }.markup
      }
      if let apps = desk.entitlements?.apps {
        for bundleID in apps.bundleIDs { catalog(of: apps[bundleID]?.catalog, in: bundleID) }
      }
    }.response()
  }

  @MarkupBuilder
  private func catalog(of catalog: ProductCatalog?, in bundleID: String) -> Markup {
    if let catalog {
      h2 { bundleID }
      p { DeskText.catalog(catalog.products.count, warnings: catalog.warningCount) }
      if !catalog.warnings.isEmpty {
        ul(.class("findings")) {
          for warning in catalog.warnings.prefix(HeldPurchase.pageSize) {
            li(.class("bad")) { p { warning.description } }
          }
        }
      }
      DeskTable(bundleID, [DeskText.product, DeskText.kind]) {
        for product in catalog.products.prefix(HeldPurchase.historyLimit) {
          tr {
            td { product.identifier }
            td { product.type.rawValue }
          }
        }
      }.markup
    }
  }
}
