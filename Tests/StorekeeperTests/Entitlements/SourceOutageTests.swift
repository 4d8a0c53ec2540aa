import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("The outage of one source", .onEveryStore)
struct SourceOutageTests {
  @Test(
    "one app's refused key holds up no user of another app, in whatever order the apps are named",
    arguments: [DrawScene.draw, DrawScene.paint])
  func refusedKey(first: String) async throws {
    let scene = try await OutageScene(firstApp: first)
    try await scene.buy("full.yearly", by: "u-1")
    let paint = try await scene.buyPaint(by: "u-2")
    // An app that Production does not know is refused so, too.
    scene.drawAPI.fail(.unauthorized)
    var renewals = 0
    for day in 1...40 {
      scene.pass(1)
      if day % 30 == 0 {
        _ = try scene.draw.paintStore.renew(paint)
        renewals += 1
      }
      try await scene.service.revalidateDue()
      let well = try await scene.products(of: "u-2", in: DrawScene.paint)
      #expect(well.isSubscriber && !well.isStale && !well.isSuspended, "day \(day)")
      #expect(try await scene.products(of: "u-2").isSubscriber, "day \(day)")
    }
    #expect(
      try await scene.products(of: "u-2").subscription?.subscription.expiresDate
        == ServiceScene.start + Double(30 * (renewals + 1)) * 86_400)
    let restored = try await scene.service.restore("u-2", in: DrawScene.paint)
    #expect(restored.failed.isEmpty)
    // Nobody could speak about the other one's.
    let failed = try await scene.products(of: "u-1")
    #expect(!failed.isSubscriber && failed.isStale && failed.isSuspended)
    scene.drawAPI.fail(nil)
    scene.pass(1)
    try await scene.service.revalidateDue()
    let healed = try await scene.products(of: "u-1")
    #expect(healed.isSubscriber && !healed.isStale && !healed.isSuspended)
  }

  @Test("Google's API is disabled, a year at Apple runs on: thirty runs suspend nobody")
  func otherVendor() async throws {
    let scene = try await OutageScene()
    let android = try await scene.subscribeAtGoogle()
    _ = try scene.play.cancel(android)
    scene.pass(31)
    #expect(try await scene.service.restore("u-1", in: DrawScene.draw).failed.isEmpty)
    try await scene.buy("full.yearly")
    scene.play.fail(next: nil, with: .accessNotConfigured)
    for day in 1...30 {
      scene.pass(1)
      try await scene.service.revalidateDue()
      // The host asks as well.
      if day % 10 == 0 { try await scene.service.restore("u-1", in: DrawScene.draw) }
      let answer = try await scene.products()
      #expect(answer.isSubscriber && !answer.isSuspended, "day \(day)")
      #expect(answer.subscription?.isSuspended == false)
    }
    let state = try #require(try await scene.draw.validation())
    #expect(state.validatedDate == scene.now, "Apple answered")
    #expect(try await scene.products().isStale, "Google did not")
    scene.play.stopFailing()
    #expect(try await scene.service.restore("u-1", in: DrawScene.draw).failed.isEmpty)
    #expect(try await !scene.products().isStale)
  }

  @Test("a long outage of one vendor suspends what only that vendor speaks about")
  func suspendsItsOwn() async throws {
    let scene = try await OutageScene()
    try await scene.buy("full.yearly")
    let android = try await scene.subscribeAtGoogle(by: "u-2")
    _ = android
    scene.play.fail(next: nil, with: .accessNotConfigured)
    let first = scene.now
    _ = try await scene.service.restore("u-2", in: DrawScene.draw)
    scene.pass(14)
    let lost = try await scene.products(of: "u-2")
    #expect(lost.validation?.firstFailureDate == first)
    #expect(!lost.isSubscriber && lost.isSuspended && lost.isStale)
    #expect(try await scene.products(of: "u-1").isSubscriber)
  }

  @Test("a source that is down is asked once in a run, however many users it has")
  func askedOnce() async throws {
    let scene = try await OutageScene()
    for user in ["u-1", "u-2", "u-3"] {
      try await scene.buy("full.monthly", by: AccountID(stored: user))
    }
    try await scene.buyPaint(by: "u-4")
    scene.pass(14)
    scene.drawAPI.fail(.unauthorized)
    let before = scene.drawAPI.count.withLock { $0 }
    #expect(try await scene.service.revalidateDue() == RevalidationRun(succeeded: 1, failed: 3))
    #expect(scene.drawAPI.count.withLock { $0 } == before + 1)
    for user in ["u-1", "u-2", "u-3"] {
      #expect(try await scene.products(of: AccountID(stored: user)).isStale)
    }
    #expect(try await !scene.products(of: "u-4", in: DrawScene.paint).isStale)
  }

  @Test("a purchase whose app is not known is asked of every source of its vendor")
  func unknownApp() async throws {
    let scene = try await ServiceScene()
    let paint = try AppStoreSimulator(
      bundleID: DrawScene.paint, products: [], appAppleID: 987_654_321
    ) {
      $0.authority = scene.appStore.authority
      $0.signedDataAuthority = scene.appStore.signedDataAuthority
      $0.clock = scene.appStore.clock
      $0.start = ServiceScene.start
    }
    let verifier = try SignedDataVerifier(
      apps: [
        App(bundleID: ServiceScene.bundleID, appAppleID: scene.appStore.appAppleID),
        App(bundleID: DrawScene.paint, appAppleID: paint.appAppleID),
      ], environments: [.production, .sandbox],
      trustAnchors: [scene.appStore.signedDataAuthority.trustAnchor],
      now: { scene.appStore.now })
    let refused = ServerAPI(paint)
    refused.fail(.unauthorized)
    let incidents = Incidents()
    let service = try SubscriptionService(
      PurchaseContext(
        store: scene.store, accounts: scene.accounts,
        sources: [
          try ServerScene.client(of: paint, refused, verifier),
          try ServerScene.client(of: scene.appStore, scene.appStore, verifier),
        ], now: { scene.appStore.now }, report: { incidents.add($0) }),
      products: ServiceScene.products)
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    try await service.record(
      scene.transaction(purchase), renewalInfo: scene.renewalInfo(purchase))
    scene.appStore.clock.advance(by: .days(30))
    let renewal = try scene.appStore.renew(purchase)
    let renewed = try await service.refresh(purchase.originalTransactionID)
    #expect(renewed.lastTransactionID == renewal.transactionID)
    #expect(incidents.all.count == 1)
    // The other app does not know the purchase, and who might have known it was not heard.
    refused.fail(nil)
    #expect(try await service.refresh(purchase.originalTransactionID).expiresDate > scene.now)
  }
}

@Suite("What proves the state of a purchase ends its failure", .onEveryStore)
struct EndedFailureTests {
  @Test("without periodic validation, renewals that Apple tells end the failure of a question")
  func notifications() async throws {
    let scene = try await OutageScene { $0.periodicValidation = false }
    let full = try await scene.buy("full.monthly")
    scene.drawAPI.fail(.internalServerError)
    #expect(
      try await scene.service.validate(for: "u-1", in: DrawScene.draw).entitlements.isStale)
    var last = full
    for _ in 1...3 {
      scene.pass(30)
      let renewal = try scene.draw.appStore.renew(last)
      try await scene.notifications.receive(signedPayload: renewal.notification.signedPayload)
      last = renewal
      let answer = try await scene.products()
      #expect(answer.isSubscriber && !answer.isStale && !answer.isSuspended)
    }
    #expect(try await scene.draw.validation()?.firstFailureDate == nil)
    #expect(try await scene.draw.validation()?.nextValidationDate == nil)
  }

  @Test("a notification about one purchase says nothing about another")
  func other() async throws {
    let scene = try await OutageScene()
    let full = try await scene.buy("full.monthly")
    try await scene.subscribeAtGoogle()
    scene.drawAPI.fail(.internalServerError)
    scene.play.fail(next: nil, with: .backendError)
    let first = scene.now
    #expect(try await scene.service.restore("u-1", in: DrawScene.draw).failed.count == 2)
    let plan = try await scene.draw.validation()?.nextValidationDate
    scene.pass(1)
    let refund = try scene.draw.appStore.refund(full)
    try await scene.notifications.receive(signedPayload: refund.signedPayload)
    let state = try #require(try await scene.draw.validation())
    #expect(state.firstFailureDate == first)
    #expect(state.nextValidationDate == plan)
    scene.pass(13)
    let answer = try await scene.products()
    #expect(!answer.isSubscriber && answer.isStale)
  }

  @Test("an upload ends the failure of what it holds")
  func upload() async throws {
    let scene = try await OutageScene()
    let full = try await scene.buy("full.monthly")
    scene.drawAPI.fail(.internalServerError)
    _ = try await scene.service.restore("u-1", in: DrawScene.draw)
    #expect(try await scene.products().isStale)
    scene.pass(1)
    let answer = try await scene.service.validate(
      UploadedEvidence(signedTransactions: [try full.signedTransactionInfo]), for: "u-1",
      in: DrawScene.draw)
    #expect(!answer.entitlements.isStale)
    #expect(try await scene.draw.validation()?.firstFailureDate == nil)
  }
}

@Suite("A state that another unit of work has written since", .onEveryStore)
struct WrittenStateTests {
  @Test("a worker that puts a row off writes nothing back")
  func postponed() async throws {
    let scene = try await OutageScene()
    let full = try await scene.buy("full.monthly")
    scene.drawAPI.fail(.serviceUnavailable)
    _ = try await scene.service.restore("u-1", in: DrawScene.draw)
    scene.pass(1)
    // The worker leases the row with the failure, and the client is faster than its answer.
    let wasLeased = Locked(false)
    let store = WrappedStore(scene.draw.store) { access, unit in
      try await unit()
      let isLease =
        access == .writing
        && wasLeased.withLock { was in
          defer { was = true }
          return !was
        }
      guard isLease else { return }
      try await scene.service.validate(
        UploadedEvidence(signedTransactions: [full.signedTransactionInfo]), for: "u-1",
        in: DrawScene.draw)
    }
    let worker = try EntitlementService(
      PurchaseContext(store: store, accounts: UnlistedAccounts(), now: { scene.now }), apps: [])
    #expect(try await worker.revalidateDue() == RevalidationRun(succeeded: 1))
    #expect(wasLeased.withLock { $0 })
    let state = try #require(try await scene.draw.validation())
    #expect(state.firstFailureDate == nil)
    #expect(state.validatedDate == scene.now)
    #expect(state.nextValidationDate == scene.now + 7 * 86_400)
  }

  @Test("a user who is erased while a store is asked leaves no row")
  func erasedMeanwhile() async throws {
    let scene = try await OutageScene()
    _ = try await scene.buy("full.monthly")
    scene.pass(7 * 86_400)
    let eraser = AccountEraser(scene.service.context)
    scene.drawAPI.meanwhile.withLock { $0 = { try await eraser.erase("u-1") } }
    _ = try await scene.service.revalidateDue()
    #expect(scene.drawAPI.meanwhile.withLock { $0 == nil })
    let state = try await scene.service.store.read { unit in
      try await unit.validations.find("u-1", bundleID: DrawScene.draw)
    }
    #expect(state == nil)
  }

  @Test(
    "a question that fails after a proof which came meanwhile is no failure",
    arguments: [true, false])
  func overtakenQuestion(isUpload: Bool) async throws {
    let scene = try await OutageScene { $0.periodicValidation = false }
    let full = try await scene.buy("full.monthly")
    scene.drawAPI.fail(.serviceUnavailable)
    scene.drawAPI.meanwhile.withLock {
      $0 = {
        scene.pass(1)
        guard isUpload else {
          let refund = try scene.draw.appStore.refund(full)
          return try await scene.notifications.receive(signedPayload: refund.signedPayload)
        }
        try await scene.service.validate(
          UploadedEvidence(signedTransactions: [full.signedTransactionInfo]), for: "u-1",
          in: DrawScene.draw)
      }
    }
    #expect(try await scene.service.restore("u-1", in: DrawScene.draw).failed.count == 1)
    #expect(try await !scene.products().isStale)
    #expect(try await scene.draw.validation()?.firstFailureDate == nil)
    // The next one is.
    _ = try await scene.service.restore("u-1", in: DrawScene.draw)
    #expect(try await scene.products().isStale)
  }

  @Test("a user's first uploads at once are all in the state, and so is the failure of one")
  func first() async throws {
    let scene = try await OutageScene()
    for round in 0..<5 {
      let user = AccountID(stored: "user-\(round)")
      let names = ["frames", "paper", "full.yearly", "lite.monthly"]
      let tokens = try names.map { name in
        try scene.draw.appStore.buy(DrawScene.id(name), by: "\(user)-\(name)")
          .signedTransactionInfo
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for token in tokens {
          group.addTask {
            try await scene.service.validate(
              UploadedEvidence(signedTransactions: [token]), for: user, in: DrawScene.draw)
          }
        }
        try await group.waitForAll()
      }
      let answer = try await scene.products(of: user)
      #expect(answer.purchasedProducts == DrawScene.ids("frames", "paper"))
      // The plan follows from all of them: seven days are less than half of a month.
      #expect(answer.validation?.validatedDate == scene.now)
      #expect(answer.validation?.nextValidationDate == scene.now + 7 * 86_400)
    }
  }
}

@Suite("A user without evidence is asked about in every app that counts", .onEveryStore)
struct BundledQuestionTests {
  @Test("who bought in the bundled app has a status here, and can restore")
  func bundled() async throws {
    let scene = try await OutageScene()
    let paint = try await scene.buyPaint()
    scene.pass(30)
    _ = try scene.draw.paintStore.renew(paint)
    let answer = try await scene.service.validate(for: "u-1", in: DrawScene.draw)
    #expect(answer.isAssociated && answer.entitlements.isSubscriber)
    #expect(
      answer.entitlements.subscription?.subscription.expiresDate
        == ServiceScene.start + 60 * 86_400)
    scene.pass(30)
    _ = try scene.draw.paintStore.renew(paint)
    let restored = try await scene.service.restore("u-1", in: DrawScene.draw)
    #expect(restored.failed.isEmpty)
    #expect(
      restored.entitlements.subscription?.subscription.expiresDate
        == ServiceScene.start + 90 * 86_400)
    #expect(
      try await entitlementFailure {
        try await scene.service.restore("nobody", in: DrawScene.draw)
      } == .receiptMissing)
  }

  @Test("the bundled app's outage is its own, and is told where its subscription is shown")
  func outage() async throws {
    let scene = try await OutageScene()
    try await scene.buyPaint()
    try await scene.buy("frames")
    scene.paintAPI.fail(.serviceUnavailable)
    let answer = try await scene.service.validate(for: "u-1", in: DrawScene.draw)
    #expect(answer.entitlements.isStale && answer.entitlements.isSubscriber)
    #expect(try await scene.draw.validation()?.firstFailureDate == nil)
    #expect(try await scene.products(in: DrawScene.paint).validation?.firstFailureDate == scene.now)
  }
}
