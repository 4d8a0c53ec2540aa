import CreditPolicy
import Foundation
import HTTPMessages
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Pages of the desk")
struct DeskPageTests {
  let scene: DeskScene

  init() throws { scene = try DeskScene() }

  @Test(
    "A customer is found by all that they can tell",
    arguments: ["account", "original", "charge", "e-mail", "pack"])
  func find(_ what: String) async throws {
    let purchase = try await scene.linked()
    scene.pass(30)
    let renewal = try scene.appStore.renew(purchase)
    try await scene.tell(renewal.notification)
    let pack = try scene.appStore.buy(DeskScene.pack, by: "c1")
    _ = try await scene.credits.grant(
      try scene.verifier.transaction(try pack.signedTransactionInfo), of: "pack", to: "alice")
    try await scene.store.write { records in
      _ = try await records.starterClaims.mark(
        identity: "alice@example.com", userID: "alice", transactionID: "1", now: DeskScene.start)
    }
    let text =
      switch what {
      case "original": purchase.originalTransactionID
      case "charge": renewal.transactionID
      case "e-mail": " Alice@example.com "
      case "pack": pack.transactionID
      default: "alice"
      }
    #expect(try await scene.find(text).contains("<h1>Customer alice</h1>"))
  }

  @Test("A signed transaction that is pasted leads to the customer, and a forged one to nothing")
  func paste() async throws {
    let purchase = try await scene.linked()
    let cookie = try await scene.cookie()
    let token = try purchase.signedTransactionInfo
    let answer = await scene.post("/desk/evidence", ["evidence": token], cookie: cookie)
    #expect(answer.headers[.location] == "/desk/customers/alice")
    let forged = await scene.post("/desk/evidence", ["evidence": token + "A"], cookie: cookie)
    #expect(forged.status == .ok)
    #expect(forged.text.contains("This proves nothing"))
    #expect(!forged.text.contains(token.prefix(40)))
  }

  @Test("What a customer can choose is shown as text, wherever it stands")
  func script() async throws {
    let name = "<script>alert(\"1\")</script>&'"
    let id = try AccountID(opaque: name)
    scene.accounts.add(Account(id: id), emailAddress: "\(name)@example.com")
    let purchase = try await scene.linked()
    await #expect(throws: (any Error).self) { try await scene.link(id, to: purchase) }
    _ = try await scene.credits.book(
      .init(
        userID: id, eventID: "host:\(name)", changeType: "bonus", subjectType: name,
        subjectID: name, amount: 1))
    let cookie = try await scene.cookie()
    let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    for page in [
      "/desk/customers/\(path)", "/desk/disputes", "/desk/customers/alice", "/desk/find?q=\(path)",
    ] {
      let answer = await scene.get(page, cookie: cookie)
      #expect(!answer.text.contains("<script"))
      #expect(!answer.text.contains("\"1\""))
    }
    let shown = await scene.get("/desk/customers/\(path)", cookie: cookie).text
    #expect(shown.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"))
  }

  @Test("The page at another moment shows what was so then")
  func otherMoment() async throws {
    let purchase = try await scene.linked()
    scene.pass(3)
    try await scene.tell(try scene.appStore.refund(purchase))
    scene.pass(50)
    let cookie = try await scene.cookie()
    let now = await scene.get("/desk/customers/alice", cookie: cookie).sentences
    #expect(now.contains { $0.hasPrefix("Apple refunded reader.monthly") })
    let page = await scene.get("/desk/customers/alice?at=2026-09-22", cookie: cookie).text
    #expect(page.contains("As of 2026-09-22 23:59 UTC"))
    #expect(page.sentences == ["reader.monthly was paid until \(moment(after: 30))."])
    let late = await scene.get("/desk/customers/alice?at=2026-11-01", cookie: cookie).sentences
    #expect(late.count == 1 && late[0].hasPrefix("reader.monthly was not paid any more"))
    #expect(
      await scene.get("/desk/customers/alice?at=2026-09-01", cookie: cookie).sentences.isEmpty)
    for day in ["soon", "2026-02-30", "2026-13-01"] {
      let answer = await scene.get("/desk/customers/alice?at=\(day)", cookie: cookie)
      #expect(answer.status == .badRequest)
    }
    #expect(!page.contains("/desk/act/"))
  }

  @Test("Ten thousand charges are paged")
  func longHistory() async throws {
    let purchase = try await scene.linked()
    let id = purchase.originalTransactionID
    let records = (1...10_000).map { number in
      var record = PurchaseRecord(
        transactionID: "9\(1_000_000 + number)", originalTransactionID: id,
        productID: "reader.monthly")
      record.environment = .production
      record.purchaseDate = DeskScene.start + Double(number)
      record.expiresDate = DeskScene.start + Double(number + 1)
      record.signedDate = DeskScene.start
      return record
    }
    try await scene.store.write { unit in
      try await unit.purchases.record(
        transactions: records, environment: .production, now: DeskScene.start)
    }
    let cookie = try await scene.cookie()
    let page = await scene.get("/desk/purchases/\(id)", cookie: cookie).text
    #expect(page.matches(of: /<tr>/).count == 51)
    #expect(page.contains("page=2"))
    let last = await scene.get("/desk/purchases/\(id)?page=201", cookie: cookie).text
    #expect(last.matches(of: /<tr>/).count == 2)
    #expect(await scene.get("/desk/purchases/\(id)?page=9999", cookie: cookie).status == .ok)
  }

  @Test("An unknown page, a wrong method and a body that is too large have pages of their own")
  func failures() async throws {
    let cookie = try await scene.cookie()
    #expect(await scene.get("/desk/nothing", cookie: cookie).status == .notFound)
    #expect(await scene.get("/desk/purchases/abc", cookie: cookie).status == .notFound)
    let answer = await scene.post("/desk/customers/alice", [:], cookie: cookie)
    #expect(answer.status == 405)
    #expect(answer.headers["Allow"] == "GET")
    #expect(answer.text.contains("<!DOCTYPE html>"))
    let large = await scene.post(
      "/desk/sign-in", ["token": String(repeating: "x", count: 9000)], cookie: nil)
    #expect(large.status == 413)
  }
}
