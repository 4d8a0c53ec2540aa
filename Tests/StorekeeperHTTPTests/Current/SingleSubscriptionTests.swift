import InMemoryStorage
import ReceiptVerifier
import HTTPMessages
import PurchaseStorage
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("GET and PATCH /apple/subs/{id}, GET /apple/receipt/{id}")
struct SingleSubscriptionTests {
  static let strange = [
    "0x1", "abc", "1a", "-1", "%31", "1%20", "..", "%2e%2e", "%2Fetc%2Fpasswd", "1;2", "１",
    String(repeating: "1", count: 65), String(repeating: "9", count: 5000),
  ]

  @Test("GET answers with the subscription, whoever owns it")
  func load() async throws {
    let scene = try APIScene()
    _ = try await scene.bought()
    let response = try await scene.send(.get, "/apple/subs/\(APIScene.firstID)?anything=1")
    #expect(response.status == 200)
    #expect(response.json == (try json(VerifyReceiptTests.stored)))
  }

  @Test("a client that has the subscription gets 304 without a body until it or its use changes")
  func tags() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    let path = "/apple/subs/\(APIScene.firstID)"
    let tag = try #require(await scene.send(.get, path).headers[.entityTag])
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let same = try await scene.send(.get, path, headers: [.ifNoneMatch: known])
      #expect(same.status == 304 && same.body.isEmpty, "\(known)")
      #expect(same.headers[.entityTag] == tag)
      // Every answer of the contract forbids that it is kept (linking rules, section 6.1).
      #expect(same.headers[.cacheControl] == "no-cache, no-store, must-revalidate")
    }
    for other in ["\"x\"", "x", String(tag.dropLast(2)) + "\""] {
      #expect(try await scene.send(.get, path, headers: [.ifNoneMatch: other]).status == .ok)
    }
    // A membership uses it now; then Apple has renewed it.
    _ = try await scene.send(
      .post, "/apple/link", #"{"ftcId":"alice","originalTxId":"\#(APIScene.firstID)"}"#)
    let used = try await scene.send(.get, path, headers: [.ifNoneMatch: tag])
    #expect(used.status == .ok && used.json?["inUse"] == .boolean(true))
    let usedTag = try #require(used.headers[.entityTag])
    scene.appStore.clock.advance(by: .seconds(10))
    _ = try scene.appStore.renew(purchase)
    _ = try await scene.send(.patch, path)
    let renewed = try await scene.send(.get, path, headers: [.ifNoneMatch: usedTag])
    #expect(renewed.status == .ok && renewed.headers[.entityTag] != usedTag)
  }

  @Test("an id that is not stored is 404, whatever the client has")
  func unknownTag() async throws {
    let scene = try APIScene()
    let answer = try await scene.send(.get, "/apple/subs/42", headers: [.ifNoneMatch: "*"])
    #expect(answer.refusal == .notFound && answer.headers[.entityTag] == nil)
  }

  @Test("an id that is not stored is 404")
  func notStored() async throws {
    let scene = try APIScene()
    for (method, path) in [
      (HTTPRequestMethod.get, "/apple/subs/42"), (.patch, "/apple/subs/42"),
      (.get, "/apple/receipt/42"),
    ] {
      #expect(try await scene.send(method, path).refusal == .notFound)
    }
  }

  @Test("an id of other than 1 to 64 digits is 404 and touches nothing", arguments: strange)
  func strangeIDs(id: String) async throws {
    // This store fails whatever it is asked.
    let scene = try APIScene(store: brokenStore())
    #expect(try await scene.send(.get, "/apple/subs/\(id)").refusal == .notFound)
    #expect(try await scene.send(.patch, "/apple/subs/\(id)").refusal == .notFound)
    #expect(try await scene.send(.get, "/apple/receipt/\(id)").refusal == .notFound)
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("PATCH asks Apple again and answers with what is stored then; its body is ignored")
  func refresh() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    scene.appStore.clock.advance(by: .seconds(10))
    _ = try scene.appStore.renew(purchase)
    let response = try await scene.send(
      .patch, "/apple/subs/\(APIScene.firstID)", "not json at all")
    #expect(response.status == 200)
    #expect(response.json?["expiresDateUtc"] == .string("2024-01-13T22:13:20Z"))
    #expect(response.json?["createdUtc"] == .string("2023-11-14T22:13:20Z"))
    #expect(response.json?["updatedUtc"] == .string("2023-11-14T22:13:30Z"))
  }

  @Test("PATCH asks the server of the stored row, whatever the mount")
  func refreshServer() async throws {
    let scene = try APIScene(environment: .sandbox)
    let id = try await scene.bought().originalTransactionID
    let asked = scene.appStore.requests.count
    #expect(try await scene.send(.patch, "/apple/subs/\(id)", on: "/api/v1").status == 200)
    #expect(scene.appStore.requests.dropFirst(asked).map(\.server) == [.sandbox])
  }

  @Test("PATCH has the errors of verifying")
  func refreshErrors() async throws {
    let scene = try APIScene()
    _ = try await scene.bought()
    let path = "/apple/subs/\(APIScene.firstID)"
    scene.appStore.fail(with: .status(.accountNotFound))
    #expect(
      try await scene.send(.patch, path).refusal
        == .unverified("verification response error: status 21010"))
    scene.appStore.fail(with: .html)
    #expect(
      try await scene.send(.patch, path).refusal == .unverified("verification request failed"))
    let stored = try await scene.send(.get, path)
    #expect(stored.json == (try json(VerifyReceiptTests.stored)))
  }

  @Test("PATCH of a product that is no longer known, and of the other environment, is refused")
  func refreshRefusals() async throws {
    let store = InMemoryPurchaseStore()
    let purchase = try await APIScene(store: store).bought()
    let forgetful = try APIScene(store: store, products: ProductMap([:]))
    _ = try forgetful.appStore.buy(APIScene.monthly, by: purchase.customer)
    let path = "/apple/subs/\(APIScene.firstID)"
    #expect(try await forgetful.send(.patch, path).refusal == .unknownProduct)

    let mixed = try APIScene()
    try await mixed.storeForSandbox()
    let other = try mixed.appStore.buy(APIScene.monthly)
    let receipt = StoredReceipt(
      originalTransactionID: APIScene.firstID, environment: .sandbox,
      receipt: try other.receipt, asOf: APIScene.start)
    try await mixed.store.write { records in
      try await records.purchases.put(receipt, now: APIScene.start)
    }
    // Apple's Sandbox says that the receipt is of Production.
    #expect(
      try await mixed.send(.patch, path).refusal
        == .unverified("verification response error: status 21008"))
  }

  @Test("a row without its receipt is 404 for PATCH and for GET receipt")
  func noReceipt() async throws {
    let scene = try APIScene()
    try await scene.storeForSandbox()
    #expect(try await scene.send(.get, "/apple/subs/\(APIScene.firstID)").status == 200)
    #expect(
      try await scene.send(.patch, "/apple/subs/\(APIScene.firstID)").refusal == .notFound)
    #expect(
      try await scene.send(.get, "/apple/receipt/\(APIScene.firstID)").refusal == .notFound)
  }

  @Test("GET receipt answers with the subscription and Apple's receipt, slashes as they are")
  func receipt() async throws {
    let scene = try APIScene()
    _ = try await scene.bought()
    let response = try await scene.send(.get, "/apple/receipt/\(APIScene.firstID)")
    #expect(response.status == 200)
    guard case .object(var members)? = response.json, case .string(let text)? = members["receipt"]
    else {
      Issue.record("no receipt")
      return
    }
    members["receipt"] = nil
    #expect(JSONValue.object(members) == (try json(VerifyReceiptTests.stored)))
    let stored = try await scene.store.read { records in
      try await records.purchases.receipt(of: APIScene.firstID, environment: .production)
    }
    #expect(text == stored?.receipt)
    #expect(text.utf8.contains(UInt8(ascii: "/")))
    #expect(!response.body.contains(UInt8(ascii: "\\")))
  }

  @Test("fs=true reads the disk only, whichever cache it is")
  func disk() async throws {
    let path = "/apple/receipt/\(APIScene.firstID)"
    let without = try APIScene()
    _ = try await without.bought()
    #expect(try await without.send(.get, path + "?fs=true").refusal == .notFound)
    for query in ["?fs=false", "?fs=", "?fs", "?fs=1", "?fs=%FF", "?FS=true"] {
      #expect(try await without.send(.get, path + query).status == 200)
    }
    let elsewhere = try APIScene(receiptCaches: [InMemoryReceiptStore()])
    _ = try await elsewhere.bought()
    #expect(try await elsewhere.send(.get, path + "?fs=true").refusal == .notFound)
    let disk = InMemoryReceiptStore(isOnDisk: true)
    let with = try APIScene(receiptCaches: [InMemoryReceiptStore(), disk])
    _ = try await with.bought()
    #expect(try await with.send(.get, path + "?fs=true").status == 200)
    try disk.remove(APIScene.firstID, environment: .production)
    #expect(try await with.send(.get, path + "?fs=true").refusal == .notFound)
    #expect(try await with.send(.get, path).status == 200)
  }
}
