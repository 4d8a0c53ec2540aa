import AppStoreServerAPI
import Foundation
import HTTPMessages
import InMemoryStorage
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperDesk
import StorekeeperTesting
import Testing

@Suite("Answers of support to the stores' questions about refunds")
struct RefundAnswerTests {
  let scene: DeskScene

  init() throws { scene = try DeskScene() }

  /// Buys, and asks Apple for the refund, so that Apple asks.
  private func asked() async throws -> TestPurchase {
    let purchase = try await scene.linked()
    try await scene.tell(try scene.appStore.requestRefund(purchase))
    return purchase
  }

  private func question(_ purchase: TestPurchase) async throws -> ConsumptionCase {
    try #require(
      try await scene.store.read { records in
        try await records.consumption.cases(
          ofTransaction: purchase.transactionID, environment: .production)
      }.first)
  }

  /// Delivers what waits, as the host's worker does.
  private func deliver() async throws {
    let appStore = scene.appStore
    let delivery = OutboxDelivery(
      store: scene.store, handlers: [try #require(scene.refundAnswers)], now: { appStore.now },
      report: { _ in })
    _ = try await delivery.deliverDue()
  }

  private func path(_ key: String, _ choice: String) -> String {
    "/desk/act/answer?question=\(key)&account=alice&\(choice)"
  }

  private static let choice = "preference=DECLINE&delivery=DELIVERED&consent=yes"

  /// The links of a page to an address that begins with a text.
  private func links(_ page: String, to beginning: String) -> [String] {
    page.matches(of: /href="([^"]*)"/).map { String($0.output.1) }
      .filter { $0.hasPrefix(beginning) }
  }

  @Test(
    "A question leads from the overview to its answer, which Apple gets, and its decision is shown")
  func answered() async throws {
    let purchase = try await asked()
    let cookie = try await scene.cookie()
    let overview = await scene.get("/desk", cookie: cookie).text
    #expect(overview.contains("1 questions of the stores about refunds wait for an answer."))
    let list = await scene.get("/desk/questions", cookie: cookie).text
    let link = try #require(links(list, to: "/desk/answer?question=").first)
    let form = await scene.get(link, cookie: cookie).text
    #expect(form.contains("Apple asks about \(purchase.transactionID), and waits until "))
    #expect(form.contains("<option value=\"NOTHING_IS_SENT\">Send nothing</option>"))
    for name in ["preference", "delivery", "consumed", "sample", "consent"] {
      #expect(form.contains("name=\"\(name)\""), "\(name)")
    }
    let key = try await question(purchase).key
    let page = await scene.get(path(key, Self.choice + "&sample="), cookie: cookie).text
    #expect(page.contains("<li>Apple is told that you prefer DECLINE.</li>"))
    #expect(page.contains("<li>The customer could not try it before.</li>"))
    #expect(try await question(purchase).state == .waiting)
    var fields = page.hiddenFields
    fields["reason"] = "played for a month"
    let answer = await scene.post("/desk/act/answer", fields, cookie: cookie)
    #expect(answer.headers[.location] == "/desk/customers/alice")
    #expect(try await question(purchase).state == .waiting)
    try await deliver()
    #expect(try await question(purchase).state == .answered)
    try await scene.tell(try scene.appStore.decideRefund(purchase))
    let told = await scene.get(
      "/desk/purchases/\(purchase.originalTransactionID)", cookie: cookie
    ).text
    #expect(told.contains("<td>REFUND_DECLINED</td>"))
    let act = try #require(
      try await scene.store.read { try await $0.acts.acts(about: nil, before: nil, limit: 10) }
        .first)
    #expect([act.kind, act.account?.rawValue, act.result] == ["answer", "alice", "done"])
    #expect(
      await scene.get(link, cookie: cookie).text.contains("This question takes no answer here"))
    #expect(!(await scene.get("/desk", cookie: cookie).text.contains("about refunds wait")))
  }

  @Test(
    "An answer that a store does not take is refused before it is sent, and says why",
    arguments: [
      ("preference=DECLINE&delivery=DELIVERED", "only if the customer consented"),
      ("preference=PLEASE&delivery=DELIVERED&consent=yes", "refundPreference"),
      ("preference=DECLINE&delivery=&consent=yes", "deliveryStatus"),
      ("delivery=UNDELIVERED_OTHER&consumed=40&consent=yes", "consumptionPercentage"),
      // Of a subscription, Apple computes the part that was used.
      ("delivery=DELIVERED&consumed=40&consent=yes", "consumptionPercentage"),
    ])
  func refused(choice: String, reason: String) async throws {
    let key = try await question(try await asked()).key
    let page = await scene.get(path(key, choice), cookie: try await scene.cookie()).text
    #expect(page.contains("This cannot be done"))
    #expect(page.contains(reason), "\(page)")
    #expect(page.hiddenFields["seal"] == nil)
  }

  @Test(
    "A malformed answer has no page",
    arguments: [
      "question=", "question=%00", "question=a&consumed=101", "question=a&consumed=-1", "",
    ])
  func malformed(query: String) async throws {
    let page = await scene.get("/desk/act/answer?\(query)", cookie: try await scene.cookie())
    #expect(page.status == .notFound)
  }

  @Test("Nothing is sent where support says so, also without consent")
  func nothing() async throws {
    let purchase = try await asked()
    let key = try await question(purchase).key
    let cookie = try await scene.cookie()
    let page = await scene.get(path(key, "preference=NOTHING_IS_SENT"), cookie: cookie).text
    #expect(page.contains("<li>Nothing is sent, and Apple decides without you.</li>"))
    var fields = page.hiddenFields
    fields["reason"] = "no consent"
    #expect(await scene.post("/desk/act/answer", fields, cookie: cookie).status == 303)
    #expect(try await question(purchase).state == .declined)
    try await deliver()
    #expect(scene.appStore.serverAPIRequests.isEmpty)
  }

  @Test("An answer is filed at the account that has the purchase, whatever the address says")
  func account() async throws {
    let key = try await question(try await asked()).key
    let cookie = try await scene.cookie()
    let page = await scene.get(
      "/desk/act/answer?question=\(key)&account=bob&\(Self.choice)", cookie: cookie
    ).text
    #expect(page.hiddenFields["account"] == "alice")
    #expect(!page.contains("bob"))
  }

  @Test("A form is stale once somebody else has answered, and after the deadline")
  func stale() async throws {
    let (purchase, other) = (try await asked(), try await scene.linked(by: "c2", to: "bob"))
    try await scene.tell(try scene.appStore.requestRefund(other))
    scene.appStore.clock.advance(by: .seconds(11.5 * 3600))
    let cookie = try await scene.cookie()
    func form(_ purchase: TestPurchase) async throws -> [String: String] {
      let key = try await question(purchase).key
      var fields = await scene.get(path(key, Self.choice), cookie: cookie).text.hiddenFields
      fields["reason"] = "late"
      return fields
    }
    let (first, second) = (try await form(purchase), try await form(purchase))
    #expect(await scene.post("/desk/act/answer", first, cookie: cookie).status == 303)
    #expect(await scene.post("/desk/act/answer", second, cookie: cookie).status.code == 409)
    // A new form says that it replaces the answer, which was not sent yet.
    let key = try await question(purchase).key
    let again = await scene.get(path(key, Self.choice), cookie: cookie).text
    #expect(again.contains("An answer that was given before, and was not sent yet, is replaced."))
    try await deliver()
    #expect(
      await scene.get(path(key, Self.choice), cookie: cookie).text.contains(
        "This question takes no answer here"))
    let late = try await form(other)
    scene.appStore.clock.advance(by: .seconds(1800))
    let answer = await scene.post("/desk/act/answer", late, cookie: cookie)
    #expect(answer.status.code == 409)
    #expect(answer.text.contains("This question takes no answer here"))
    #expect(try await question(other).state == .waiting)
    #expect(scene.appStore.serverAPIRequests.count { $0.method == .put } == 1)
  }

  @Test("Who only reads sends no answer, and a host without a delivery offers none")
  func readers() async throws {
    let purchase = try await asked()
    let key = try await question(purchase).key
    let reader = try await scene.cookie(DeskScene.readerToken)
    let page = await scene.get(path(key, Self.choice), cookie: reader).text
    #expect(page.hiddenFields["seal"] == nil)
    #expect(page.contains("You may read this, and change nothing."))
    let other = try DeskScene { $0.refundAnswers = nil }
    let bought = try await other.linked()
    try await other.tell(try other.appStore.requestRefund(bought))
    let cookie = try await other.cookie()
    let list = await other.get("/desk/questions", cookie: cookie).text
    #expect(list.contains("<td>waiting</td>"))
    #expect(links(list, to: "/desk/answer").isEmpty)
  }

  @Test("Google's question is answered in Google's words")
  func google() async throws {
    let cookie = try await scene.cookie()
    var asked = ConsumptionCase(
      key: "google:key", environment: .production, transactionID: "google:GPA.1",
      originalTransactionID: "google:GPA.1", reason: "7", requestedDate: DeskScene.start,
      deadline: DeskScene.start + 86_400)
    asked.pendingRefundToken = "token"
    let question = asked
    try await scene.store.write { _ = try await $0.consumption.add(question) }
    let form = await scene.get("/desk/answer?question=google:key", cookie: cookie).text
    for value in ["DECLINE", "APPROVE", "NEUTRAL"] {
      #expect(form.contains("<option value=\"\(value)\">"), "\(value)")
    }
    #expect(!form.contains("name=\"consent\""))
    let page = await scene.get(
      path("google:key", "preference=APPROVE&consumed=30"), cookie: cookie
    ).text
    #expect(page.contains("<li>Google is told that you prefer APPROVE.</li>"))
    #expect(page.contains("<li>30 % of it was used.</li>"))
    #expect(page.hiddenFields["seal"] != nil)
    let choices = form.matches(of: #/<option /#).count
    #expect(choices == 4)
    let without = await scene.get(path("google:key", "preference="), cookie: cookie).text
    #expect(without.contains("This cannot be done"))
  }
}
