import Foundation
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Ordered subscriptions at a login (entitlement rules, section 13)", .onEveryStore)
struct OrderRevalidationTests {
  private func ordered(_ scene: OrderScene) async throws -> OrderService {
    let service = try scene.service()
    scene.answer(.init(ends: 3600))
    _ = try await service.order(scene.order())
    return service
  }

  @Test("a user without a subscription has none, and nobody is asked")
  func none() async throws {
    let scene = try await OrderScene()
    #expect(try await scene.service().subscriptionForProfile(of: "u-1") == nil)
    #expect(scene.transport.urls.isEmpty)
  }

  @Test("B3: the level becomes that of the entry that ends last")
  func level() async throws {
    let scene = try await OrderScene()
    let service = try scene.service()
    scene.answer(.init(product: "com.example.snips.basic", ends: 60))
    _ = try await service.order(scene.order())
    scene.answer(.init(ends: 3600), latest: "bmV3ZXI=")
    scene.pass(30)
    let shown = try await service.subscriptionForProfile(of: "u-1")
    #expect(shown?.level == OrderScene.pro)
    #expect(shown?.expiration == OrderScene.start + 3600)
    let row = try await scene.row()
    #expect(row?.receiptData == "bmV3ZXI=")
    #expect(row?.validatedDate == OrderScene.start + 30)
  }

  @Test("a subscription of the Sandbox gives nothing once only Production counts")
  func environment() async throws {
    let scene = try await OrderScene()
    scene.answerInSandbox(.init(ends: 3600))
    _ = try await scene.service().order(scene.order())
    let fresh = try scene.service {
      $0.environments = [.production]
      $0.minimumRevalidationInterval = .seconds(600)
    }
    #expect(try await fresh.subscriptionForProfile(of: "u-1") == nil)
    let service = try scene.service { $0.environments = [.production] }
    scene.answer(status: 21005)
    #expect(try await service.subscriptionForProfile(of: "u-1") == nil)
    #expect(try await scene.row() != nil)
    scene.answerInSandbox(.init(ends: 3600))
    #expect(try await service.subscriptionForProfile(of: "u-1") == nil)
    #expect(try await scene.row() == nil)
    #expect(try await scene.owner(of: .apple("1000000000000001", in: .sandbox)) == "u-1")
  }

  @Test("a subscription of the Sandbox gives a tester nothing once testing has ended for all")
  func endOfTesting() async throws {
    let scene = try await OrderScene()
    let service = try scene.service {
      $0.environments = CountedEnvironments([.production], testers: ["u-1"])
    }
    scene.answerInSandbox(.init(ends: 3600))
    #expect(try await service.order(scene.order()).level == OrderScene.pro)
    scene.answer(status: 21005)
    try await TestingEnd(scene.store, now: { scene.now }).set()
    #expect(try await service.subscriptionForProfile(of: "u-1") == nil)
    #expect(await service.validateOnTokenRefresh(of: "u-1") == nil)
    try await TestingEnd(scene.store, now: { scene.now }).remove()
    #expect(try await service.subscriptionForProfile(of: "u-1")?.level == OrderScene.pro)
  }

  @Test("B4: while Apple says nothing, the stored subscription is shown, even past its end")
  func outage() async throws {
    let scene = try await OrderScene()
    let service = try await ordered(scene)
    let stored = try await scene.row()
    scene.pass(7200)
    let url = VerifyReceiptServer.production.url
    scene.transport.replace(url, ScriptedTransport.status(500))
    #expect(try await service.subscriptionForProfile(of: "u-1")?.level == OrderScene.pro)
    scene.answer(status: 21005)
    #expect(try await service.subscriptionForProfile(of: "u-1")?.level == OrderScene.pro)
    #expect(try await scene.row() == stored)
  }

  @Test("B5: if every entry has ended, the subscription is null, its row gone and its claim kept")
  func ended() async throws {
    let scene = try await OrderScene()
    let service = try await ordered(scene)
    scene.pass(3600)
    #expect(try await service.subscriptionForProfile(of: "u-1") == nil)
    #expect(try await scene.row() == nil)
    #expect(try await scene.owner(of: .apple("1000000000000001")) == "u-1")
  }

  @Test("B9: a token refresh succeeds while Apple is away, and after the end")
  func tokenRefresh() async throws {
    let scene = try await OrderScene()
    let service = try await ordered(scene)
    scene.pass(3600)
    scene.transport.replace(
      VerifyReceiptServer.production.url, ScriptedTransport.failure(.notConnected))
    await service.validateOnTokenRefresh(of: "u-1")
    #expect(try await scene.row() != nil)
    scene.answer(.init(ends: 3600))
    await service.validateOnTokenRefresh(of: "u-1")
    #expect(try await scene.row() == nil)
  }

  @Test("a vendor that does not answer within five seconds counts as unreachable")
  func slowVendor() async throws {
    let scene = try await OrderScene()
    _ = try await ordered(scene)
    let hanging = StubVendor(.apple) { _, _ in
      try? await Task.sleep(for: .seconds(3600))
      return .explicitFailure(ExplicitFailure(.expired))
    }
    let service = try scene.service(vendors: [hanging])
    async let shown = service.subscriptionForProfile(of: "u-1")
    await scene.clock.sleepers(reach: 1)
    scene.clock.advance(by: .milliseconds(4999))
    scene.clock.advance(by: .milliseconds(1))
    #expect(try await shown?.level == OrderScene.pro)
    #expect(try await scene.row() != nil)
  }

  @Test("within the interval after an answer nobody is asked")
  func interval() async throws {
    let scene = try await OrderScene()
    _ = try await ordered(scene)
    let service = try scene.service { $0.minimumRevalidationInterval = .seconds(600) }
    let asked = scene.transport.urls.count
    scene.pass(599)
    #expect(try await service.subscriptionForProfile(of: "u-1") != nil)
    #expect(scene.transport.urls.count == asked)
    scene.pass(1)
    #expect(try await service.subscriptionForProfile(of: "u-1") != nil)
    #expect(scene.transport.urls.count == asked + 1)
  }

  @Test("an order that arrives during a check is not overwritten by it")
  func overtaken() async throws {
    let scene = try await OrderScene()
    let service = try await ordered(scene)
    let slow = StubVendor(.apple) { _, _ in
      scene.answer(.init(original: "7", ends: 7200))
      _ = try? await service.order(scene.order())
      return .explicitFailure(ExplicitFailure(.expired))
    }
    let shown = try await scene.service(vendors: [slow]).subscriptionForProfile(of: "u-1")
    #expect(shown?.expiration == OrderScene.start + 7200)
    #expect(try await scene.row()?.purchaseKey == .apple("7"))
  }
}
