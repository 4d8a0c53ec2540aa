import CreditPolicy
import EntitlementPolicy
import HTTPMessages
import InMemoryStorage
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperDesk
import StorekeeperTesting
import Testing

@Suite("Acts of support")
struct DeskActTests {
  let scene: DeskScene

  init() throws { scene = try DeskScene() }

  private func acts() async throws -> [SupportAct] {
    try await scene.store.read { try await $0.acts.acts(about: nil, before: nil, limit: 10) }
  }

  private func owner(of purchase: TestPurchase) async throws -> String? {
    try await scene.subscriptions.subscription(purchase.originalTransactionID).owner?.rawValue
  }

  @Test("An act shows first what it changes, then does it, and is recorded with who and why")
  func unlink() async throws {
    let purchase = try await scene.linked()
    let id = purchase.originalTransactionID
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/unlink?account=alice&purchase=\(id)", cookie: cookie)
    #expect(page.text.contains("<li>\(id) belongs to nobody.</li>"))
    #expect(try await owner(of: purchase) == "alice")
    var fields = page.text.hiddenFields
    fields["reason"] = "she asked <b>twice</b>"
    let answer = await scene.post("/desk/act/unlink", fields, cookie: cookie)
    #expect(answer.status == 303)
    #expect(answer.headers[.location] == "/desk/customers/alice")
    #expect(try await owner(of: purchase) == nil)
    let act = try #require(try await acts().first)
    #expect(
      [act.member, act.kind, act.account?.rawValue, act.result] == [
        "nora", "unlink", "alice", "done",
      ])
    #expect(act.data.contains("she asked"))
    let list = await scene.get("/desk/acts", cookie: cookie).text
    #expect(list.contains("she asked &lt;b&gt;twice&lt;/b&gt;"))
  }

  @Test("The whole history is read from Apple: a refund of which nobody was told takes effect")
  func reconcile() async throws {
    let purchase = try await scene.linked()
    scene.pass(3)
    // Its notification is lost.
    _ = try scene.appStore.refund(purchase)
    let id = purchase.originalTransactionID
    let cookie = try await scene.cookie()
    let offered = await scene.get("/desk/customers/alice", cookie: cookie).text
    #expect(offered.contains("Read the whole history of \(id) from Apple"))
    let page = await scene.get("/desk/act/reconcile?account=alice&purchase=\(id)", cookie: cookie)
    var fields = page.text.hiddenFields
    fields["reason"] = "she was refunded"
    #expect(await scene.post("/desk/act/reconcile", fields, cookie: cookie).status == 303)
    let after = await scene.get("/desk/customers/alice", cookie: cookie).sentences
    #expect(after.contains { $0.hasPrefix("Apple refunded reader.monthly") })
    #expect(try await acts().map(\.result) == ["done"])
  }

  @Test("All purchases of an account in an app are asked about, and one without any says so")
  func restore() async throws {
    let purchase = try scene.appStore.buy("reader.lifetime", by: "c1")
    try await scene.upload(purchase, for: "alice")
    let cookie = try await scene.cookie()
    let offered = await scene.get("/desk/customers/alice", cookie: cookie).text
    #expect(offered.contains("Ask the stores about all purchases in \(DeskScene.bundleID)"))
    for (user, status) in [("alice", 303), ("bob", 409)] {
      let page = await scene.get(
        "/desk/act/restore?account=\(user)&app=\(DeskScene.bundleID)", cookie: cookie)
      var fields = page.text.hiddenFields
      fields["reason"] = "asked"
      let answer = await scene.post("/desk/act/restore", fields, cookie: cookie)
      #expect(answer.status.code == status, "\(user)")
    }
    let other = await scene.get(
      "/desk/act/restore?account=alice&app=com.example.other", cookie: cookie)
    #expect(other.text.contains("The host does not serve this."))
  }

  @Test("A restore that no store answers fails, and says so")
  func silentRestore() async throws {
    let scene = try DeskScene { desk in
      var shop = desk.context
      shop.sources = desk.appStores
      let apps = desk.entitlements?.apps ?? EntitledApps([])
      desk.entitlements = try? EntitlementService(shop, apps: { apps })
    }
    try await scene.upload(try scene.appStore.buy("reader.lifetime", by: "c1"), for: "alice")
    let cookie = try await scene.cookie()
    let path = "/desk/act/restore?account=alice&app=\(DeskScene.bundleID)"
    for (isSilent, status) in [(true, 409), (false, 303)] {
      if isSilent { scene.appStore.failServerAPI(next: 50, with: .unauthenticated) }
      var fields = await scene.get(path, cookie: cookie).text.hiddenFields
      fields["reason"] = "asked"
      let answer = await scene.post("/desk/act/restore", fields, cookie: cookie)
      #expect(answer.status.code == status)
      if isSilent { #expect(answer.text.contains("failed: The store could not be asked.")) }
      scene.appStore.stopFailingServerAPI()
    }
    let results = try await scene.store.read {
      try await $0.acts.acts(about: nil, before: nil, limit: 10)
    }.map(\.result)
    #expect(results == ["done", "failed: The store could not be asked."])
  }

  @Test("A form that is repeated does nothing a second time")
  func repeated() async throws {
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/book?account=alice&amount=5", cookie: cookie)
    var fields = page.text.hiddenFields
    fields["reason"] = "sorry"
    #expect(await scene.post("/desk/act/book", fields, cookie: cookie).status == 303)
    let second = await scene.post("/desk/act/book", fields, cookie: cookie)
    #expect(second.status == 409)
    #expect(second.text.contains("Its result: done."))
    // No other form is offered, so that nobody books twice by trying again.
    #expect(second.text.hiddenFields.isEmpty)
    #expect(try await scene.credits.balance(of: "alice") == 5)
    #expect(try await acts().count == 1)
  }

  @Test("Of one form that is sent many times at once, one counts")
  func atOnce() async throws {
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/book?account=alice&amount=5", cookie: cookie)
    var fields = page.text.hiddenFields
    fields["reason"] = "sorry"
    let sent = fields
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { _ = await scene.post("/desk/act/book", sent, cookie: cookie) }
      }
    }
    #expect(try await acts().count == 1)
    #expect(try await scene.credits.balance(of: "alice") == 5)
  }

  @Test("A form is stale once what it would change is another")
  func stale() async throws {
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/book?account=alice&amount=5", cookie: cookie)
    var fields = page.text.hiddenFields
    fields["reason"] = "sorry"
    _ = try await scene.credits.book(
      .init(
        userID: "alice", eventID: "host:1", changeType: "bonus", subjectType: "host",
        subjectID: "1", amount: 100))
    #expect(await scene.post("/desk/act/book", fields, cookie: cookie).status == 409)
    #expect(try await scene.credits.balance(of: "alice") == 100)
    #expect(try await acts().isEmpty)
  }

  @Test("A form is stale after an hour")
  func old() async throws {
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/book?account=alice&amount=5", cookie: cookie)
    var fields = page.text.hiddenFields
    fields["reason"] = "sorry"
    scene.appStore.clock.advance(by: .seconds(3600))
    #expect(await scene.post("/desk/act/book", fields, cookie: cookie).status == 409)
    #expect(try await acts().isEmpty)
  }

  @Test(
    "A forged form does nothing",
    arguments: ["seal", "form", "until", "account", "amount", "reason", "session"])
  func forged(_ part: String) async throws {
    var cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/book?account=alice&amount=5", cookie: cookie)
    var fields = page.text.hiddenFields
    fields["reason"] = "sorry"
    switch part {
    case "session": cookie = try await scene.cookie()
    case "reason": fields["reason"] = " "
    case "amount": fields["amount"] = "500"
    case "account": fields["account"] = "bob"
    case "until": fields["until"] = "9999999999"
    default: fields[part] = "AAAA"
    }
    #expect(await scene.post("/desk/act/book", fields, cookie: cookie).status == 409)
    #expect(try await acts().isEmpty)
    #expect(try await scene.credits.balance(of: "bob") == 0)
  }

  @Test("Who only reads gets no form, and no form of others counts for them")
  func reader() async throws {
    let purchase = try await scene.linked()
    let path = "/desk/act/unlink?account=alice&purchase=\(purchase.originalTransactionID)"
    let reader = try await scene.cookie(DeskScene.readerToken)
    let page = await scene.get(path, cookie: reader)
    #expect(page.status == .ok)
    #expect(page.text.contains("belongs to nobody"))
    #expect(page.text.hiddenFields.isEmpty)
    #expect(!(await scene.get("/desk/customers/alice", cookie: reader).text.contains("/desk/act/")))
    var fields = await scene.get(path, cookie: try await scene.cookie()).text.hiddenFields
    fields["reason"] = "mine"
    #expect(await scene.post("/desk/act/unlink", fields, cookie: reader).status == 403)
    #expect(try await owner(of: purchase) == "alice")
  }

  @Test("An act that is refused says why, and changes nothing")
  func refused() async throws {
    let purchase = try await scene.linked()
    let path = "/desk/act/link?account=bob&purchase=\(purchase.originalTransactionID)"
    let page = await scene.get(path, cookie: try await scene.cookie())
    #expect(page.text.contains("Another account has the subscription."))
    #expect(page.text.hiddenFields.isEmpty)
    #expect(try await acts().isEmpty)
  }

  @Test("An act that fails is recorded as failed")
  func failed() async throws {
    let purchase = try await scene.linked()
    let id = purchase.originalTransactionID
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/refresh?account=alice&purchase=\(id)", cookie: cookie)
    var fields = page.text.hiddenFields
    fields["reason"] = "look"
    // No source can be asked in this scene.
    #expect(await scene.post("/desk/act/refresh", fields, cookie: cookie).status == 409)
    #expect(try await acts().first?.result == "failed: The store could not be asked.")
  }

  @Test("A link and a dissociation are done as they were shown")
  func linkAndDissociate() async throws {
    let purchase = try scene.appStore.buy("reader.monthly", by: "c1")
    try await scene.tell(purchase.notification)
    try await scene.upload(purchase, for: "bob")
    let id = purchase.originalTransactionID
    let cookie = try await scene.cookie()
    // What bob showed as a user of the app is not alice's to link.
    let refused = await scene.get("/desk/act/link?account=alice&purchase=\(id)", cookie: cookie)
    #expect(refused.text.contains("Another account has the subscription."))
    #expect(try await scene.subscriptions.disputes().isEmpty)
    try await act("dissociate", "account=bob&purchase=\(id)&app=\(DeskScene.bundleID)", cookie)
    let page = await scene.get("/desk/act/link?account=alice&purchase=\(id)", cookie: cookie)
    #expect(page.text.contains("A membership is given: standard, by the month"))
    #expect(try await owner(of: purchase) == nil)
    try await act("link", "account=alice&purchase=\(id)", cookie)
    #expect(try await owner(of: purchase) == "alice")
    #expect(try await acts().map(\.result) == ["done", "done"])
  }

  @Test("An account is erased, and so is its name in what was done")
  func erase() async throws {
    try await scene.linked()
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/act/erase?account=alice", cookie: cookie)
    #expect(page.text.contains("<li>memberships: 1</li>"))
    var fields = page.text.hiddenFields
    fields["reason"] = "alice asked for it"
    #expect(await scene.post("/desk/act/erase", fields, cookie: cookie).status == 303)
    let act = try #require(try await acts().first)
    #expect([act.member, act.kind, act.result] == ["nora", "erase", "done"])
    #expect(act.account?.rawValue.hasPrefix("erased-") == true)
    #expect(!act.data.contains("alice"))
    #expect(try await scene.find("alice").sentences.count == 1)
  }

  private func act(_ kind: String, _ query: String, _ cookie: String) async throws {
    var fields = await scene.get("/desk/act/\(kind)?\(query)", cookie: cookie).text.hiddenFields
    fields["reason"] = "asked"
    #expect(await scene.post("/desk/act/\(kind)", fields, cookie: cookie).status == 303)
  }

  @Test("A message that is not parked any more is neither sent nor removed")
  func notParked() async throws {
    let cookie = try await scene.cookie()
    for kind in ["resend", "discard"] {
      let page = await scene.get("/desk/act/\(kind)?number=7", cookie: cookie)
      #expect(page.text.contains("This message is not parked any more."))
      #expect(page.text.hiddenFields.isEmpty)
    }
  }

  @Test(
    "A number of any size is no crash",
    arguments: ["9223372036854775807", "-9223372036854775808", "0", "x"])
  func numbers(_ number: String) async throws {
    try await scene.linked()
    let cookie = try await scene.cookie()
    for path in [
      "/desk/act/book?account=alice&amount=\(number)", "/desk/act/resend?number=\(number)",
      "/desk/purchases/1?page=\(number)", "/desk/customers/alice?page=\(number)",
      "/desk/disputes?after=\(number)", "/desk/parked?after=\(number)",
      "/desk/acts?before=\(number)", "/desk/customers/alice?at=\(number)",
    ] {
      let status = await scene.get(path, cookie: cookie).status.code
      #expect([200, 400, 404].contains(status), "\(path): \(status)")
    }
  }
}
