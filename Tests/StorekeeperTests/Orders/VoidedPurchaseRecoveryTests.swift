import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Recovery of voided purchases", .onEveryStore)
struct VoidedPurchaseRecoveryTests {
  /// The time that Google lists a voided purchase, less a quarter of an hour for different clocks.
  private static let reach: TimeInterval = 30 * 86_400 - 900

  @Test("a refund of which no push told removes the subscription; its entry is followed once")
  func lost() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    try scene.voidSilently(bought)
    let report = try await scene.recovery().recover()
    #expect(report.counts == [1, 1, 0])
    #expect(try await scene.orders.row() == nil)
    #expect(try await scene.orders.owner(of: scene.key(of: bought)) == "u-1")
    let asked = scene.questions
    scene.play.clock.advance(by: .seconds(600))
    #expect(try await scene.recovery().recover().counts == [1, 0, 0])
    #expect(scene.questions == asked)
  }

  @Test("the first run reads all that Google lists, the next one begins an hour before its end")
  func place() async throws {
    let scene = try await PlayScene()
    let start = scene.play.now
    let first = try await scene.recovery().recover()
    #expect(first.startDate == start - Self.reach)
    #expect(first.endDate == start)
    scene.play.clock.advance(by: .seconds(1800))
    let second = try await scene.recovery().recover()
    #expect(second.startDate == start - 3600)
    #expect(second.endDate == start + 1800)
    var closer = try scene.recovery()
    closer.overlap = .seconds(60)
    #expect(try await closer.recover().startDate == start + 1740)
  }

  @Test("no run begins before Google's list, however long ago the last one was")
  func reach() async throws {
    let scene = try await PlayScene()
    let old = try await scene.ordered()
    try scene.voidSilently(old)
    _ = try await scene.recovery().recover()
    let bought = try await scene.ordered("basic_monthly")
    try scene.voidSilently(bought)
    scene.play.clock.advance(by: .seconds(29 * 86_400))
    #expect(try await scene.recovery().recover(since: .distantPast).counts == [2, 1, 0])
    #expect(try await scene.orders.row() == nil)
    scene.play.clock.advance(by: .seconds(40 * 86_400))
    let report = try await scene.recovery().recover()
    #expect(report.startDate == scene.play.now - Self.reach)
    #expect(report.counts == [0, 0, 0])
  }

  @Test("the first run begins where the host says; later, a gap is not skipped")
  func given() async throws {
    let scene = try await PlayScene()
    let now = scene.play.now
    #expect(try await scene.recovery().recover(since: now - 86_400).startDate == now - 86_400)
    scene.play.clock.advance(by: .seconds(3 * 86_400))
    let later = try await scene.recovery().recover(since: scene.play.now - 60)
    #expect(later.startDate == scene.play.now - 60)
    #expect(try await scene.recovery().recover().startDate == now - 3600)
    let future = try await scene.recovery().recover(since: scene.play.now + 1)
    #expect(future.startDate == nil && future.endDate == nil)
  }

  @Test("a run that stopped between pages goes on, and asks about no entry twice")
  func stopped() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(3)
    let pages = Locked(0)
    let breaking = ChangedAnswers(base: scene.play) { _, response in
      if pages.next() == 2 { response = HTTPResponseMessage(status: .serviceUnavailable) }
    }
    let failing = try scene.recovery(breaking, pageSize: 1)
    let asked = scene.questions
    let failure = await #expect(throws: GooglePlayFailure.self) { try await failing.recover() }
    #expect(failure?.kind == .backend)
    #expect(scene.questions == asked + 1)
    #expect(try await scene.orders.row(of: "u-0") == nil)
    #expect(try await scene.orders.row(of: "u-1") != nil)
    let report = try await failing.recover()
    #expect(report.startDate == scene.play.now - Self.reach)
    #expect(report.counts == [3, 2, 0])
    #expect(scene.questions == asked + 3)
    #expect(try await scene.orders.row(of: "u-2") == nil)
  }

  @Test("cancellation ends a run between pages and gives the lease back")
  func cancelled() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(3)
    let gate = ManualClock()
    let pages = Locked(0)
    let running = Locked<Task<VoidedPurchaseRecovery.Report, any Error>?>(nil)
    let cancelling = ChangedAnswers(base: scene.play) { _, _ in
      if pages.next() == 2 { running.withLock { $0 }?.cancel() }
    }
    let recovery = try scene.recovery(cancelling, pageSize: 1)
    let task = Task {
      try await gate.sleep(for: .seconds(1))
      return try await recovery.recover()
    }
    running.withLock { $0 = task }
    await gate.sleepers(reach: 1)
    gate.advance(by: .seconds(1))
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await scene.orders.row(of: "u-0") == nil)
    #expect(try await scene.orders.row(of: "u-1") != nil)
    #expect(try await recovery.recover().counts == [3, 2, 0])
  }

  @Test("of two workers at once one asks about each entry")
  func workers() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(3)
    let asked = scene.questions
    let (one, other) = (try scene.recovery(pageSize: 1), try scene.recovery(pageSize: 1))
    async let first = one.recover()
    async let second = other.recover()
    let reports = try await [first, second]
    #expect(reports.map(\.new).reduce(0, +) == 3)
    #expect(scene.questions == asked + 3)
    #expect(reports.contains { !$0.isLeasedElsewhere })
  }

  @Test("the lease of a process that was killed holds others off until its end")
  func killed() async throws {
    let scene = try await PlayScene()
    try scene.voidSilently(try await scene.ordered())
    let now = scene.play.now
    _ = try await scene.orders.store.write { records in
      try await records.jobs.lease(
        job: "voided-purchase-recovery/\(PlayScene.packageName)", now: now, until: now + 600,
        token: "other")
    }
    let requests = scene.play.requests.count
    let report = try await scene.recovery().recover()
    #expect(report.isLeasedElsewhere && report.startDate == nil)
    #expect(scene.play.requests.count == requests)
    scene.play.clock.advance(by: .seconds(601))
    #expect(try await scene.recovery().recover().counts == [1, 1, 0])
  }

  @Test("a worker that lost its lease stops, and does not move the place")
  func leaseLost() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(2)
    let stolen = StolenLease(store: scene.orders.store, play: scene.play)
    let report = try await scene.recovery(stolen, pageSize: 1).recover()
    #expect(report.isLeasedElsewhere)
    #expect(report.endDate == nil)
    scene.play.clock.advance(by: .seconds(601))
    let next = try await scene.recovery().recover()
    #expect(next.startDate == scene.play.now - Self.reach)
    #expect(next.counts == [2, 1, 0])
  }

  @Test(
    "a quota that is used up or an outage stops the run, and the next one goes on",
    arguments: [
      PlayStoreSimulator.Fault.tooManyRequests(retryAfter: nil),
      .error(.forbidden, reason: "rateLimitExceeded"), .quotaExceeded, .backendError,
      .transportFailure(.notConnected), .permissionDenied,
    ])
  func passing(fault: PlayStoreSimulator.Fault) async throws {
    let scene = try await PlayScene()
    try scene.voidSilently(try await scene.ordered())
    scene.play.fail(with: fault, at: .voidedPurchases)
    await #expect(throws: GooglePlayFailure.self) { try await scene.recovery().recover() }
    scene.play.fail(with: fault, at: .subscription)
    await #expect(throws: OrderFailure.self) { try await scene.recovery().recover() }
    #expect(try await scene.orders.row() != nil)
    let report = try await scene.recovery().recover()
    #expect(report.startDate == scene.play.now - Self.reach)
    #expect(report.counts == [1, 1, 0])
    #expect(try await scene.orders.row() == nil)
  }

  @Test("an answer that is not understood stops no other entry, and is asked for again later")
  func unreadable() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(2)
    let voided = scene.play.now - 1
    scene.play.clock.advance(by: .seconds(60))
    scene.play.fail(with: .brokenJSON, at: .subscription)
    let report = try await scene.recovery().recover()
    #expect(report.counts == [2, 2, 1])
    #expect(report.endDate == voided)
    #expect(scene.orders.incidents.faults == [.unreadableAnswer])
    #expect(try await scene.orders.row(of: "u-0") != nil)
    #expect(try await scene.orders.row(of: "u-1") == nil)
    scene.play.clock.advance(by: .seconds(5 * 86_400))
    let again = try await scene.recovery().recover()
    #expect(again.startDate == voided - 3600)
    #expect(again.counts == [2, 1, 0])
    #expect(again.endDate == scene.play.now)
    #expect(try await scene.orders.row(of: "u-0") == nil)
  }

  @Test(
    "a purchase about which Google gives no answer stops no other entry, and is asked for again later"
  )
  func notAnswered() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(2)
    let voided = scene.play.now - 1
    scene.play.clock.advance(by: .seconds(60))
    scene.play.fail(with: .backendError, at: .subscription)
    let report = try await scene.recovery().recover()
    #expect(report.counts == [2, 2, 1])
    #expect(report.endDate == voided)
    #expect(scene.orders.incidents.faults == [.notAnswered])
    #expect(try await scene.orders.row(of: "u-0") != nil)
    #expect(try await scene.orders.row(of: "u-1") == nil)
    #expect(report.notAnswered == 1)
    // Google answers about the other one, which was followed.
    scene.play.fail(with: .backendError, at: .subscription)
    #expect(try await scene.recovery().recover().counts == [2, 1, 1])
    let again = try await scene.recovery().recover()
    #expect(again.counts == [2, 1, 0])
    #expect(try await scene.orders.row(of: "u-0") == nil)
  }

  @Test("an outage stops the run at the third purchase")
  func outage() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(5)
    for _ in 0..<5 { scene.play.fail(with: .backendError, at: .subscription) }
    let asked = scene.questions
    await #expect(throws: OrderFailure.self) { try await scene.recovery().recover() }
    #expect(scene.questions == asked + 3)
  }

  @Test("a token that nothing can be asked with is reported once and passed over")
  func malformedToken() async throws {
    let scene = try await PlayScene()
    let listed = scene.listing(#"{"purchaseToken":"a\u0000b","orderId":"GPA.1"}"#)
    let report = try await scene.recovery(listed).recover()
    #expect(report.counts == [1, 1, 1])
    #expect(report.endDate == scene.play.now)
    #expect(try await scene.recovery(listed).recover().counts == [1, 0, 0])
    #expect(scene.orders.incidents.faults == [.malformedToken])
  }

  @Test("an order that is listed twice is asked about once")
  func twice() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    let asked = scene.questions
    let entry =
      #"{"purchaseToken":"\#(bought.purchaseToken)","orderId":"GPA.1","voidedTimeMillis":"1"}"#
    #expect(try await scene.recovery(scene.listing(entry, entry)).recover().counts == [2, 1, 0])
    #expect(scene.questions == asked + 1)
  }

  @Test("each refund of some pieces of an order is followed, and that of the whole order")
  func pieces() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    let entries = [#","voidedQuantity":1"#, #","voidedQuantity":1"#, ""].enumerated().map {
      #"{"purchaseToken":"\#(bought.purchaseToken)","orderId":"GPA.1","voidedTimeMillis":"\#($0)"\#($1)}"#
    }
    let all = scene.listing(entries[0], entries[0], entries[1], entries[2])
    #expect(try await scene.recovery(all).recover().counts == [4, 3, 0])
  }

  @Test("an entry without an order is asked about each time that it is listed")
  func withoutOrder() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    let listed = scene.listing(#"{"purchaseToken":"\#(bought.purchaseToken)"}"#)
    #expect(try await scene.recovery(listed).recover().counts == [1, 1, 0])
    #expect(try await scene.recovery(listed).recover().counts == [1, 1, 0])
  }

  @Test("an order of a subscription that Google still counts does not end it")
  func olderRenewal() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    let row = try await scene.orders.row()
    let listed = scene.listing(
      #"{"purchaseToken":"\#(bought.purchaseToken)","orderId":"\#(bought.orderID)"}"#)
    #expect(try await scene.recovery(listed).recover().counts == [1, 1, 0])
    #expect(try await scene.orders.row()?.expiration == row?.expiration)
  }

  @Test("a voided renewal does not end the subscription that was bought again")
  func boughtAgain() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    scene.play.clock.advance(by: .seconds(30 * 86_400))
    let renewed = try scene.play.renew(bought)
    try scene.voidSilently(renewed)
    let again = try scene.play.resubscribeOutOfApp(renewed)
    _ = try await scene.order(again)
    #expect(try await scene.recovery().recover().counts == [1, 1, 0])
    #expect(try await scene.orders.row()?.receiptData == again.purchaseToken)
  }

  @Test("a void of a replaced token changes nothing, that of the token that replaced it ends it")
  func linked() async throws {
    let scene = try await PlayScene()
    let old = try await scene.ordered("basic_monthly")
    let new = try scene.play.acknowledge(scene.play.changePlan(of: old, to: "pro_monthly"))
    _ = try await scene.order(new)
    try scene.voidSilently(old)
    #expect(try await scene.recovery().recover().counts == [1, 1, 0])
    #expect(try await scene.orders.row()?.receiptData == new.purchaseToken)
    try scene.voidSilently(new)
    #expect(try await scene.recovery().recover().counts == [2, 1, 0])
    #expect(try await scene.orders.row() == nil)
  }

  @Test("a void of a purchase that nobody ordered changes nothing")
  func stranger() async throws {
    let scene = try await PlayScene()
    try scene.voidSilently(scene.play.subscribe("pro_monthly"))
    #expect(try await scene.recovery().recover().counts == [1, 1, 0])
    #expect(scene.orders.incidents.all.isEmpty)
  }

  @Test("a wrong package name removes nothing, and the right one begins at the start of the list")
  func wrongPackage() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    try scene.voidSilently(bought)
    let wrong = try PlayScene.client(of: scene.play, scene.play, packageName: "com.example.other")
    let failure = await #expect(throws: GooglePlayFailure.self) {
      try await VoidedPurchaseRecovery(
        PlayNotificationService(
          scene.service.context, play: wrong, tokens: nil, orders: scene.service)
      ).recover()
    }
    #expect(failure?.kind == .invalid)
    let service = try OrderService(
      PurchaseContext(
        store: scene.orders.store, accounts: UnlistedAccounts(), now: { scene.play.now }),
      vendors: [GoogleVendor(wrong)])
    try await service.purchaseChanged(bought.purchaseToken, at: .google)
    #expect(try await scene.orders.row() != nil)
    let report = try await scene.recovery().recover()
    #expect(report.startDate == scene.play.now - Self.reach)
    #expect(try await scene.orders.row() == nil)
  }

  @Test("an entry is remembered for longer than Google lists it, and then forgotten")
  func memory() async throws {
    let scene = try await PlayScene()
    let bought = try await scene.ordered()
    try scene.voidSilently(bought)
    _ = try await scene.recovery().recover()
    let key = "voided:" + bought.orderID
    let isRemembered = {
      try await scene.orders.store.read { try await $0.pushedMessages.isRecorded(key) }
    }
    scene.play.clock.advance(by: .seconds(30 * 86_400))
    _ = try await scene.recovery().recover()
    #expect(try await isRemembered())
    scene.play.clock.advance(by: .seconds(2 * 86_400))
    _ = try await scene.recovery().recover()
    #expect(try await !isRemembered())
  }
}

@Suite("The pace of requests for voided purchases")
struct VoidedPurchasePaceTests {
  @Test("a list of many pages stays within Google's quotas")
  func manyPages() async throws {
    let scene = try await PlayScene()
    try await scene.voidSilently(40)
    var settings = scene.play.settings
    settings.limitsRequests = true
    scene.play.settings = settings
    let recovery = try scene.recovery(pageSize: 1)
    async let report = recovery.recover()
    for number in 0..<15 {
      await scene.play.clock.sleepers(reach: 1)
      #expect(scene.play.requests.count { $0.endpoint == .voidedPurchases } == 25 + number)
      scene.play.clock.advance(by: .seconds(15))
    }
    let counts = try await report.counts
    #expect(counts == [40, 40, 0])
  }

  @Test("runs that follow each other share the pace")
  func manyRuns() async throws {
    let scene = try await PlayScene()
    let recovery = try scene.recovery()
    for _ in 0..<25 { _ = try await recovery.recover() }
    async let last = recovery.recover()
    await scene.play.clock.sleepers(reach: 1)
    #expect(scene.play.requests.count { $0.endpoint == .voidedPurchases } == 25)
    scene.play.clock.advance(by: .seconds(15))
    let start = try await last.startDate
    #expect(start != nil)
  }
}

/// A transport to a Play store; at the second page another worker takes the lease.
private final class StolenLease: HTTPTransport {
  let store: any PurchaseStore
  let play: PlayStoreSimulator
  private let pages = Locked(0)

  init(store: any PurchaseStore, play: PlayStoreSimulator) {
    self.store = store
    self.play = play
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    if pages.next() == 2 {
      play.clock.advance(by: .seconds(601))
      let now = play.now
      _ = try await store.write { records in
        try await records.jobs.lease(
          job: "voided-purchase-recovery/\(PlayScene.packageName)", now: now, until: now + 600,
          token: "other")
      }
    }
    return try await play.send(request)
  }
}

extension PlayScene {
  /// A recovery whose pauses are on the Play store's clock.
  fileprivate func recovery(
    _ transport: (any HTTPTransport)? = nil, pageSize: Int = 1000
  ) throws -> VoidedPurchaseRecovery {
    let client = try transport.map { try Self.client(of: play, $0) } ?? client
    var recovery = VoidedPurchaseRecovery(
      try PlayNotificationService(
        service.context, play: client, tokens: nil, orders: service), clock: play.clock)
    recovery.pageSize = pageSize
    return recovery
  }

  /// Buys, acknowledges and orders a subscription.
  fileprivate func ordered(
    _ productID: String = "pro_monthly", by userID: AccountID = "u-1"
  ) async throws -> TestPlayPurchase {
    let bought = try play.acknowledge(play.subscribe(productID, by: "customer of \(userID)"))
    _ = try await order(bought, by: userID)
    return bought
  }

  /// Takes a purchase back, of which no push tells.
  fileprivate func voidSilently(_ purchase: TestPlayPurchase) throws {
    // Pushes happen in `push()` alone.
    _ = try play.revoke(purchase)
  }

  /// Takes the purchases of users u-0, u-1 and so on back, a second each, of which no push tells.
  fileprivate func voidSilently(_ count: Int) async throws {
    var purchases: [TestPlayPurchase] = []
    for number in 0..<count {
      purchases.append(try await ordered(by: AccountID("u-\(number)")))
    }
    for purchase in purchases {
      play.clock.advance(by: .seconds(1))
      try voidSilently(purchase)
    }
  }

  /// A transport with a list of voided purchases of one page.
  fileprivate func listing(_ entries: String...) -> ChangedAnswers {
    ChangedAnswers(base: play) { _, response in
      response.body = Array(#"{"voidedPurchases":[\#(entries.joined(separator: ","))]}"#.utf8)
    }
  }

  /// The number of questions about subscriptions so far.
  fileprivate var questions: Int { play.requests.count { $0.endpoint == .subscription } }
}

extension VoidedPurchaseRecovery.Report {
  /// The numbers of entries, of new ones, and of those that failed.
  fileprivate var counts: [Int] { [entries, new, failed] }
}

extension Incidents {
  fileprivate var faults: [VoidedPurchaseFault] {
    all.compactMap { if case .voidedPurchaseNotFollowed(let fault) = $0 { fault } else { nil } }
  }
}

extension Locked<Int> {
  /// Counts, and returns the number.
  fileprivate borrowing func next() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}
