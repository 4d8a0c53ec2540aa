import Foundation
import InMemoryStorage
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Orders (entitlement rules, section 14)", .onEveryStore)
struct OrderTests {
  @Test("B1: a new order stores the receipt that Apple gave, and the end")
  func first() async throws {
    let scene = try await OrderScene()
    scene.answer(.init(ends: 3600))
    let end = OrderScene.start + 3600
    #expect(
      try await scene.service().order(scene.order())
        == UserSubscription(level: OrderScene.pro, vendor: .apple, expiration: end))
    #expect(
      try await scene.row()
        == OrderedSubscription(
          userID: "u-1", levelName: "Pro", purchaseKey: .apple("1000000000000001"),
          receiptData: "bGF0ZXN0", expiration: end, validatedDate: OrderScene.start))
    #expect(try await scene.owner(of: .apple("1000000000000001")) == "u-1")
  }

  @Test("without a latest receipt the posted one is kept")
  func posted() async throws {
    let scene = try await OrderScene()
    scene.answer(.init(ends: 3600), latest: nil)
    _ = try await scene.service().order(scene.order())
    #expect(try await scene.row()?.receiptData == OrderScene.receipt)
  }

  @Test("B2: ends are compared as numbers, not as texts")
  func numbers() async throws {
    let scene = try await OrderScene()
    scene.time.now = Date(timeIntervalSince1970: 1_700_000_000)
    scene.answer(
      """
      {"status":0,"receipt":{"bundle_id":"com.example.snips"},"latest_receipt_info":[\
      {"product_id":"com.example.snips.pro","transaction_id":"1","original_transaction_id":"1",\
      "expires_date_ms":"999999999999"},\
      {"product_id":"com.example.snips.basic","transaction_id":"2","original_transaction_id":"2",\
      "expires_date_ms":"1800000000000"}]}
      """)
    let bought = try await scene.service().order(scene.order())
    #expect(bought.level == OrderScene.basic)
    #expect(bought.expiration == Date(timeIntervalSince1970: 1_800_000_000))
  }

  @Test("B6: another user's receipt is refused, before and after that user's row was removed")
  func othersReceipt() async throws {
    let scene = try await OrderScene()
    let service = try scene.service()
    scene.answer(.init(ends: 3600))
    _ = try await service.order(scene.order())
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await service.order(scene.order(by: "u-2"))
    }
    scene.pass(3600)
    #expect(try await service.subscriptionForProfile(of: "u-1") == nil)
    #expect(try await scene.row() == nil)
    scene.answer(.init(ends: 7200))
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await service.order(scene.order(by: "u-2"))
    }
    #expect(try await scene.row(of: "u-2") == nil)
    #expect(try await service.order(scene.order()).expiration == OrderScene.start + 7200)
  }

  @Test("B7: the same order 20 times at once is one row and one claim")
  func equalOrders() async throws {
    let scene = try await OrderScene()
    let service = try scene.service()
    scene.answer(.init(ends: 3600))
    let answers = try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await service.order(scene.order()) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 20)
    #expect(Set(answers).count == 1)
    #expect(try await scene.row()?.purchaseKey == .apple("1000000000000001"))
    #expect(try await scene.owner(of: .apple("1000000000000001")) == "u-1")
  }

  @Test("of different purchases that a user orders at once the one that ends last is stored")
  func differentOrders() async throws {
    let scene = try await OrderScene()
    let service = try scene.service(
      vendors: [
        StubVendor(.google) { text, _ in
          .valid(
            VendorPurchase(
              productID: "pro_monthly", expiration: OrderScene.start + (Double(text) ?? 0),
              purchaseKey: .google(text)))
        }
      ])
    try await withThrowingTaskGroup { group in
      for seconds in 1...12 {
        group.addTask {
          _ = try await service.order(scene.order(vendor: .google, "\(seconds * 60)"))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await scene.row()?.purchaseKey == .google("720"))
    for seconds in 1...12 {
      #expect(try await scene.owner(of: .google("\(seconds * 60)")) == "u-1")
    }
  }

  @Test("two users with one receipt: one gets it, 20 times")
  func race() async throws {
    let scene = try await OrderScene()
    let service = try scene.service(
      vendors: [
        StubVendor { text, _ in
          .valid(
            VendorPurchase(
              productID: "pro_monthly", expiration: OrderScene.start + 60,
              purchaseKey: .google(text)))
        }
      ])
    for number in 0..<20 {
      let told = await withTaskGroup { group in
        for user in ["u-1", "u-2"] {
          group.addTask {
            do {
              _ = try await service.order(
                scene.order(by: AccountID(stored: user), vendor: .google, "token-\(number)"))
              return user
            } catch OrderFailure.refused(.alreadyUsed) {
              return ""
            } catch {
              return "\(error)"
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let owner = try await scene.owner(of: .google("token-\(number)"))?.rawValue
      #expect(told.sorted() == ["", owner])
    }
  }

  @Test("B8: a refunded entry ends with its refund, and an older one that is running decides")
  func refunded() async throws {
    let scene = try await OrderScene()
    scene.answer(
      .init(original: "2", ends: 7200, cancelled: -60),
      .init(product: "com.example.snips.basic", original: "1", ends: 60))
    let bought = try await scene.service().order(scene.order())
    #expect(bought.level == OrderScene.basic)
    #expect(try await scene.row()?.purchaseKey == .apple("1"))
  }

  @Test("B10: a receipt that belongs to the Sandbox is sent there once, and that answer counts")
  func otherServer() async throws {
    let scene = try await OrderScene()
    scene.answerInSandbox(.init(ends: 3600))
    _ = try await scene.service().order(scene.order())
    #expect(
      scene.transport.urls == [VerifyReceiptServer.production.url, VerifyReceiptServer.sandbox.url])
    #expect(try await scene.row()?.purchaseKey == .apple("1000000000000001", in: .sandbox))
  }

  @Test("an order with a purchase of the Sandbox is invalid where only Production counts")
  func sandbox() async throws {
    let scene = try await OrderScene()
    let service = try scene.service { $0.environments = [.production] }
    scene.answerInSandbox(.init(ends: 3600))
    await #expect(throws: OrderFailure.refused(.invalid)) {
      try await service.order(scene.order())
    }
    #expect(try await scene.row() == nil)
    #expect(try await scene.owner(of: .apple("1000000000000001", in: .sandbox)) == nil)
    // Whether it still runs is nothing to this host.
    scene.answerInSandbox(.init(ends: -3600))
    await #expect(throws: OrderFailure.refused(.invalid)) {
      try await service.order(scene.order())
    }
    scene.answerInSandbox(.init(ends: 3600))
    let shown = try await scene.service().order(scene.order())
    #expect(shown.environment == .sandbox)
    #expect(try await scene.row()?.environment == .sandbox)
  }

  @Test(
    "a tester orders a purchase of the Sandbox, by either identifier of the account",
    arguments: ["u-1", "union-1"])
  func tester(_ listed: String) async throws {
    let scene = try await OrderScene()
    scene.accounts.add(Account(id: "u-1", secondID: "union-1"))
    let service = try scene.service {
      $0.environments = CountedEnvironments(
        [.production], testers: [AccountID(stored: listed)])
    }
    scene.answerInSandbox(.init(ends: 3600))
    await #expect(throws: OrderFailure.refused(.invalid)) {
      try await service.order(scene.order(by: "u-2"))
    }
    for user: AccountID in ["u-1", "union-1"] {
      scene.answerInSandbox(.init(original: user == "u-1" ? "1" : "2", ends: 3600))
      #expect(try await service.order(scene.order(by: user)).environment == .sandbox)
      #expect(try await service.subscriptionForProfile(of: user)?.environment == .sandbox)
    }
  }

  @Test("B13: a vendor that the service does not have, and evidence of a wrong size, are refused")
  func vendors() async throws {
    let scene = try await OrderScene()
    let service = try scene.service()
    await #expect(throws: OrderFailure.unknownVendor) {
      try await service.order(scene.order(vendor: Vendor(rawValue: "amazon")))
    }
    for text in ["", "a\u{0}", String(repeating: "A", count: 1 << 20 | 1)] {
      await #expect(throws: OrderFailure.receiptSize) { try await service.order(scene.order(text)) }
    }
    #expect(scene.transport.urls.isEmpty)
  }

  @Test("after an incidental failure nothing is stored, and the failure says when to try again")
  func incidental() async throws {
    let scene = try await OrderScene()
    let failure = IncidentalFailure(.busy, retryAfter: .seconds(7))
    let service = try scene.service(vendors: [StubVendor { _, _ in .incidentalFailure(failure) }])
    await #expect(throws: OrderFailure.vendorUnavailable(failure)) {
      try await service.order(scene.order(vendor: .google))
    }
    #expect(try await scene.row() == nil)
  }

  @Test("an explicit failure removes the stored subscription only if it rests on the same purchase")
  func removal() async throws {
    let scene = try await OrderScene()
    let service = try scene.service()
    scene.answer(.init(ends: 3600))
    _ = try await service.order(scene.order())
    scene.answer(.init(original: "7", ends: -60))
    await #expect(throws: OrderFailure.refused(.expired)) {
      try await service.order(scene.order())
    }
    #expect(try await scene.row() != nil)
    scene.answer(.init(ends: 7200, cancelled: -1))
    await #expect(throws: OrderFailure.refused(.expired)) {
      try await service.order(scene.order())
    }
    #expect(try await scene.row() == nil)
    #expect(try await scene.owner(of: .apple("1000000000000001")) == "u-1")
  }

  @Test("a purchase that does not replace the stored one is claimed all the same")
  func claimedOnly() async throws {
    let scene = try await OrderScene()
    let service = try scene.service()
    scene.answer(.init(ends: 3600))
    _ = try await service.order(scene.order())
    scene.answer(.init(product: "com.example.snips.basic", original: "7", ends: 60))
    let shown = try await service.order(scene.order())
    #expect(shown.level == OrderScene.pro)
    #expect(try await scene.owner(of: .apple("7")) == "u-1")
  }

  @Test("the claim to an older token stays beside that to the one in its place")
  func linked() async throws {
    let scene = try await OrderScene()
    let service = try scene.service(
      vendors: [
        StubVendor { text, _ in
          .valid(
            VendorPurchase(
              productID: text == "new" ? "basic_monthly" : "pro_monthly",
              expiration: OrderScene.start + (text == "new" ? 60 : 3600),
              purchaseKey: .google(text),
              linkedPurchaseKeys: text == "new" ? [.google("old")] : []))
        }
      ])
    _ = try await service.order(scene.order(vendor: .google, "old"))
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await service.order(scene.order(by: "u-2", vendor: .google, "new"))
    }
    #expect(try await scene.owner(of: .google("new")) == nil)
    let shown = try await service.order(scene.order(vendor: .google, "new"))
    #expect(shown.level == OrderScene.basic)
    #expect(try await scene.owner(of: .google("new")) == "u-1")
    #expect(try await scene.owner(of: .google("old")) == "u-1")
  }

  @Test("a purchase with the app account token of another user is refused")
  func mark() async throws {
    let scene = try await OrderScene()
    let token = UUID()
    scene.accounts.add(Account(id: "u-2"), appAccountToken: token)
    let service = try scene.service(
      vendors: [
        StubVendor { _, _ in
          .valid(
            VendorPurchase(
              productID: "pro_monthly", expiration: OrderScene.start + 60,
              purchaseKey: .google("k"), accountMark: token.uuidString.lowercased()))
        }
      ])
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await service.order(scene.order(vendor: .google))
    }
    #expect(try await scene.owner(of: .google("k")) == nil)
    _ = try await service.order(scene.order(by: "u-2", vendor: .google))
  }

  @Test("levels that subscriptions have cannot be removed, others can")
  func levels() async throws {
    let scene = try await OrderScene()
    let service = try scene.service()
    scene.answer(.init(ends: 3600))
    _ = try await service.order(scene.order())
    await #expect(throws: OrderFailure.levelsInUse(["Pro"])) {
      try await service.replaceLevels(with: SubscriptionLevels([OrderScene.basic]))
    }
    #expect(try await service.levels().all == [OrderScene.basic, OrderScene.pro])
    try await service.replaceLevels(with: SubscriptionLevels([OrderScene.pro]))
    #expect(try await service.levels().all == [OrderScene.pro])
  }
}
