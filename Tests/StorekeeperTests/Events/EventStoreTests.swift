import Foundation
import InMemoryStorage
import PurchaseStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Events beside changes", .onEveryStore)
struct EventStoreTests {
  @Test("tell of a purchase, its link, its renewal, its refund and its unlink, in their order")
  func story() async throws {
    try await tellingEvents {
      let scene = try await ServiceScene()
      let purchase = try await scene.bought()
      _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
      scene.appStore.clock.advance(by: .days(30))
      _ = try scene.appStore.renew(purchase)
      try await scene.verify()
      _ = try await scene.service.unlink("alice", from: purchase.originalTransactionID)
      let told = try await events(in: scene.store)
      #expect(
        told.told == [
          "subscription.started -", "membership.linked alice", "subscription.renewed alice",
          "membership.renewed alice", "membership.unlinked alice",
        ])
      guard
        case .membership(let linked)? = told.first(where: { $0.kind == .membershipLinked })?
          .details
      else { return #expect(Bool(false), "no fields of a membership") }
      #expect(linked.originalTransactionID == purchase.originalTransactionID)
      #expect(linked.lastDay == CalendarDay("2023-12-14"))
      #expect(linked.tier == .standard)
      guard
        case .purchase(let renewed)? = told.first(where: { $0.kind == .subscriptionRenewed })?
          .details
      else { return #expect(Bool(false), "no fields of a purchase") }
      #expect(renewed.productID == ServiceScene.monthly)
      #expect(renewed.originalTransactionID == purchase.originalTransactionID)
      #expect(renewed.expiresDate.map { ServiceScene.start + 31 * 86_400 < $0 } == true)
    }
  }

  @Test("name the account of a membership that has a second identifier alone")
  func secondID() async throws {
    try await tellingEvents {
      let scene = try await ServiceScene()
      let purchase = try await scene.bought()
      scene.accounts.add(Account(secondID: "second"))
      _ = try await scene.service.link(
        primaryID: nil, secondID: "second", to: purchase.originalTransactionID)
      scene.appStore.clock.advance(by: .days(30))
      _ = try scene.appStore.renew(purchase)
      try await scene.verify()
      #expect(
        try await events(in: scene.store).told == [
          "subscription.started -", "membership.linked second", "subscription.renewed second",
          "membership.renewed second",
        ])
    }
  }

  @Test("are removed when they are old, although nobody has read them")
  func unread() async throws {
    let scene = try await WebhookScene()
    try await scene.tell(1, of: "ann")
    scene.pass(31 * 86_400)
    let id = try await scene.tell(2, of: "ann")
    #expect(try await EventLog(scene.context).removeOld() == 1)
    let left = try await scene.store.read { try await $0.events.newest(of: "ann", limit: 9) }
    #expect(left.map(\.id) == [id])
  }

  @Test("tell nothing of what was there already")
  func repeated() async throws {
    try await tellingEvents {
      let scene = try await ServiceScene()
      let purchase = try await scene.linked()
      let before = try await events(in: scene.store).count
      try await scene.verify()
      _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
      #expect(try await events(in: scene.store).count == before)
    }
  }

  @Test("tell of a dispute, with the account that has the purchase")
  func dispute() async throws {
    try await tellingEvents {
      let scene = try await ServiceScene()
      let purchase = try await scene.linked()
      let refusal = try await failure {
        _ = try await scene.service.link("bob", to: purchase.originalTransactionID)
      }
      #expect(refusal == .refused(.linkedToOtherAccount))
      let event = try #require(try await events(in: scene.store).last)
      #expect(event.kind == .disputeRecorded)
      #expect(event.account == "bob")
      #expect(
        event.details
          == .dispute(
            ClaimDispute(originalTransactionID: purchase.originalTransactionID, owner: "alice")))
    }
  }

  @Test("tell of a grace period, of the trying after it, and of the end, by notifications")
  func billing() async throws {
    try await tellingEvents {
      let scene = try await NotificationScene()
      let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
      let end = ServiceScene.start + 30 * 86_400
      func receive(
        _ type: NotificationType, _ change: (inout RenewalInfo) -> Void = { _ in }
      ) async throws {
        var renewal = scene.renewal(purchase, willRenew: true)
        change(&renewal)
        try await scene.service.receive(
          signedPayload: try scene.signed(
            type, scene.transaction(purchase, expires: end), renewal, uuid: UUID().uuidString))
        scene.scene.appStore.clock.advance(by: .seconds(1))
      }
      try await receive(.subscribed)
      scene.scene.appStore.clock.advance(by: .days(30))
      try await receive(.didFailToRenew) {
        $0.isInBillingRetryPeriod = true
        // The clock of the events stands at the start.
        $0.gracePeriodExpiresDate = end + 16 * 86_400
      }
      try await receive(.gracePeriodExpired) { $0.isInBillingRetryPeriod = true }
      try await receive(.didChangeRenewalStatus) {
        $0.isInBillingRetryPeriod = true
        $0.autoRenewStatus = .off
      }
      #expect(
        try await events(in: scene.scene.store).map(\.kind) == [
          .subscriptionStarted, .subscriptionInGrace, .subscriptionOnHold, .subscriptionRenewalOff,
        ])
    }
  }

  @Test("tell of granted, clawed back and restored credits, and of the host's own bookings")
  func credits() async throws {
    try await tellingEvents {
      let scene = try await ServiceCredits()
      let events = try await scene.story()
      #expect(
        events.map(\.kind) == [
          .creditsBooked, .creditsGranted, .creditsBooked, .creditsClawedBack, .creditsRestored,
        ])
      #expect(events.compactMap(\.amount) == [100, 500, -120, -480, 480])
      #expect(events.allSatisfy { $0.account == "u1" })
    }
  }

  @Test("tell of entitlements that may have changed")
  func entitlements() async throws {
    try await tellingEvents {
      let scene = try await DrawScene()
      let frames = try await scene.buy("frames")
      scene.appStore.clock.advance(by: .days(1))
      try await scene.receive(try scene.appStore.refund(frames))
      let told = try await events(in: scene.store).filter {
        [.entitlementChanged, .purchaseRefunded].contains($0.kind)
      }
      #expect(
        told.map(\.kind) == [.entitlementChanged, .purchaseRefunded, .entitlementChanged])
      #expect(Set(told.map(\.account)).count == 1)
      #expect(told.first?.account != nil)
    }
  }

  @Test("tell of an order, its renewal and its end")
  func orders() async throws {
    try await tellingEvents {
      let scene = try await OrderScene()
      scene.answer(.init(ends: 3600))
      _ = try await scene.service().order(scene.order())
      scene.pass(60)
      scene.answer(.init(ends: 7200))
      _ = try await scene.service().order(scene.order())
      let told = try await events(in: scene.store).filter { $0.kind.rawValue.hasPrefix("order.") }
      #expect(told.told.first == "order.accepted u-1")
      #expect(told.told.last == "order.renewed u-1")
      #expect(
        told.first?.details
          == .order(
            OrderChange(
              vendor: .apple, environment: .production, purchaseID: "1000000000000001",
              level: "Pro", expiresDate: OrderScene.start + 3600)))
    }
  }

  @Test("tell both accounts of a move")
  func moves() async throws {
    try await tellingEvents {
      let host = try await AppleHost(transfer: .always)
      let bought = try host.appStore.buy(ServiceScene.monthly)
      #expect(try await host.bring(bought, to: .memberships, by: "alice"))
      #expect(try await host.bring(bought, to: .memberships, by: "bob"))
      let told = try await events(in: host.services.subscriptions.context.store).told
      #expect(told.contains("purchase.moved_away alice"))
      #expect(told.contains("purchase.moved bob"))
      #expect(told.contains("membership.unlinked alice"))
      #expect(told.contains("membership.linked bob"))
    }
  }

  @Test("tell nothing of a unit of work that failed, wherever it failed")
  func rolledBack() async throws {
    for step in 1...40 {
      let base = try await StoreScope.emptyStore()
      let good = try await ServiceScene(store: EventStore(base))
      let purchase = try await good.bought()
      let before = try await events(in: base).map(\.id)
      let broken = try await ServiceScene(
        store: EventStore(faultyStore(base: base, failing: step)), appStore: good.appStore)
      do {
        _ = try await broken.service.link("alice", to: purchase.originalTransactionID)
      } catch is BrokenConnection {
        #expect(try await events(in: base).map(\.id) == before)
        continue
      }
      // So many writes there are not: the link was made, and told.
      #expect(try await events(in: base).told.contains("membership.linked alice"))
      return
    }
    Issue.record("the link has more writes than were tried")
  }

  @Test("are written by no host that wants none")
  func none() async throws {
    let store = try await StoreScope.$recordsEvents.withValue(false) {
      try await StoreScope.emptyStore()
    }
    let scene = try await ServiceScene(store: store)
    _ = try await scene.linked()
    #expect(try await events(in: store).isEmpty)
  }
}

@Suite("The stream of events", .onEveryStore)
struct EventStreamTests {
  @Test("gives what is there and what comes, and is resumed at a place")
  func stream() async throws {
    let scene = try await WebhookScene()
    for amount in 1...3 { try await scene.tell(amount, of: "ann") }
    let log = EventLog(scene.context)
    var seen: [PurchaseEvent] = []
    for await event in log.stream(after: 0) {
      seen.append(event)
      if seen.count == 3 { try await scene.tell(4, of: "ann") }
      if seen.count == 4 { break }
    }
    #expect(seen.compactMap(\.amount) == [1, 2, 3, 4])
    #expect(seen.compactMap(\.position) == [1, 2, 3, 4])
    var resumed: [PurchaseEvent] = []
    for await event in log.stream(after: 2) {
      resumed.append(event)
      if resumed.count == 2 { break }
    }
    #expect(resumed == Array(seen.dropFirst(2)))
  }

  @Test("a page goes on behind events that cannot be read")
  func unreadable() async throws {
    let scene = try await WebhookScene()
    for number in 1...3 {
      let record = EventRecord(
        id: "evt_\(number)", type: "host.event", account: nil, date: scene.time.now, data: "{}")
      try await scene.store.write { try await $0.events.add(record) }
    }
    try await scene.tell(4, of: "ann")
    let log = EventLog(scene.context)
    #expect(try await log.events(after: 0, limit: 2).compactMap(\.amount) == [4])
  }

  @Test("loses nothing and repeats nothing while eight write at once")
  func concurrent() async throws {
    let scene = try await WebhookScene()
    let log = EventLog(scene.context)
    async let reading = {
      var seen: [PurchaseEvent] = []
      for await event in log.stream(after: 0) {
        seen.append(event)
        if seen.count == 120 { break }
      }
      return seen
    }()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for amount in 1...15 { try await scene.tell(amount, of: "account-\(writer)") }
        }
      }
      try await group.waitForAll()
    }
    let seen = await reading
    #expect(Set(seen.map(\.id)).count == 120)
    #expect(seen.compactMap(\.position) == Array(1...120))
    for writer in 0..<8 {
      #expect(
        seen.filter { $0.account?.rawValue == "account-\(writer)" }.compactMap(\.amount)
          == Array(1...15))
    }
  }
}
