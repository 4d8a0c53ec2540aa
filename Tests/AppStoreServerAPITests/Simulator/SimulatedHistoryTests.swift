import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import Testing

@Suite("The simulator's transaction history")
struct SimulatedHistoryTests {
  @Test("any identifier of the customer finds all transactions, finished consumables included")
  func anyIdentifier() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    try scene.appStore.finish(coffee)
    let monthly = try scene.appStore.buy("reader.monthly")
    let renewal = try scene.appStore.renew(monthly)
    try scene.appStore.buy("reader.coffee", by: "somebody else")
    for id in [
      coffee.transactionID, renewal.transactionID, monthly.originalTransactionID,
      monthly.appTransactionID,
    ] {
      let page = try await scene.get("/inApps/v2/history/\(id)")
      let transactions = try scene.transactions(page)
      #expect(
        transactions.map(\.transactionID) == [
          coffee.transactionID, monthly.transactionID, renewal.transactionID,
        ])
      #expect(Set(transactions.map(\.appTransactionID)) == [monthly.appTransactionID])
      #expect(page["hasMore"] == .boolean(false))
      #expect(page["bundleId"] == .string("com.example.reader"))
      #expect(page["appAppleId"] == .integer(1_234_567_890))
      #expect(page["environment"] == .string("Production"))
      #expect(page["revision"]?.string?.isEmpty == false)
    }
  }

  @Test("pages follow each other without gaps", arguments: ["ASCENDING", "DESCENDING"])
  func paging(sort: String) async throws {
    let scene = try ServerAPIScene { $0.pageSize = 3 }
    var bought: [String] = []
    for _ in 1...10 {
      bought.append(try scene.appStore.buy("reader.coffee").transactionID)
      scene.pass(1)
    }
    let (ids, pages, _) = try await scene.allPages("/inApps/v2/history/\(bought[4])?sort=\(sort)")
    #expect(ids == (sort == "ASCENDING" ? bought : bought.reversed()))
    #expect(pages == 4)
  }

  @Test("a page has 20 transactions at most")
  func pageSize() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 50 }
    for _ in 1...21 { try scene.appStore.buy("reader.coffee") }
    let first = try scene.appStore.buy("reader.coffee")
    let page = try await scene.get("/inApps/v2/history/\(first.transactionID)")
    #expect(page["signedTransactions"]?.list.count == 20)
    #expect(page["hasMore"] == .boolean(true))
  }

  @Test("a stored revision yields what is new or changed, and then nothing")
  func storedRevision() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 2 }
    let first = try scene.appStore.buy("reader.coffee")
    let second = try scene.appStore.buy("reader.lifetime")
    let monthly = try scene.appStore.buy("reader.monthly")
    let target = "/inApps/v2/history/\(first.transactionID)"
    let read = try await scene.allPages(target)
    #expect(read.ids.count == 3)

    scene.pass(1)
    try scene.appStore.refund(second)
    let upgraded = try scene.appStore.upgrade(monthly, to: "reader.premium")
    let more = "?revision=" + escaped(read.revision)
    let page = try await scene.get(target + more)
    // A transaction that changes comes again.
    let again = try scene.transactions(page)
    #expect(again.map(\.transactionID) == [second.transactionID, monthly.transactionID])
    #expect(again[0].revocationDate == scene.appStore.now)
    #expect(again[1].isUpgraded == true)
    #expect(page["hasMore"] == .boolean(true))
    let next = try #require(page["revision"]?.string)
    let last = try await scene.get(target + "?revision=" + escaped(next))
    #expect(try scene.transactions(last).map(\.transactionID) == [upgraded.transactionID])
    let end = try #require(last["revision"]?.string)
    let nothing = try await scene.get(target + "?revision=" + escaped(end))
    #expect(nothing["signedTransactions"] == .array([]))
    #expect(nothing["hasMore"] == .boolean(false))
    #expect(nothing["revision"]?.string == end)
  }

  @Test("version 1 of the history has no finished consumables, except refunded ones")
  func version1() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    let monthly = try scene.appStore.buy("reader.monthly")
    let finish = "/inApps/v1/transactions/\(coffee.transactionID)/finish"
    func ids(_ version: Int) async throws -> [String?] {
      let page = try await scene.get("/inApps/v\(version)/history/\(monthly.transactionID)")
      return try scene.transactions(page).map(\.transactionID)
    }
    let both = [coffee.transactionID, monthly.transactionID]
    #expect(try await ids(1) == both)
    #expect(try await scene.send(.post, finish).status == .ok)
    #expect(try await ids(1) == [monthly.transactionID])
    #expect(try await ids(2) == both)
    try scene.appStore.refund(coffee)
    #expect(try await ids(1) == [monthly.transactionID, coffee.transactionID])
  }

  @Test("a filter is true or false in any case, as Apple's own client for Python writes it")
  func flags() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    let target = "/inApps/v2/history/\(coffee.transactionID)?revoked="
    #expect(try await scene.get(target + "False")["signedTransactions"]?.list.count == 1)
    #expect(try await scene.get(target + "True")["signedTransactions"]?.list.isEmpty == true)
    #expect(try await scene.code(.get, target + "1") == 4_000_030)
  }

  @Test("a transaction that changes during paging moves to the end")
  func changeDuringPaging() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 1 }
    let first = try scene.appStore.buy("reader.coffee")
    let second = try scene.appStore.buy("reader.lifetime")
    let target = "/inApps/v2/history/\(first.transactionID)"
    let page = try await scene.get(target)
    try scene.appStore.refund(first)
    var ids: [String?] = []
    var revision = page["revision"]?.string ?? ""
    for _ in 1...2 {
      let page = try await scene.get(target + "?revision=" + escaped(revision))
      ids += try scene.transactions(page).map(\.transactionID)
      revision = page["revision"]?.string ?? ""
    }
    #expect(ids == [second.transactionID, first.transactionID])
  }

  @Test("a revision is bound to its customer, its filters and its simulator")
  func foreignRevisions() async throws {
    let scene = try ServerAPIScene { $0.pageSize = 1 }
    let mine = try scene.appStore.buy("reader.coffee")
    try scene.appStore.buy("reader.coffee")
    let theirs = try scene.appStore.buy("reader.coffee", by: "bob")
    let page = try await scene.get("/inApps/v2/history/\(mine.transactionID)")
    let revision = try #require(page["revision"]?.string)
    let query = "?revision=" + escaped(revision)
    for target in [
      "/inApps/v2/history/\(theirs.transactionID)\(query)",
      "/inApps/v2/history/\(mine.transactionID)\(query)&productType=CONSUMABLE",
      "/inApps/v2/history/\(mine.transactionID)?revision=abc",
      // A plus sign that was not escaped is a space.
      "/inApps/v2/history/\(mine.transactionID)?revision=\(revision)",
    ] {
      #expect(try await scene.code(.get, target) == 4_000_005, "\(target)")
    }
    let other = try ServerAPIScene()
    try other.appStore.buy("reader.coffee")
    #expect(
      try await other.code(.get, "/inApps/v2/history/\(mine.transactionID)\(query)") == 4_000_005)
  }

  @Test("filters choose, values of one as or, different ones as and")
  func filters() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    scene.pass(1)
    let start = scene.appStore.now
    let lifetime = try scene.appStore.buy("reader.lifetime")
    let monthly = try scene.appStore.buy("reader.monthly")
    scene.pass(1)
    let end = scene.appStore.now
    let course = try scene.appStore.buy("reader.course")
    try scene.appStore.refund(lifetime)
    let dates = (scene.milliseconds(start), scene.milliseconds(end))
    for (query, expected) in [
      ("startDate=\(dates.0)", [monthly, course, lifetime]),
      ("endDate=\(dates.0)", [coffee]),
      ("startDate=\(dates.0)&endDate=\(dates.1)", [monthly, lifetime]),
      ("endDate=99999999999999", [coffee, monthly, course, lifetime]),
      ("productId=reader.coffee&productId=reader.course", [coffee, course]),
      ("productType=CONSUMABLE&productType=NON_RENEWABLE", [coffee, course]),
      ("productType=AUTO_RENEWABLE", [monthly]),
      ("productType=NON_CONSUMABLE", [lifetime]),
      ("productType=CONSUMABLE&productId=reader.course", []),
      ("subscriptionGroupIdentifier=20000001", [monthly]),
      ("inAppOwnershipType=PURCHASED", [coffee, monthly, course, lifetime]),
      ("inAppOwnershipType=FAMILY_SHARED", []),
      ("revoked=true", [lifetime]),
      ("revoked=false", [coffee, monthly, course]),
      ("sort=DESCENDING", [lifetime, course, monthly, coffee]),
    ] {
      let page = try await scene.get("/inApps/v2/history/\(coffee.transactionID)?\(query)")
      #expect(
        try scene.transactions(page).map(\.transactionID) == expected.map(\.transactionID),
        "\(query)")
    }
  }

  @Test(
    "a wrong filter is refused with its code",
    arguments: [
      ("startDate=x", 4_000_015), ("startDate=1.5", 4_000_015), ("endDate=x", 4_000_016),
      ("startDate=2&endDate=2", 4_000_016), ("sort=NEWEST", 4_000_021),
      ("productType=Consumable", 4_000_022), ("productId=", 4_000_023),
      ("subscriptionGroupIdentifier=", 4_000_024), ("excludeRevoked=1", 4_000_025),
      ("inAppOwnershipType=MINE", 4_000_026), ("revoked=yes", 4_000_030),
    ])
  func wrongFilter(query: String, code: Int) async throws {
    let scene = try ServerAPIScene()
    let id = try scene.appStore.buy("reader.coffee").transactionID
    #expect(try await scene.code(.get, "/inApps/v2/history/\(id)?\(query)") == code)
  }

  @Test("identifiers that are none are refused, and unknown ones are not found")
  func identifiers() async throws {
    let scene = try ServerAPIScene()
    for id in ["abc", "1a", "-1", "0", "123456789012345678901", "1%2F2"] {
      #expect(try await scene.code(.get, "/inApps/v2/history/\(id)") == 4_000_006, "\(id)")
    }
    #expect(try await scene.code(.get, "/inApps/v2/history/12") == 4_040_010)
  }

  @Test("the host of the other environment knows none of the identifiers")
  func otherHost() async throws {
    for environment in [AppStoreEnvironment.production, .sandbox] {
      let scene = try ServerAPIScene(environment)
      let id = try scene.appStore.buy("reader.monthly").transactionID
      let other =
        environment == .production ? ServerAPIScene.sandbox : ServerAPIScene.production
      for target in [
        "/inApps/v2/history/\(id)", "/inApps/v1/transactions/\(id)",
        "/inApps/v1/subscriptions/\(id)", "/inApps/v2/refund/lookup/\(id)",
        "/inApps/v1/transactions/appTransactions/\(id)",
      ] {
        #expect(try await scene.code(.get, target, host: other) == 4_040_010, "\(target)")
        #expect(try await scene.send(.get, target).status == .ok, "\(target)")
      }
    }
  }

  @Test("the Sandbox leaves out Apple's number of the app")
  func sandbox() async throws {
    let scene = try ServerAPIScene(.sandbox)
    let id = try scene.appStore.buy("reader.monthly").transactionID
    let page = try await scene.get("/inApps/v2/history/\(id)")
    #expect(page["appAppleId"] == nil)
    #expect(page["environment"] == .string("Sandbox"))
  }
}
