import AppStoreServerAPI
import CreditPolicy
import Foundation
import HTTPMessages
import ReceiptModels
import StoreSimulators
@testable import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("The rebuild from the stores", .onEveryStore)
struct RebuildTests {
  @Test("the copy of a lost database becomes equal to it, but for what only the host knew")
  func equal() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let forgotten = try await story.unknownToStores()
    let lost = try await RebuiltRecords(scene.lost, without: forgotten)
    #expect(try await RebuiltRecords(scene.copy, without: forgotten) != lost, "nothing was lost")
    let report = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.faults.isEmpty)
    let rebuilt = try await RebuiltRecords(scene.copy, without: forgotten)
    #expect(rebuilt.differences(from: lost) == [])
  }

  @Test("a second rebuild changes nothing, and grants nothing")
  func repeated() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let rebuild = try scene.copy.rebuild(scene.appStore)
    _ = try await rebuild.run(since: story.backup)
    let before = try await RebuiltRecords(scene.copy)
    scene.pass(.seconds(60))
    let report = try await rebuild.run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.recoveredNotifications == 0)
    #expect(report.repeatedNotifications > 10)
    #expect((report.added, report.revoked, report.restored) == (0, 0, 0))
    #expect((report.creditedPurchases, report.credits) == (0, 0))
    #expect(try await RebuiltRecords(scene.copy).differences(from: before) == [])
  }

  @Test("a database that lost nothing stays as it is")
  func nothingLost() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    _ = try await story.unknownToStores()
    let before = try await RebuiltRecords(scene.lost)
    let balance = try await scene.lost.credits.balance(of: "user-0")
    let report = try await scene.lost.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.recoveredNotifications == 0)
    #expect(try await RebuiltRecords(scene.lost).differences(from: before) == [])
    #expect(try await scene.lost.credits.balance(of: "user-0") == balance)
  }

  @Test("killed at ten places and resumed, the copy becomes equal to the lost database")
  func killed() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let lost = try await RebuiltRecords(scene.lost)
    // Each run of this store dies after some more writes, none of which give back the lease.
    let writes = Locked(0)
    var kills = 0
    var report: Rebuild.Report?
    for run in 0..<100 where report?.isComplete != true {
      writes.withLock { $0 = kills < 10 ? 9 + run % 4 : .max }
      let store = WrappedStore(scene.copy.store) { access, unit in
        let isAlive = writes.withLock { left in
          if access == .writing { left = max(0, left - 1) }
          return left > 0
        }
        guard isAlive else { throw BrokenConnection() }
        try await unit()
      }
      do {
        report = try await scene.copy.rebuild(scene.appStore, on: store).run(since: story.backup)
      } catch is BrokenConnection {
        kills += 1
        // The next one may begin when the lease has ended.
        let early = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
        #expect(early.isLeasedElsewhere)
        scene.pass(.seconds(121))
      }
    }
    #expect(kills == 10)
    #expect(report?.isComplete == true)
    #expect(try await RebuiltRecords(scene.copy).differences(from: lost) == [])
  }

  @Test("the report says since when events may be lost that only the host knew")
  func unsure() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    _ = try await story.unknownToStores()
    let start = scene.appStore.now
    let report = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.startDate == start)
    // Everything before the backup happened at once, twenty days before.
    let last = story.backup.addingTimeInterval(-20 * 86_400)
    #expect(report.sureDate == last)
    #expect(
      report.newestEvents == [.link: last, .association: last, .order: last, .booking: last])
    let later = try await scene.lost.rebuild(scene.appStore).run(since: story.backup)
    #expect(later.newestEvents[.unlink] == start)
    #expect(later.sureDate == start)
  }

  @Test("credits that nobody can be found for are counted, and the rest goes on")
  func ownerless() async throws {
    let scene = try await RebuildScene()
    let story = try await RebuildStory(scene)
    scene.pass(.days(1))
    let anonymous = try scene.appStore.buy(RebuildScene.big, by: "customer-0")
    let known = try scene.appStore.buy(
      RebuildScene.big, by: "customer-0", appAccountToken: scene.token(of: "user-0"))
    scene.pass(.seconds(60))
    let report = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.faults == [.creditsOwnerless: 1])
    #expect((report.creditedPurchases, report.credits) == (1, 500))
    let entries = try await scene.copy.store.read { records in
      (
        try await records.creditLedger.entry(
          eventID: "payment.apple_iap:\(anonymous.transactionID)", environment: .production),
        try await records.creditLedger.entry(
          eventID: "payment.apple_iap:\(known.transactionID)", environment: .production)
      )
    }
    #expect(entries.0 == nil)
    #expect(entries.1?.booking.userID == "user-0")
  }

  @Test("a refund of which Apple keeps no notification any more takes credits back, once")
  func oldRefund() async throws {
    let scene = try await RebuildScene()
    let story = try await RebuildStory(scene)
    scene.pass(.days(1))
    try scene.appStore.refund(story.packs[0])
    try scene.appStore.refund(story.packs[3])
    scene.pass(.days(200))
    let balance = try await scene.copy.credits.balance(of: "user-0")
    for number in [2, 0] {
      let report = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
      #expect(report.recoveredNotifications == 0)
      #expect(report.creditRefunds == number)
      scene.pass(.seconds(60))
    }
    #expect(balance == 70)
    #expect(try await scene.copy.credits.balance(of: "user-0") == 0)
    #expect(try await scene.copy.credits.balance(of: "user-3") == 0)
    #expect(try await scene.copy.credits.balance(of: "user-2") == 100)
    // Apple takes it back, which no notification tells either.
    try scene.appStore.reverseRefund(story.packs[0])
    scene.pass(.days(200))
    let report = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.creditReversals == 1)
    #expect(try await scene.copy.credits.balance(of: "user-0") == 70)
  }

  @Test("a purchase that Apple does not know is counted, and the rest goes on")
  func faults() async throws {
    let scene = try await RebuildScene()
    let story = try await RebuildStory(scene)
    try await scene.copy.store.write { records in
      var row = PurchaseRecord(
        transactionID: "7", originalTransactionID: "7", productID: ServiceScene.monthly)
      row.signedDate = story.backup
      try await records.purchases.record(
        transactions: [row], environment: .production, now: story.backup)
    }
    scene.pass(.days(1))
    let report = try await scene.copy.rebuild(scene.appStore).run(since: story.backup)
    #expect(report.faults == [.unknownToApple: 1])
    #expect(report.isComplete)
  }

  /// Apple's answer about a purchase of another app.
  private static let unknown = HTTPResponseMessage(
    status: .notFound, body: Array(#"{"errorCode":4040010,"errorMessage":"unknown"}"#.utf8))

  /// Subscriptions of customers that the copy has, and the moment at which it got them, a day ago.
  private func kept(
    _ count: Int, in scene: RebuildScene
  ) async throws -> (purchases: [TestPurchase], start: Date) {
    let start = scene.appStore.now
    let purchases = try (1...count).map { number in
      try scene.appStore.buy(ServiceScene.monthly, by: "customer-\(number)")
    }
    for purchase in purchases { try await keep(purchase, asOf: start, in: scene) }
    scene.pass(.days(1))
    return (purchases, start)
  }

  /// Answers about one purchase as Apple does where it gives none.
  private func refusing(
    _ id: String, in appStore: AppStoreSimulator, _ status: HTTPStatusCode = 500,
    code: Int = 5_000_001
  ) -> ChangedAnswers {
    ChangedAnswers(base: appStore) { request, response in
      guard request.url.contains("/history/\(id)") || request.url.contains("/subscriptions/\(id)")
      else { return }
      response = HTTPResponseMessage(
        status: status, body: Array(#"{"errorCode":\#(code),"errorMessage":"again"}"#.utf8))
    }
  }

  /// Keeps a purchase in the copy, as of a moment.
  private func keep(
    _ purchase: TestPurchase, asOf date: Date, in scene: RebuildScene
  ) async throws {
    var row = PurchaseRecord(
      transactionID: purchase.transactionID,
      originalTransactionID: purchase.originalTransactionID, productID: purchase.productID)
    row.signedDate = date
    let kept = row
    try await scene.copy.store.write { records in
      try await records.purchases.record(
        transactions: [kept], environment: .production, now: date)
    }
  }

  @Test(
    "a purchase about which Apple gives no answer is counted, and the rest goes on",
    // The second and the third code are none that Apple documents.
    arguments: [
      (HTTPStatusCode.internalServerError, 5_000_001, Rebuild.Fault.notAnswered),
      (.internalServerError, 5_099_999, .notAnswered), (.forbidden, 4_039_999, .refusedByApple),
    ])
  func notAnswered(status: HTTPStatusCode, code: Int, fault: Rebuild.Fault) async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    scene.pass(.days(200))
    let lonely = try scene.appStore.buy(ServiceScene.monthly, by: "lonely")
    try await keep(lonely, asOf: story.backup, in: scene)
    let transport = refusing(lonely.originalTransactionID, in: scene.appStore, status, code: code)
    let client = try ServerScene.client(of: scene.appStore, transport, scene.verifier)
    let report = try await scene.copy.rebuild(scene.appStore, asking: client)
      .run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.faults == [fault: 1])
    #expect(report.askedOfApple > 5)
  }

  @Test(
    "an outage of Apple's, or a key that it refuses, ends the run, and the next one goes on there",
    arguments: [HTTPStatusCode(503), .forbidden])
  func outage(status: HTTPStatusCode) async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let lost = try await RebuiltRecords(scene.lost)
    let isAway = Locked(true)
    let transport = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v2/history/"), isAway.withLock({ $0 }) else { return }
      response = HTTPResponseMessage(status: status)
    }
    let client = try ServerScene.client(of: scene.appStore, transport, scene.verifier)
    let rebuild = try scene.copy.rebuild(scene.appStore, asking: client)
    await #expect(throws: AppStoreServerFailure.self) { try await rebuild.run(since: story.backup) }
    isAway.withLock { $0 = false }
    let report = try await rebuild.run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.faults.isEmpty)
    #expect(try await RebuiltRecords(scene.copy).differences(from: lost) == [])
  }

  @Test(
    "a key that Apple refuses for one app ends the run, although the key of another app is good",
    arguments: [false, true])
  func refusedKeyOfAnApp(isFirst: Bool) async throws {
    let scene = try await RebuildScene()
    let (purchases, start) = try await kept(6, in: scene)
    // The good key is that of the app with the first purchase; the other app has the rest.
    let own = purchases[0].originalTransactionID
    let refused = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v2/history/") else { return }
      response = HTTPResponseMessage(status: .forbidden)
    }
    let good = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v2/history/"), !request.url.contains("/\(own)") else { return }
      response = Self.unknown
    }
    let recoveries = try (isFirst ? [refused, good] : [good, refused]).map { transport in
      NotificationRecovery(
        notifications: scene.copy.notifications,
        appStore: try ServerScene.client(of: scene.appStore, transport, scene.verifier))
    }
    var rebuild = Rebuild(
      scene.copy.notifications.context, apple: recoveries, clock: ContinuousClock())
    rebuild.batchSize = 10
    await #expect(throws: AppStoreServerFailure.self) { try await rebuild.run(since: start + 1) }
  }

  @Test("an app that knows no purchase, and gives no answer about one, stops nobody")
  func silentAppWithoutPurchases() async throws {
    let scene = try await RebuildScene()
    let (purchases, start) = try await kept(4, in: scene)
    let silent = purchases[2].originalTransactionID
    let other = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v2/history/") else { return }
      let isSilent = request.url.contains("/\(silent)")
      response = isSilent ? HTTPResponseMessage(status: 500) : Self.unknown
    }
    let own = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v2/history/\(silent)") else { return }
      response = Self.unknown
    }
    let recoveries = try [other, own].map { transport in
      NotificationRecovery(
        notifications: scene.copy.notifications,
        appStore: try ServerScene.client(of: scene.appStore, transport, scene.verifier))
    }
    let report = try await Rebuild(
      scene.copy.notifications.context, apple: recoveries, clock: ContinuousClock()
    ).run(since: start + 1)
    #expect(report.isComplete)
    #expect(report.faults == [.notAnswered: 1])
  }

  @Test("a purchase about which one app's server is silent may be that of another app")
  func silentAboutAStranger() async throws {
    let scene = try await RebuildScene()
    let (_, start) = try await kept(1, in: scene)
    let away = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v2/history/") else { return }
      response = HTTPResponseMessage(status: 500)
    }
    let recoveries = try [away, ChangedAnswers(base: scene.appStore) { _, _ in }].map {
      NotificationRecovery(
        notifications: scene.copy.notifications,
        appStore: try ServerScene.client(of: scene.appStore, $0, scene.verifier))
    }
    let report = try await Rebuild(
      scene.copy.notifications.context, apple: recoveries, clock: ContinuousClock()
    ).run(since: start + 1)
    #expect(report.isComplete && report.faults.isEmpty && report.askedOfApple == 1)
  }

  @Test("a silent purchase stops nobody in batches of any size, wherever it is", arguments: 0..<3)
  func silentAlone(place: Int) async throws {
    let scene = try await RebuildScene()
    let (purchases, start) = try await kept(3, in: scene)
    let transport = refusing(
      purchases[place].originalTransactionID, in: scene.appStore, 500, code: 5_000_001)
    let client = try ServerScene.client(of: scene.appStore, transport, scene.verifier)
    var rebuild = try scene.copy.rebuild(scene.appStore, asking: client)
    rebuild.batchSize = 1
    let report = try await rebuild.run(since: start + 1)
    #expect(report.isComplete)
    #expect(report.faults == [.notAnswered: 1])
  }

  @Test(
    "an outage of the statuses alone ends the run, although a customer without any is answered about"
  )
  func statusOutage() async throws {
    let scene = try await RebuildScene()
    try await keep(
      try scene.appStore.buy(RebuildScene.pack, by: "pack"), asOf: scene.appStore.now, in: scene)
    let (_, start) = try await kept(2, in: scene)
    let transport = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v1/subscriptions/") else { return }
      response = HTTPResponseMessage(status: 500)
    }
    let client = try ServerScene.client(of: scene.appStore, transport, scene.verifier)
    let rebuild = try scene.copy.rebuild(scene.appStore, asking: client)
    await #expect(throws: AppStoreServerFailure.self) { try await rebuild.run(since: start + 1) }
  }

  @Test("one refusal where nothing else is asked about is that of the purchase")
  func loneRefusal() async throws {
    let scene = try await RebuildScene()
    let lonely = try scene.appStore.buy(ServiceScene.monthly, by: "lonely")
    let start = scene.appStore.now
    try await keep(lonely, asOf: start, in: scene)
    scene.pass(.days(1))
    let transport = refusing(
      lonely.originalTransactionID, in: scene.appStore, .forbidden, code: 4_039_999)
    let client = try ServerScene.client(of: scene.appStore, transport, scene.verifier)
    let report = try await scene.copy.rebuild(scene.appStore, asking: client)
      .run(since: start + 1)
    #expect(report.isComplete)
    #expect(report.faults == [.refusedByApple: 1])
  }

  @Test("what failed in an outage that is over is asked about again")
  func shortOutage() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let lost = try await RebuiltRecords(scene.lost)
    let asked = Locked(0)
    let transport = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/v2/history/") else { return }
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      if number == 3 { response = HTTPResponseMessage(status: 503) }
    }
    let client = try ServerScene.client(of: scene.appStore, transport, scene.verifier)
    let report = try await scene.copy.rebuild(scene.appStore, asking: client)
      .run(since: story.backup)
    #expect(report.isComplete)
    #expect(report.faults.isEmpty)
    #expect(asked.withLock { $0 } > 5)
    #expect(try await RebuiltRecords(scene.copy).differences(from: lost) == [])
  }

  @Test("credits that a failed renewal took stay taken, whether they had been given or not")
  func failedRenewal() async throws {
    let scene = try await RebuildScene()
    let story = try await RebuildStory(scene)
    var shop = scene.copy.notifications.context
    shop.store = scene.copy.store
    let credits = try CreditService(
      shop,
      products: CreditProducts([
        CreditProduct(code: "monthly", appStoreProductID: ServiceScene.monthly, credits: 500)
      ]))
    let notifications = try NotificationService(shop, credits: credits)
    let purchases = try (5...6).map { number in
      try scene.appStore.buy(
        ServiceScene.monthly, by: "member-\(number)",
        appAccountToken: scene.token(of: RebuildScene.users[number]))
    }
    _ = try await credits.grant(
      GrantClaim(
        userID: "user-5", productCode: "monthly", appStoreProductID: ServiceScene.monthly,
        transactionID: purchases[0].transactionID),
      signedTransactionInfo: purchases[0].signedTransactionInfo)
    scene.pass(.days(32))
    for purchase in purchases {
      let failed = try scene.appStore.failRenewal(purchase)
      try await notifications.receive(signedPayload: failed.signedPayload)
    }
    for _ in 0..<2 {
      scene.pass(.days(1))
      let report = try await Rebuild(
        shop,
        apple: [NotificationRecovery(notifications: notifications, appStore: scene.copy.client)]
      ).run(since: story.backup)
      #expect(report.creditReversals == 0)
      #expect(report.faults[.creditsRefused] == nil)
    }
    let (granted, pending) = (purchases[0].transactionID, purchases[1].transactionID)
    let events = [
      LedgerEventID.purchase(granted), LedgerEventID.refund(granted, round: 1),
      LedgerEventID.refundReversal(granted, round: 1), LedgerEventID.purchase(pending),
    ]
    let entries = try await scene.copy.store.read { records in
      var found: [Bool] = []
      for event in events {
        found.append(
          try await records.creditLedger.entry(eventID: event, environment: .production) != nil)
      }
      return found
    }
    #expect(entries == [true, true, false, false])
  }

  @Test("a refund is followed also where the product has left the mapping")
  func unmapped() async throws {
    let scene = try await RebuildScene()
    let story = try await RebuildStory(scene)
    try scene.appStore.refund(story.packs[0])
    scene.pass(.days(200))
    let shop = scene.copy.notifications.context
    let credits = try CreditService(
      shop,
      products: CreditProducts([
        CreditProduct(code: "big", appStoreProductID: RebuildScene.big, credits: 500)
      ]))
    let notifications = try NotificationService(shop, credits: credits)
    let report = try await Rebuild(
      shop,
      apple: [NotificationRecovery(notifications: notifications, appStore: scene.copy.client)]
    ).run(since: story.backup)
    #expect(report.creditRefunds == 1)
  }

  @Test("a host of credits alone gets them back, and counts purchases that it can ask nobody about")
  func creditsAlone() async throws {
    let scene = try await RebuildScene()
    var story = try await RebuildStory(scene)
    try await story.afterBackup()
    let (copy, shop) = (scene.copy, scene.copy.notifications.context)
    let notifications = try NotificationService(shop, credits: copy.credits)
    let rebuild = Rebuild(
      shop, apple: [NotificationRecovery(notifications: notifications, appStore: copy.client)])
    let report = try await rebuild.run(since: story.backup)
    #expect(report.isComplete)
    // Four subscriptions and a theme of Google's.
    #expect(report.faults == [.vendorNotAsked: 5])
    for user in RebuildScene.users {
      let balance = try await scene.lost.credits.balance(of: user)
      #expect(try await copy.credits.balance(of: user) == balance, "\(user)")
    }
  }

  @Test("the longest place fits, and is read as it was written")
  func place() throws {
    let date = Date(timeIntervalSince1970: 9_999_999_999.999)
    var place = RebuildPlace(nil, for: date)
    #expect(place.startDate == nil)
    (place.startDate, place.sureDate, place.work) = (date, date, 99)
    for event in HostEvent.allCases { place.newestEvents[event] = date }
    place.rest = "google:" + String(repeating: "f", count: 64) + "/Production"
    let text = place.prefix + place.rest
    #expect(text.utf8.count <= 255)
    #expect(RebuildPlace(text, for: date) == place)
    // Since another moment it begins again, and knows what was known.
    let other = RebuildPlace(text, for: date.addingTimeInterval(-1))
    #expect((other.work, other.rest) == (0, ""))
    #expect(other.newestEvents == place.newestEvents)
    #expect((other.startDate, other.sureDate) == (date, date))
  }
}
