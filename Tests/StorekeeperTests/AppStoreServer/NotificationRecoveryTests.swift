import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Recovery of notifications", .onEveryStore)
struct NotificationRecoveryTests {
  private func recovery(_ scene: ServerScene) -> NotificationRecovery {
    NotificationRecovery(notifications: scene.notifications, appStore: scene.client)
  }

  /// Buys, and receives the notification as the webhook does.
  private func subscribed(_ scene: ServerScene) async throws -> TestPurchase {
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    try await scene.notifications.receive(signedPayload: purchase.notification.signedPayload)
    return purchase
  }

  @Test("a notification that was lost is recovered, once")
  func lost() async throws {
    let scene = try await ServerScene()
    let purchase = try await subscribed(scene)
    scene.appStore.clock.advance(by: .days(30))
    scene.appStore.loseNotifications()
    let renewal = try scene.appStore.renew(purchase)
    scene.appStore.clock.advance(by: .seconds(7200))
    let reports = try await recovery(scene).recover()
    #expect(reports.map(\.recovered) == [1, 0])
    #expect(reports.map(\.refreshed) == [1, 0])
    #expect(try await scene.stored(purchase).lastTransactionID == renewal.transactionID)
    let again = try await recovery(scene).recover(since: ServiceScene.start)
    #expect(again.map(\.recovered) == [0, 0])
    #expect(again.first?.repeated == 1)
  }

  @Test("notifications that arrived have no effect, even if all are read")
  func all() async throws {
    let scene = try await ServerScene()
    let purchase = try await subscribed(scene)
    scene.appStore.clock.advance(by: .seconds(60))
    let before = try await scene.stored(purchase)
    let reports = try await recovery(scene).recover(since: ServiceScene.start, .all)
    #expect(reports.first.map { ($0.recovered, $0.repeated) } ?? (9, 9) == (0, 1))
    #expect(try await scene.stored(purchase) == before)
  }

  @Test("the window is read in pieces of a day, beginning an hour before the last notification")
  func pieces() async throws {
    let scene = try await ServerScene()
    _ = try await subscribed(scene)
    scene.appStore.clock.advance(by: .days(2))
    let now = scene.appStore.now
    let report = try await recovery(scene).recover(.production)
    let windows = try scene.appStore.serverAPIRequests.map { request in
      let json = try JSONValue(parsing: request.body)
      return (json["startDate"], json["endDate"], json["onlyFailures"])
    }
    func milliseconds(_ date: Date) -> JSONValue {
      .integer(Int((date.timeIntervalSince1970 * 1000).rounded()))
    }
    let start = ServiceScene.start.addingTimeInterval(-3600)
    #expect(windows.count == 3)
    #expect(windows.first?.0 == milliseconds(start))
    #expect(windows.first?.1 == milliseconds(start.addingTimeInterval(86_400)))
    #expect(windows.last?.1 == milliseconds(now))
    #expect(windows.allSatisfy { $0.2 == .boolean(true) })
    #expect(report.startDate == start)
    #expect(report.endDate == now)
  }

  @Test("the next run begins an hour before the end of the last one")
  func place() async throws {
    let scene = try await ServerScene()
    _ = try await subscribed(scene)
    _ = try await recovery(scene).recover(.production)
    let end = scene.appStore.now
    scene.appStore.clock.advance(by: .seconds(600))
    let report = try await recovery(scene).recover(.production)
    #expect(report.startDate == end.addingTimeInterval(-3600))
  }

  @Test("without a stored notification there is nothing to recover")
  func nothing() async throws {
    let scene = try await ServerScene()
    let report = try await recovery(scene).recover(.production)
    #expect(report.startDate == nil)
    #expect(scene.appStore.serverAPIRequests.isEmpty)
  }

  @Test("a run that failed is resumed after its last finished piece")
  func resumed() async throws {
    let scene = try await ServerScene()
    let purchase = try await subscribed(scene)
    scene.appStore.clock.advance(by: .days(30))
    scene.appStore.loseNotifications()
    let renewal = try scene.appStore.renew(purchase)
    scene.appStore.clock.advance(by: .days(1))
    let count = Locked(0)
    let breaking = ChangedAnswers(base: scene.appStore) { _, response in
      let isBroken = count.withLock { number in
        number += 1
        return number == 4
      }
      if isBroken { response = HTTPResponseMessage(status: .serviceUnavailable) }
    }
    let client = try ServerScene.client(of: scene.appStore, breaking, scene.scene.verifier())
    let recovery = NotificationRecovery(notifications: scene.notifications, appStore: client)
    await #expect(throws: AppStoreServerFailure.self) { try await recovery.recover(.production) }
    let before = scene.appStore.serverAPIRequests.count
    let report = try await recovery.recover(.production)
    #expect(
      report.startDate
        == ServiceScene.start.addingTimeInterval(-3600 + 3 * 86_400 - 3600))
    #expect(report.recovered == 1)
    #expect(scene.appStore.serverAPIRequests.count - before < 31)
    #expect(try await scene.stored(purchase).lastTransactionID == renewal.transactionID)
  }

  @Test("a source that fails is named, and the other environment is read all the same")
  func named() async throws {
    let scene = try await ServerScene(environment: .sandbox)
    _ = try await subscribed(scene)
    // An app that Production does not know yet.
    let unknown = ChangedAnswers(base: scene.appStore) { request, response in
      guard !request.url.contains("sandbox") else { return }
      response = HTTPResponseMessage(status: .unauthorized)
    }
    let client = try ServerScene.client(of: scene.appStore, unknown, scene.scene.verifier())
    let recovery = NotificationRecovery(notifications: scene.notifications, appStore: client)
    scene.appStore.clock.advance(by: .seconds(7200))
    let start = ServiceScene.start
    await #expect(throws: AppStoreServerFailure.self) { try await recovery.recover(since: start) }
    let names = scene.incidents.all.compactMap { incident -> PurchaseScope? in
      if case .sourceFailed(_, let scope) = incident { scope } else { nil }
    }
    #expect(
      names == [
        PurchaseScope(vendor: .apple, appID: ServiceScene.bundleID, environment: .production)
      ])
    let report = try await recovery.recover(.sandbox)
    #expect(report.startDate == scene.appStore.now.addingTimeInterval(-3600), "it was read")
  }

  @Test("only one process works at a time")
  func leased() async throws {
    let scene = try await ServerScene()
    _ = try await subscribed(scene)
    let now = scene.appStore.now
    _ = try await scene.scene.store.write { records in
      try await records.jobs.lease(
        job: "notification-recovery/Production/failures", now: now, until: now + 60,
        token: "other")
    }
    let report = try await recovery(scene).recover(.production)
    #expect(report.isLeasedElsewhere)
    #expect(scene.appStore.serverAPIRequests.isEmpty)
  }

  @Test("a window that begins before Apple's history is read from its beginning")
  func beyondReach() async throws {
    let scene = try await ServerScene()
    let purchase = try await subscribed(scene)
    scene.appStore.clock.advance(by: .days(200))
    scene.appStore.loseNotifications()
    try scene.appStore.refund(purchase)
    scene.appStore.clock.advance(by: .seconds(60))
    let report = try await recovery(scene).recover(.production)
    #expect(report.startDate == scene.appStore.now.addingTimeInterval(60 - 180 * 86_400))
    #expect(report.recovered == 1)
  }

  @Test("failures don't move the place back")
  func repeatedFailure() async throws {
    let scene = try await ServerScene()
    _ = try await subscribed(scene)
    _ = try await recovery(scene).recover(.production)
    let end = scene.appStore.now
    scene.appStore.clock.advance(by: .seconds(600))
    let client = try ServerScene.client(
      of: scene.appStore, FixedAnswer(.serviceUnavailable),
      scene.scene.verifier())
    let failing = NotificationRecovery(notifications: scene.notifications, appStore: client)
    for _ in 0..<3 {
      await #expect(throws: AppStoreServerFailure.self) { try await failing.recover(.production) }
    }
    let report = try await recovery(scene).recover(.production)
    #expect(report.startDate == end.addingTimeInterval(-3600))
  }

  @Test("a window that begins after the place leaves the place where it is")
  func laterWindow() async throws {
    let scene = try await ServerScene()
    _ = try await subscribed(scene)
    _ = try await recovery(scene).recover(.production)
    let end = scene.appStore.now
    scene.appStore.clock.advance(by: .days(3))
    let later = scene.appStore.now.addingTimeInterval(-3600)
    _ = try await recovery(scene).recover(.production, since: later)
    let report = try await recovery(scene).recover(.production)
    #expect(report.startDate == end.addingTimeInterval(-3600))
  }

  @Test("a failure in one environment doesn't keep the other from being read")
  func environments() async throws {
    let scene = try await ServerScene(environment: .sandbox)
    let purchase = try await subscribed(scene)
    scene.appStore.clock.advance(by: .days(1))
    scene.appStore.loseNotifications()
    try scene.appStore.refund(purchase)
    scene.appStore.clock.advance(by: .seconds(60))
    let changed = ChangedAnswers(base: scene.appStore) { request, response in
      if request.url.hasPrefix("https://api.storekit.apple.com/") {
        response = HTTPResponseMessage(status: .serviceUnavailable)
      }
    }
    let client = try ServerScene.client(of: scene.appStore, changed, scene.scene.verifier())
    let recovery = NotificationRecovery(notifications: scene.notifications, appStore: client)
    await #expect(throws: AppStoreServerFailure.self) {
      try await recovery.recover(since: ServiceScene.start)
    }
    let rows = try await scene.scene.store.read { records in
      try await records.purchases.transactions(
        of: [purchase.originalTransactionID], environment: .sandbox)
    }
    #expect(rows.first?.isCancelled == true)
  }

  @Test("notifications are received in the order of their signing dates")
  func order() async throws {
    let scene = try await ServerScene()
    let purchase = try await subscribed(scene)
    scene.appStore.loseNotifications(next: 2)
    scene.appStore.clock.advance(by: .seconds(60))
    try scene.appStore.requestRefund(purchase)
    scene.appStore.clock.advance(by: .seconds(60))
    try scene.appStore.decideRefund(purchase, otherwise: .full)
    scene.appStore.clock.advance(by: .seconds(60))
    let reversed = ChangedAnswers(base: scene.appStore) { _, response in
      guard var json = try? JSONValue(parsing: response.body), case .object(var members) = json,
        case .array(let items)? = members["notificationHistory"]
      else { return }
      members["notificationHistory"] = .array(items.reversed())
      json = .object(members)
      response.body = json.serialized
    }
    let client = try ServerScene.client(of: scene.appStore, reversed, scene.scene.verifier())
    _ = try await NotificationRecovery(
      notifications: scene.notifications, appStore: client
    ).recover(.production)
    let outcome = try await scene.scene.store.read { records in
      try await records.consumption.cases(
        ofTransaction: purchase.transactionID, environment: .production
      ).first?.outcome
    }
    #expect(outcome == "REFUND")
  }

  @Test("the gap before the first notification after a start is read")
  func firstRun() async throws {
    let scene = try await ServerScene()
    let purchase = try await subscribed(scene)
    scene.appStore.clock.advance(by: .days(5))
    try await recovery(scene).keepPlace()
    let reminder = try scene.appStore.setAutoRenew(.off, of: purchase)
    try await scene.notifications.receive(signedPayload: reminder.signedPayload)
    let report = try await recovery(scene).recover(.production)
    #expect(report.startDate == ServiceScene.start.addingTimeInterval(-3600))
  }
}

@Suite("Recovery past a notification that no store can hold", .onEveryStore)
struct UnstorableNotificationTests {
  /// A service whose App Store sells a product with a name that no row can hold.
  private struct Host {
    static let unstorable = "reader\u{0}monthly"

    let appStore: AppStoreSimulator
    let store: any PurchaseStore
    let notifications: NotificationService
    let recovery: NotificationRecovery
    let incidents = Incidents()

    init() async throws {
      let month = TestProduct.Kind.autoRenewable(period: .days(30), group: "20000009")
      let appStore = try AppStoreSimulator(
        bundleID: ServiceScene.bundleID,
        products: [TestProduct(ServiceScene.monthly, month), TestProduct(Self.unstorable, month)]
      ) {
        $0.authority = ServiceScene.authority
        $0.start = ServiceScene.start
      }
      let scene = try await ServiceScene(
        appStore: appStore, report: { [incidents] in incidents.add($0) })
      let verifier = try scene.verifier()
      notifications = try NotificationService(
        scene.service.context.with(verifier: verifier), subscriptions: scene.service)
      recovery = NotificationRecovery(
        notifications: notifications,
        appStore: try ServerScene.client(of: appStore, appStore, verifier))
      store = scene.store
      self.appStore = appStore
    }

    func kept() async throws -> [KeptNotification] {
      try await store.read { records in
        try await records.notifications.keptNotifications(after: nil, limit: 10)
      }
    }

    var reported: [String] {
      incidents.all.compactMap { incident in
        if case .notificationNotDecoded(let path) = incident { path } else { nil }
      }
    }
  }

  @Test("it is kept aside and reported, and what comes after it is recovered")
  func recovered() async throws {
    let host = try await Host()
    let first = try host.appStore.buy(ServiceScene.monthly, by: "one")
    try await host.notifications.receive(signedPayload: first.notification.signedPayload)
    host.appStore.clock.advance(by: .seconds(60))
    host.appStore.loseNotifications(next: 2)
    let bad = try host.appStore.buy(Host.unstorable, by: "two")
    host.appStore.clock.advance(by: .seconds(60))
    let good = try host.appStore.buy(ServiceScene.monthly, by: "three")
    host.appStore.clock.advance(by: .seconds(60))
    let report = try await host.recovery.recover(.production)
    #expect((report.recovered, report.refused) == (2, 0))
    #expect(report.endDate == host.appStore.now)
    #expect(try await host.kept().map(\.path) == ["productID"])
    #expect(host.reported == ["productID"])
    let id = good.originalTransactionID
    let stored = try await host.store.read { try await $0.storedSubscriptions.find([id]) }
    #expect(stored.count == 1)
    // Nothing of it was written, and a later version may find a way.
    let badID = bad.originalTransactionID
    let rows = try await host.store.read { records in
      try await records.purchases.transactions(of: [badID], environment: .production)
    }
    #expect(rows.isEmpty)
    #expect(try await host.notifications.decodeKept().refused == 1)
  }

  @Test("pushed by Apple, it is kept once, and answered as before")
  func pushed() async throws {
    let host = try await Host()
    let bad = try host.appStore.buy(Host.unstorable, by: "two")
    for _ in 0..<2 {
      await #expect(throws: StorageFailure.invalidValue(field: .evidence("productID"))) {
        try await host.notifications.receive(signedPayload: bad.notification.signedPayload)
      }
    }
    #expect(try await host.kept().count == 1)
  }
}
