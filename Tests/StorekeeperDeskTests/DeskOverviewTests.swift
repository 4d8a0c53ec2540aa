import Foundation
import HTTPMessages
import InMemoryStorage
import PurchaseStorage
import LinkPolicy
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperDesk
import StorekeeperHTTP
import StorekeeperTesting
import Testing

@Suite("Overviews of the desk")
struct DeskOverviewTests {
  @Test("The day shows events by type and by hour, the failures among them")
  func day() async throws {
    let scene = try DeskScene()
    // At 14:13 UTC: the last one was written a day and an hour ago.
    let told: [(type: String, hoursAgo: Double)] = [
      ("credits.granted", 0), ("purchase.refunded", 2), ("purchase.refunded", 2.1),
      ("membership.lapsed", 23.9), ("membership.linked", 24.1),
    ]
    try await scene.store.write { records in
      for (number, event) in told.reversed().enumerated() {
        try await records.events.add(
          EventRecord(
            id: "evt_\(number)", type: event.type, account: "alice",
            date: DeskScene.start - event.hoursAgo * 3600, data: "{}"))
      }
    }
    let page = await scene.get("/desk", cookie: try await scene.cookie()).text
    #expect(
      page.contains(#"<tr class="trouble"><td>purchase.refunded</td><td>2</td></tr>"#))
    #expect(page.contains("<td>credits.granted</td><td>1</td>"))
    #expect(!page.contains("membership.linked"))
    let text = try #require(page.firstMatch(of: /aria-label="(14: 1, 15: 0, [^"]*)"/)?.output.1)
    #expect(text.hasSuffix("11: 0, 12: 2, 13: 0, 14: 1"))
  }

  @Test("A host that records no events says so")
  func noEvents() async throws {
    let scene = try DeskScene()
    let page = await scene.get("/desk", cookie: try await scene.cookie()).text
    #expect(page.contains("No events were recorded."))
  }

  @Test("A source that fails is named with the moment since when")
  func sources() async throws {
    let failing = try DeskScene { desk in
      desk.failingSources = {
        [
          FailingSource(
            PurchaseScope(vendor: .apple, appID: "com.example.reader", environment: .production),
            since: DeskScene.start - 3600)
        ]
      }
    }
    let page = await failing.get("/desk", cookie: try await failing.cookie())
    #expect(
      page.sentences.contains(
        "Apple, com.example.reader, Production has not answered since 2026-09-21 13:13 UTC."))
    let well = try DeskScene { $0.failingSources = { [] } }
    let other = await well.get("/desk", cookie: try await well.cookie()).text
    #expect(other.contains("No source is known to fail."))
  }

  @Test("A store that keeps no events has pages without them")
  func withoutEvents() async throws {
    let base = try DeskScene()
    try await base.linked()
    let store = WrappedStore(withRequiredRecordsOf: base.store)
    let appStore = base.appStore
    let shop = PurchaseContext(
      store: store, accounts: base.accounts, verifier: base.verifier, now: { appStore.now },
      report: { _ in })
    var desk = Desk(shop)
    desk.subscriptions = try SubscriptionService(
      shop, products: ["reader.monthly": Plan("standard", every: .month)])
    let pages = DeskAPI(desk, access: try DeskScene.access(now: { appStore.now }))
    func page(_ path: String) async throws -> String {
      var request = HTTPRequestMessage(url: path)
      try request.headers.set(try await base.cookie(), for: "Cookie")
      return await pages.respond(to: request).text
    }
    #expect(try await page("/desk").contains("No events were recorded."))
    #expect(try await !page("/desk/customers/alice").sentences.isEmpty)
  }

  @Test("Money shows the figures that are kept, and says where none are")
  func money() async throws {
    let scene = try DeskScene(countsMoney: true)
    try await scene.linked()
    let page = await scene.get("/desk/money", cookie: try await scene.cookie()).text
    #expect(page.contains(#"aria-label="2026-09: 1""#))
    #expect(page.contains("<h2>Subscriptions and purchases</h2>"))
    let without = try DeskScene()
    try await without.linked()
    let empty = await without.get("/desk/money", cookie: try await without.cookie()).text
    #expect(empty.contains("The host keeps no figures of money."))
  }

  @Test("Products shows what each service sells")
  func products() async throws {
    let scene = try DeskScene()
    let page = await scene.get("/desk/products", cookie: try await scene.cookie()).text
    #expect(page.contains("<td>reader.yearly</td><td>standard, by the year</td>"))
    #expect(page.contains("<td>pack</td><td>\(DeskScene.pack)</td><td></td><td>100</td>"))
    #expect(page.contains("<td>reader.lifetime</td><td>nonConsumable</td>"))
    #expect(page.contains("4 products, 0 warnings."))
  }

  @Test("A customer's page has the events and the messages about them, and nobody else's")
  func toldOf() async throws {
    let scene = try DeskScene()
    try await scene.linked()
    try await scene.store.write { records in
      for (number, account) in ["alice", "bob"].enumerated() {
        try await records.events.add(
          EventRecord(
            id: "evt_\(number)", type: "membership.linked", account: AccountID(stored: account),
            date: DeskScene.start, data: #"{"for":"\#(account)"}"#))
      }
    }
    let page = await scene.get("/desk/customers/alice", cookie: try await scene.cookie()).text
    #expect(page.contains("<pre>{&quot;for&quot;:&quot;alice&quot;}</pre>"))
    #expect(!page.contains("{&quot;for&quot;:&quot;bob&quot;}"))
    #expect(page.contains("<td>link</td>"))
    #expect(page.contains("<td>waits</td>"))
  }

  @Test("A purchase shows what its store asked about a refund, and what was answered")
  func questions() async throws {
    let scene = try DeskScene()
    let purchase = try await scene.linked()
    var question = ConsumptionCase(
      key: "one", environment: .production, transactionID: purchase.transactionID,
      originalTransactionID: purchase.originalTransactionID, reason: "UNINTENDED_PURCHASE",
      requestedDate: DeskScene.start, deadline: DeskScene.start + 43_200)
    (question.state, question.answer) = (.answered, #"{"customerConsented":true}"#)
    (question.outcome, question.outcomeDate) = ("REFUND_DECLINED", DeskScene.start + 60)
    let asked = question
    try await scene.store.write { _ = try await $0.consumption.add(asked) }
    let cookie = try await scene.cookie()
    let path = "/desk/purchases/\(purchase.originalTransactionID)"
    let page = await scene.get(path, cookie: cookie).text
    for text in [
      "UNINTENDED_PURCHASE", "answered", "{&quot;customerConsented&quot;:true}", "REFUND_DECLINED",
    ] {
      #expect(page.contains("<td>\(text)</td>"), "\(text)")
    }
  }

  @Test("Workers shows where each job stands, and who was gone before it was given back")
  func workers() async throws {
    let scene = try DeskScene()
    try await scene.store.write { records in
      for (job, lease) in [("<walk>", 600.0), ("lost", -60)] {
        let now = DeskScene.start - 120
        let place = try await records.jobs.lease(
          job: job, now: now, until: DeskScene.start + lease, token: job)
        _ = try await records.jobs.advance(
          try #require(place), to: "at \(job)", now: now, until: DeskScene.start + lease)
      }
      let held = try await records.jobs.lease(
        job: "free", now: DeskScene.start, until: DeskScene.start + 60, token: "one")
      try await records.jobs.giveBack(try #require(held))
    }
    let cookie = try await scene.cookie()
    let overview = await scene.get("/desk", cookie: cookie).text
    #expect(overview.contains("/desk/workers"))
    let page = await scene.get("/desk/workers", cookie: cookie).text
    #expect(page.contains("<td>free</td><td></td><td>free</td>"))
    #expect(
      page.contains(
        "<td>&lt;walk&gt;</td><td>at &lt;walk&gt;</td><td>held until 2026-09-21 14:23 UTC</td>"))
    #expect(
      page.contains(
        #"<tr class="trouble"><td>lost</td><td>at lost</td><td>lost at 2026-09-21 14:12 UTC</td>"#))
  }

  @Test("Apple's history has the notifications about a purchase, with their payloads")
  func notifications() async throws {
    let scene = try DeskScene()
    let purchase = try await scene.linked()
    scene.pass(3)
    try await scene.tell(try scene.appStore.refund(purchase))
    try await scene.linked(by: "c2", to: "bob")
    let cookie = try await scene.cookie()
    let id = purchase.originalTransactionID
    let offered = await scene.get("/desk/purchases/\(id)", cookie: cookie).text
    #expect(offered.contains("Ask Apple for its notifications"))
    #expect(offered.contains("action=\"/desk/notifications/\(id)?in=Production\""))
    let path = "/desk/notifications/\(id)?in=Production"
    let page = await scene.post(path, [:], cookie: cookie).text
    #expect(page.matches(of: /<tr><td><time/).count == 2)
    #expect(page.contains("<td>SUBSCRIBED, INITIAL_BUY</td>"))
    #expect(page.contains("<td>REFUND</td>"))
    #expect(page.contains("<pre>{"))
    #expect(page.contains("&quot;notificationUUID&quot;"))
    // The signed transaction inside is read as well.
    #expect(page.contains("&quot;transactionId&quot;:&quot;\(purchase.transactionID)&quot;"))
    let reader = try await scene.cookie(DeskScene.readerToken)
    let less = await scene.post(path, [:], cookie: reader).text
    #expect(less.contains("<td>REFUND</td>"))
    #expect(!less.contains("notificationUUID"))
    scene.appStore.failServerAPI(next: 20, with: .unauthenticated)
    let silent = await scene.post(path, [:], cookie: cookie).text
    #expect(silent.contains("Apple could not be asked; try again."))
    for wrong in ["/desk/notifications/google:abc", "/desk/notifications/x"] {
      #expect(await scene.post(wrong, [:], cookie: cookie).status == .notFound)
    }
    #expect(await scene.post(path, [:], cookie: nil).status == .forbidden)
  }
}
