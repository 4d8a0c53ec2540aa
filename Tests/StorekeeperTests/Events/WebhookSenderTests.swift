import Foundation
import HTTPMessages
import PurchaseStorage
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// Source: Standard Webhooks 1.0, "Deliverability and reliability".
@Suite("Sending events", .onEveryStore)
struct WebhookSenderTests {
  private func scene() async throws -> (WebhookScene, WebhookSender) {
    let scene = try await WebhookScene()
    let sender = try scene.sender()
    try await scene.begin(sender)
    return (scene, sender)
  }

  @Test("sends each event once, signed, to the endpoint")
  func sends() async throws {
    let (scene, sender) = try await scene()
    let id = try await scene.tell(1, of: "ann")
    try await scene.tell(2, of: nil)
    #expect(try await sender.deliverDue() == OutboxDelivery.Report(delivered: 2))
    #expect(try await sender.deliverDue() == OutboxDelivery.Report())
    #expect(scene.receiver.amounts().sorted() == [1, 2])
    let request = try #require(scene.receiver.requests.first { $0.headers["webhook-id"] == id })
    #expect(request.method == .post)
    #expect(request.url == WebhookScene.url)
    #expect(request.headers[.contentType] == "application/json")
    #expect(request.headers["webhook-timestamp"] == "1700000000")
    #expect(scene.receiver.taken.first { $0.id == id }?.account == "ann")
  }

  @Test("tells of accounts with any identifier, which are found, and erased")
  func anyIdentifier() async throws {
    let (scene, sender) = try await scene()
    let accounts = ["日本", "a b", String(repeating: "é", count: 64)].map(AccountID.init(stored:))
    for (number, account) in zip(1..., accounts) {
      try await scene.tell(number, of: account.rawValue)
    }
    let move = PurchaseEvent(
      id: "evt_move", kind: .purchaseMoved, account: "ann", date: scene.time.now,
      details: .move(
        PurchaseMove(
          environment: .production, originalTransactionID: "1", otherAccount: accounts[0])))
    try await scene.store.write { try await $0.events.add(move.record) }
    #expect(try await sender.deliverDue() == OutboxDelivery.Report(delivered: 4))
    #expect(Set(scene.receiver.taken.map(\.account)) == Set(accounts + ["ann"]))
    for account in accounts {
      let found = try await scene.store.read {
        try await $0.events.newest(of: account, limit: 9)
      }
      #expect(found.count == 1)
      try await AccountEraser(scene.context).erase(account)
    }
    let left = String(
      decoding: try await events(in: scene.store).flatMap(\.body), as: UTF8.self)
    #expect(!accounts.contains { left.contains($0.rawValue) })
    #expect(left.contains(#""otherAccount":"erased-"#))
  }

  @Test("tries a failed event again after the pauses of the schedule, and parks it after the tenth")
  func schedule() async throws {
    let (scene, sender) = try await scene()
    let id = try await scene.tell(1, of: "ann")
    scene.receiver.answer(500)
    // 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h after the attempt before.
    let pauses: [Double] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for pause in pauses {
      #expect(try await sender.deliverDue() == OutboxDelivery.Report(failed: 1))
      scene.pass(pause - 1)
      #expect(try await sender.deliverDue() == OutboxDelivery.Report())
      scene.pass(1)
    }
    #expect(try await sender.deliverDue() == OutboxDelivery.Report(parked: 1))
    #expect(scene.receiver.requests.count == 10)
    #expect(Set(scene.receiver.requests.map { $0.headers["webhook-id"] }) == [id])
    let times = scene.receiver.requests.compactMap { $0.headers["webhook-timestamp"] }
    #expect(Set(times).count == 10)
    let parked = try #require(try await scene.parked().first)
    #expect(parked.reason == ParkingReason(.attemptsExhausted, detail: "500"))
    #expect(
      scene.incidents.all.first.map { "\($0)" }
        == "a message was not delivered: webhook:billing, number \(parked.number): "
        + "WebhookDeliveryFailure: refused with 500")
    // Somebody looks after it, and it goes out under the same identifier.
    scene.receiver.answer(204)
    #expect(try await scene.store.write { try await $0.outbox.sendAgain(parked.number) })
    #expect(try await sender.deliverDue() == OutboxDelivery.Report(delivered: 1))
    #expect(scene.receiver.taken.map(\.id) == [id])
  }

  @Test(
    "a later event of an account waits for an earlier one; other accounts don't; a parked one holds none"
  )
  func order() async throws {
    let (scene, sender) = try await scene()
    scene.receiver.answer { event in
      HTTPResponseMessage(status: event.amount == 1 ? 500 : 200)
    }
    try await scene.tell(1, of: "ann")
    try await scene.tell(2, of: "ann")
    try await scene.tell(3, of: "ben")
    try await scene.tell(4, of: "ann")
    _ = try await sender.deliverDue()
    #expect(scene.receiver.amounts() == [3])
    try await scene.tell(5, of: "ann")
    for _ in 0..<9 {
      #expect(scene.receiver.amounts(of: "ann").isEmpty)
      scene.pass(90_000)
      _ = try await sender.deliverDue()
    }
    #expect(try await scene.parked().count == 1)
    #expect(scene.receiver.amounts(of: "ann") == [2, 4, 5])
  }

  @Test("keeps the order of each account with receivers that fail at random and senders that die")
  func randomFaults() async throws {
    let (scene, _) = try await scene()
    let dice = Dice(seed: 20_261_128)
    scene.receiver.answer { _ in
      switch dice.roll(6) {
      case 0: throw HTTPTransportFailure(.timedOut)
      case 1: HTTPResponseMessage(status: 503)
      case 2: HTTPResponseMessage(status: 302)
      default: HTTPResponseMessage(status: .ok)
      }
    }
    for amount in 1...60 { try await scene.tell(amount, of: "account-\(amount % 4)") }
    for round in 0..<400 {
      if round % 3 == 0 {
        // A sender that dies with what it has leased: only its leases are left.
        let now = scene.time.now
        _ = try await scene.store.write { unit in
          _ = try await unit.events.hold("billing")
          return try await unit.outbox.lease(
            line: .webhook("billing"), limit: 2, now: now, until: now + 60, token: "dead")
        }
      }
      _ = try await scene.sender().deliverDue()
      if try await scene.waiting() == 0 { break }
      scene.pass(round % 5 == 0 ? 4_000 : 400)
    }
    #expect(try await scene.waiting() == 0)
    let parked = Set(try await scene.parked().map(\.message.reference))
    let taken = scene.receiver.taken
    #expect(Set(taken.map(\.id)).count + parked.count == 60)
    for account in 0..<4 {
      let amounts = scene.receiver.amounts(of: "account-\(account)")
      #expect(amounts == amounts.sorted())
    }
  }

  @Test("an answer that was lost is followed by a second copy under the same identifier")
  func secondCopy() async throws {
    let (scene, sender) = try await scene()
    let id = try await scene.tell(1, of: "ann")
    scene.receiver.answer { _ in throw HTTPTransportFailure(.interrupted) }
    #expect(try await sender.deliverDue().failed == 1)
    scene.receiver.answer(200)
    scene.pass(5)
    #expect(try await scene.sender().deliverDue().delivered == 1)
    #expect(scene.receiver.requests.compactMap { $0.headers["webhook-id"] } == [id, id])
  }

  @Test(
    "is done with an event that a head of 200 to 299 took, whatever comes of the body",
    arguments: [HTTPTransportFailure.Reason.timedOut, .interrupted, .responseTooLarge])
  func headAlone(_ reason: HTTPTransportFailure.Reason) async throws {
    let (scene, sender) = try await scene()
    func answer(_ status: HTTPStatusCode?) {
      let head = status.map { HTTPResponseMessage(status: $0) }
      scene.receiver.answer { _ in throw HTTPTransportFailure(reason, response: head) }
    }
    try await scene.tell(1, of: "ann")
    answer(nil)
    #expect(try await sender.deliverDue() == OutboxDelivery.Report(failed: 1))
    scene.pass(5)
    answer(.ok)
    #expect(try await sender.deliverDue() == OutboxDelivery.Report(delivered: 1))
    try await scene.tell(2, of: "ann")
    answer(410)
    _ = try await sender.deliverDue()
    #expect(try await sender.isDisabled())
  }

  @Test("410 disables the endpoint, for each worker and after a restart, until it is enabled")
  func gone() async throws {
    let (scene, sender) = try await scene()
    for amount in 1...3 { try await scene.tell(amount, of: "ann") }
    scene.receiver.answer(410)
    _ = try await sender.deliverDue()
    #expect(scene.receiver.requests.count == 1)
    #expect(scene.incidents.all.contains { "\($0)".contains("billing") })
    scene.receiver.answer(200)
    scene.pass(100_000)
    try await scene.tell(4, of: "ben")
    #expect(try await scene.sender().deliverDue() == OutboxDelivery.Report())
    #expect(scene.receiver.requests.count == 1)
    try await scene.sender().enable()
    #expect(try await scene.sender().deliverDue().delivered == 4)
    #expect(scene.receiver.amounts(of: "ann") == [1, 2, 3])
    #expect(scene.receiver.amounts(of: "ben") == [4])
  }

  @Test(
    "429, 502, 504 and Retry-After hold back all events of the endpoint",
    arguments: [
      (429, nil, 30.0), (502, nil, 30), (504, nil, 30), (429, "120", 120), (503, "600", 600),
      // 120 seconds after the moment of the test, and more than a day.
      (503, "Tue, 14 Nov 2023 22:15:20 GMT", 120), (429, "86401", 30),
    ])
  func throttled(_ status: Int, _ retryAfter: String?, _ pause: Double) async throws {
    let (scene, sender) = try await scene()
    try await scene.tell(1, of: "ann")
    scene.receiver.answer(status, retryAfter: retryAfter)
    #expect(try await sender.deliverDue().failed == 1)
    scene.receiver.answer(200)
    try await scene.tell(2, of: "ben")
    scene.pass(pause - 1)
    #expect(try await scene.sender().deliverDue() == OutboxDelivery.Report())
    scene.pass(1)
    #expect(try await scene.sender().deliverDue().delivered == 2)
  }

  @Test("pauses are up to a tenth longer, so that events do not come at once")
  func jitter() async throws {
    let (scene, _) = try await scene()
    let sender = try scene.sender(chance: { 0.5 })
    scene.receiver.answer(500)
    try await scene.tell(1, of: "ann")
    #expect(try await sender.deliverDue().failed == 1)
    scene.pass(6)
    #expect(try await sender.deliverDue().failed == 1)
    // 300 seconds and half of a tenth.
    scene.pass(314)
    #expect(try await sender.deliverDue() == OutboxDelivery.Report())
    scene.pass(1)
    #expect(try await sender.deliverDue().failed == 1)
  }

  @Test("an event of 20 kB is parked unsent, and holds no later one back")
  func tooLarge() async throws {
    let (scene, sender) = try await scene()
    let event = PurchaseEvent(
      id: "evt_large", kind: .entitlementChanged, account: "ann", date: scene.time.now,
      details: .entitlement(EntitlementChange(bundleID: String(repeating: "x", count: 20_000)))
    ).record
    try await scene.store.write { try await $0.events.add(event) }
    try await scene.tell(2, of: "ann")
    let report = try await sender.deliverDue()
    #expect(report == OutboxDelivery.Report(delivered: 1, parked: 1))
    #expect(scene.receiver.amounts() == [2])
    #expect(try await scene.parked().map(\.reason) == [ParkingReason(.eventTooLarge)])
  }

  @Test(
    "only 2xx takes an event; redirects are not followed",
    arguments: [
      199, 301, 302, 307, 308, 400, 401, 404, 500,
    ])
  func refused(_ status: Int) async throws {
    let (scene, sender) = try await scene()
    try await scene.tell(1, of: "ann")
    scene.receiver.answer(status)
    #expect(try await sender.deliverDue().failed == 1)
    #expect(scene.receiver.requests.count == 1)
  }

  @Test("an endpoint hears of the types that it wants, from its first start on")
  func filters() async throws {
    let scene = try await WebhookScene()
    try await scene.tell(1, of: "ann", .creditsGranted)
    let sender = try scene.sender(kinds: [.creditsGranted])
    try await scene.begin(sender)
    try await scene.tell(2, of: "ann", .creditsBooked)
    try await scene.tell(3, of: "ann", .creditsGranted)
    #expect(try await sender.deliverDue().delivered == 1)
    #expect(scene.receiver.amounts() == [3])
  }

  @Test("a range is sent again under the same identifiers, behind what waits")
  func replay() async throws {
    let (scene, sender) = try await scene()
    var ids: [String] = []
    for amount in 1...5 { ids.append(try await scene.tell(amount, of: "ann")) }
    _ = try await sender.deliverDue()
    #expect(try await sender.replay(after: 1, through: 3) == 2)
    #expect(try await sender.deliverDue().delivered == 2)
    #expect(scene.receiver.taken.map(\.id) == ids + ids[1...2])
    #expect(try await sender.replay(after: 5, through: 100) == 0)
  }

  @Test("an event that is no longer kept is parked")
  func removed() async throws {
    let (scene, sender) = try await scene()
    try await scene.tell(1, of: "ann")
    scene.receiver.answer(500)
    _ = try await sender.deliverDue()
    scene.pass(31 * 86_400)
    #expect(try await EventLog(scene.context).removeOld() == 1)
    #expect(try await sender.deliverDue().parked == 1)
    #expect(try await scene.parked().map(\.reason) == [ParkingReason(.eventRemoved)])
  }

  @Test("an event that was parked for as long as events are kept is removed by a later delivery")
  func parkedForLong() async throws {
    let (scene, original) = try await scene()
    var sender = original
    sender.schedule = []
    scene.receiver.answer(500)
    try await scene.tell(1, of: "ann")
    #expect(try await sender.deliverDue().parked == 1)
    scene.pass(29 * 86_400)
    let id = try await scene.tell(2, of: "ann")
    #expect(try await sender.deliverDue().parked == 1)
    #expect(try await scene.parked().count == 2)
    scene.pass(2 * 86_400)
    scene.receiver.answer(200)
    try await scene.tell(3, of: "ann")
    #expect(try await sender.deliverDue().delivered == 1)
    #expect(try await scene.parked().map(\.message.reference) == [id])
  }

  @Test("an endpoint whose place is kept hears of what happens before it sends for the first time")
  func keptPlace() async throws {
    let scene = try await WebhookScene()
    let (kept, late) = (try scene.sender(), try scene.sender("late"))
    try await scene.tell(1, of: "ann")
    try await kept.keepPlace()
    try await scene.tell(2, of: "ann")
    try await kept.keepPlace()
    #expect(try await kept.deliverDue().delivered == 1)
    #expect(scene.receiver.amounts() == [2])
    #expect(try await late.deliverDue() == OutboxDelivery.Report())
  }

  @Test("a name that was dropped is that of a new endpoint, which is not disabled")
  func dropped() async throws {
    let (scene, sender) = try await scene()
    try await scene.tell(1, of: "ann")
    scene.receiver.answer(410)
    _ = try await sender.deliverDue()
    #expect(try await sender.isDisabled())
    #expect(try await scene.store.discard(line: sender.endpoint.line) == 1)
    #expect(try await !sender.isDisabled())
    try await scene.tell(2, of: "ann")
    scene.receiver.answer(200)
    try await sender.keepPlace()
    try await scene.tell(3, of: "ann")
    #expect(try await sender.deliverDue().delivered == 1)
    #expect(scene.receiver.amounts() == [3])
  }

  @Test("a receiver that hangs keeps neither another endpoint nor an e-mail waiting")
  func hanging() async throws {
    let (scene, _) = try await scene()
    let clock = ManualClock()
    let hanging = try scene.sender(
      "hanging", transport: HangingReceiver(), clock: clock)
    let good = try scene.sender()
    try await scene.begin(hanging, good)
    try await scene.tell(1, of: "ann")
    let moment = scene.time.now
    try await scene.store.write {
      try await $0.outbox.add(
        OutboxMessage(
          kind: .link, account: Account(id: "ann"), originalTransactionID: "1", tier: nil,
          expireDate: nil, isAlreadyExpired: false), now: moment)
    }
    async let hung = hanging.deliverDue()
    // The limit of the attempt, and the look for more.
    await clock.sleepers(reach: 2)
    #expect(try await good.deliverDue().delivered == 1)
    let mails = Mails()
    #expect(
      try await OutboxDelivery(
        store: scene.store, handler: mails, now: { moment }, report: { _ in }
      ).deliverDue().delivered == 1)
    #expect(mails.delivered == [.link])
    clock.advance(by: .seconds(20))
    #expect(try await hung == OutboxDelivery.Report(failed: 1))
    #expect(try await scene.waiting("hanging") == 1)
  }

  @Test("what an endpoint does not take waits in the log, not in the outbox")
  func window() async throws {
    let (scene, _) = try await scene()
    var sender = try scene.sender()
    sender.window = 3
    scene.receiver.answer(500)
    for amount in 1...8 { try await scene.tell(amount, of: "account-\(amount)") }
    for _ in 0..<3 { _ = try await sender.deliverDue() }
    #expect(try await scene.waiting() == 3)
    scene.receiver.answer(200)
    scene.pass(300)
    for _ in 0..<4 { _ = try await sender.deliverDue() }
    #expect(scene.receiver.amounts().sorted() == Array(1...8))
  }

  @Test("workers that send at once keep the order, and send nothing twice")
  func workers() async throws {
    let (scene, _) = try await scene()
    for amount in 1...80 { try await scene.tell(amount, of: "account-\(amount % 5)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let sender = try scene.sender()
        group.addTask {
          while try await scene.waiting() > 0 || scene.receiver.taken.count < 80 {
            _ = try await sender.deliverDue()
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(scene.receiver.taken.count == 80)
    for account in 0..<5 {
      let amounts = scene.receiver.amounts(of: "account-\(account)")
      #expect(amounts == amounts.sorted())
    }
  }
}

/// A receiver that never answers.
private struct HangingReceiver: HTTPTransport {
  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}

private final class Mails: OutboxHandler {
  private let state = Locked<[OutboxMessage.Kind]>([])
  var kinds: Set<OutboxMessage.Kind>? { nil }
  var delivered: [OutboxMessage.Kind] { state.withLock { $0 } }

  func deliver(_ message: OutboxMessage, number: Int) async throws {
    state.withLock { $0.append(message.kind) }
  }
}

/// Dice that fall the same way for a seed.
private final class Dice: Sendable {
  private let state: Locked<UInt64>

  init(seed: UInt64) { state = Locked(seed) }

  func roll(_ sides: UInt64) -> UInt64 {
    state.withLock { state in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % sides
    }
  }
}
