import Foundation
import HTTPMessages
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Endpoints that come back", .onEveryStore)
struct WebhookRecoveryTests {
  private func scene() async throws -> (WebhookScene, WebhookSender) {
    let scene = try await WebhookScene()
    let sender = try scene.sender()
    try await scene.begin(sender)
    return (scene, sender)
  }

  /// Makes attempts that fail, each with the pause after it.
  private func fail(
    _ pauses: [Double], of sender: WebhookSender, in scene: WebhookScene
  ) async throws {
    for pause in pauses {
      _ = try await sender.deliverDue()
      scene.pass(pause)
    }
  }

  @Test("an endpoint that is back gets all that waits as soon as it takes one that had failed")
  func recovered() async throws {
    let (scene, _) = try await scene()
    let sender = try scene.sender()
    scene.receiver.answer(500)
    for amount in 1...6 { try await scene.tell(amount, of: "account-\(amount)") }
    try await fail([5, 300, 1800, 7200], of: sender, in: scene)
    // The next try of these is hours ahead; that of the seventh is in 5 seconds.
    _ = try await sender.deliverDue()
    try await scene.tell(7, of: "account-7")
    _ = try await sender.deliverDue()
    scene.receiver.answer(200)
    scene.pass(5)
    #expect(try await sender.deliverDue().delivered == 7)
  }

  @Test("attempts in between use up none of the schedule")
  func inBetween() async throws {
    let (scene, sender) = try await scene()
    let seen = Locked<[Int: Int]>([:])
    scene.receiver.answer { event in
      let amount = event.amount ?? 0
      let count = seen.withLock { seen in
        seen[amount, default: 0] += 1
        return seen[amount, default: 0]
      }
      return HTTPResponseMessage(status: amount == 1 || count == 1 ? 503 : 200)
    }
    try await scene.tell(1, of: "ann")
    _ = try await sender.deliverDue()
    scene.pass(5)
    // From now on the next try is 5 minutes ahead, and in each of 30 rounds the endpoint takes what it had refused.
    for amount in 2...31 {
      try await scene.tell(amount, of: "account-\(amount)")
      _ = try await sender.deliverDue()
      scene.pass(5)
      _ = try await sender.deliverDue()
      #expect(try await scene.parked().isEmpty)
    }
    #expect(scene.receiver.amounts().sorted() == Array(2...31))
    #expect(15 < seen.withLock { $0[1, default: 0] })
    for pause in [300.0, 1800, 7200, 18_000, 36_000, 50_400, 72_000] {
      scene.pass(pause)
      _ = try await sender.deliverDue()
      #expect(try await scene.parked().isEmpty)
    }
    scene.pass(86_400)
    _ = try await sender.deliverDue()
    #expect(try await scene.parked().count == 1)
  }

  @Test("an endpoint that takes few of many is not asked all the time")
  func brownOut() async throws {
    let (scene, sender) = try await scene()
    scene.receiver.answer(503)
    for amount in 1...40 { try await scene.tell(amount, of: "account-\(amount)") }
    _ = try await sender.deliverDue()
    scene.pass(5)
    _ = try await sender.deliverDue()
    // Every tenth is taken now.
    scene.receiver.answer { event in
      HTTPResponseMessage(status: (event.amount ?? 0) % 10 == 0 ? 200 : 503)
    }
    scene.pass(300)
    let count = scene.receiver.requests.count
    _ = try await sender.deliverDue()
    #expect(scene.receiver.amounts().sorted() == [10, 20, 30, 40])
    // Each was due once, and once more when some were taken.
    #expect(scene.receiver.requests.count <= count + 40 + 36)
    _ = try await sender.deliverDue()
    #expect(scene.receiver.requests.count <= count + 40 + 36)
    #expect(try await scene.parked().isEmpty)
  }

  @Test("a long stretch of the log without an event that the endpoint wants is passed at once")
  func unwanted() async throws {
    let scene = try await WebhookScene()
    let sender = try scene.sender(kinds: [.creditsGranted])
    try await scene.begin(sender)
    let events = (1...1100).map { number in
      PurchaseEvent(
        id: "evt_\(number)", kind: .entitlementChanged, account: "ann", date: scene.time.now,
        details: .entitlement(EntitlementChange(bundleID: "org.example.app"))
      ).record
    }
    try await scene.store.write { unit in
      for event in events { try await unit.events.add(event) }
    }
    try await scene.tell(1, of: "ann", .creditsGranted)
    #expect(try await sender.deliverDue().delivered == 1)
  }

  @Test("an attempt that hangs keeps nobody else's event waiting")
  func hangingAttempt() async throws {
    let (scene, _) = try await scene()
    let clock = ManualClock()
    let sender = try scene.sender(clock: clock)
    scene.receiver.answer { event in
      while event.amount == 1 { try await Task.sleep(for: .seconds(3600)) }
      return HTTPResponseMessage(status: .ok)
    }
    try await scene.tell(1, of: "ann")
    async let report = sender.deliverDue()
    // The limit of the attempt, and the look for more.
    await clock.sleepers(reach: 2)
    try await scene.tell(2, of: "ben")
    try await scene.tell(3, of: "ann")
    clock.advance(by: .seconds(1))
    while scene.receiver.amounts() != [2] { try await Task.sleep(for: .milliseconds(1)) }
    // The limit of the first attempt alone.
    clock.advance(by: .seconds(19))
    #expect(try await report == OutboxDelivery.Report(delivered: 1, failed: 1))
    #expect(scene.receiver.amounts() == [2])
  }

  @Test("a full window is tried with a few events every 10 minutes, and then fills again")
  func probed() async throws {
    let (scene, _) = try await scene()
    var sender = try scene.sender()
    sender.window = 3
    scene.receiver.answer(500)
    for amount in 1...8 { try await scene.tell(amount, of: "account-\(amount)") }
    try await fail([5, 300, 1800, 7200], of: sender, in: scene)
    _ = try await sender.deliverDue()
    let count = scene.receiver.requests.count
    scene.pass(599)
    _ = try await sender.deliverDue()
    #expect(scene.receiver.requests.count == count)
    scene.pass(1)
    scene.receiver.answer(200)
    for _ in 0..<4 { _ = try await sender.deliverDue() }
    #expect(scene.receiver.amounts().sorted() == Array(1...8))
  }

  @Test("what had failed before an endpoint was disabled is sent as soon as it is enabled")
  func enabled() async throws {
    let (scene, sender) = try await scene()
    scene.receiver.answer(500)
    try await scene.tell(1, of: "ann")
    try await fail([5, 300, 1800], of: sender, in: scene)
    _ = try await sender.deliverDue()
    scene.receiver.answer(410)
    try await scene.tell(2, of: "ben")
    _ = try await sender.deliverDue()
    scene.receiver.answer(200)
    try await sender.enable()
    #expect(try await sender.deliverDue().delivered == 2)
  }

  @Test(
    "one attempt after an endpoint is enabled parks nothing, whatever held the events back",
    arguments: [410, 503])
  func enabledTooEarly(_ status: Int) async throws {
    let (scene, sender) = try await scene()
    for amount in 1...20 { try await scene.tell(amount, of: "account-\(amount)") }
    scene.receiver.answer(status, retryAfter: "3600")
    _ = try await sender.deliverDue()
    scene.receiver.answer(500)
    try await sender.enable()
    _ = try await sender.deliverDue()
    #expect(try await scene.parked().isEmpty)
    #expect(try await scene.waiting() == 20)
    scene.receiver.answer(200)
    scene.pass(3600)
    #expect(try await sender.deliverDue().delivered == 20)
  }

  @Test("an attempt in between that is held back keeps its schedule, and is made again afterwards")
  func heldBackInBetween() async throws {
    let (scene, sender) = try await scene()
    scene.receiver.answer(500)
    for amount in 1...6 { try await scene.tell(amount, of: "account-\(amount)") }
    let pauses: [Double] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000]
    try await fail(pauses, of: sender, in: scene)
    _ = try await sender.deliverDue()
    // All have failed nine times, and are tried for the last time in a day. A seventh is taken again.
    try await scene.tell(7, of: "account-7")
    _ = try await sender.deliverDue()
    scene.pass(5)
    scene.receiver.answer { event in
      if event.amount == 7 { return HTTPResponseMessage(status: .ok) }
      return HTTPResponseMessage(status: 429)
    }
    for _ in 0..<10 {
      _ = try await sender.deliverDue()
      scene.pass(31)
    }
    #expect(try await scene.parked().isEmpty)
    #expect(scene.receiver.amounts() == [7])
    scene.receiver.answer(200)
    scene.pass(31)
    #expect(try await sender.deliverDue().delivered == 6)
  }

  @Test("an endpoint that asks for a pause is asked once, however much is due")
  func pauseOfMany() async throws {
    let (scene, _) = try await scene()
    var sender = try scene.sender()
    sender.concurrency = 1
    for amount in 1...350 { try await scene.tell(amount, of: "account-\(amount)") }
    scene.receiver.answer(429)
    let report = try await sender.deliverDue()
    #expect(scene.receiver.requests.count == 1)
    // Those of the first lease; the others are left as they are.
    #expect(report == OutboxDelivery.Report(failed: 1, postponed: 99))
  }

  @Test("nothing is written while all that waits has its next try ahead")
  func idle() async throws {
    let (scene, sender) = try await scene()
    scene.receiver.answer(500)
    try await scene.tell(1, of: "ann")
    _ = try await sender.deliverDue()
    let line = OutboxMessage.Kind.webhook("billing")
    let now = scene.time.now
    #expect(try await !scene.store.read { try await $0.outbox.isDue(inLine: line, now: now) })
    #expect(try await scene.store.read { try await $0.outbox.isDue(inLine: line, now: now + 5) })
  }

  @Test("fields of a later version are sent as they are stored")
  func laterFields() async throws {
    let (scene, sender) = try await scene()
    var record = PurchaseEvent(
      id: "evt_later", kind: .entitlementChanged, account: "ann", date: scene.time.now,
      details: .entitlement(EntitlementChange(bundleID: "org.example.app"))
    ).record
    record.data = record.data.replacing("{", with: #"{"added":"later","#, maxReplacements: 1)
    let later = record
    try await scene.store.write { try await $0.events.add(later) }
    #expect(try await sender.deliverDue().delivered == 1)
    let body = try #require(scene.receiver.requests.last?.body)
    #expect(String(decoding: body, as: UTF8.self).contains(#""added":"later""#))
  }

  @Test("the order of an account holds while e-mails are leased beside it")
  func mails() async throws {
    let (scene, sender) = try await scene()
    let moment = scene.time.now
    for amount in 1...40 {
      try await scene.tell(amount, of: "account-\(amount % 2)")
      try await scene.store.write {
        try await $0.outbox.add(
          OutboxMessage(
            kind: .link, account: Account(id: "ann"), originalTransactionID: "1", tier: nil,
            expireDate: nil, isAlreadyExpired: false), now: moment)
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<3 {
        group.addTask {
          for _ in 0..<50 {
            let leases = try await scene.store.write {
              try await $0.outbox.lease(
                limit: 50, now: moment, until: moment + 60, token: "mails-\(worker)")
            }
            try await scene.store.write { unit in
              for lease in leases { try await unit.outbox.giveBack(lease) }
            }
          }
        }
      }
      while scene.receiver.taken.count < 40 { _ = try await sender.deliverDue() }
      try await group.waitForAll()
    }
    for account in 0..<2 {
      let amounts = scene.receiver.amounts(of: "account-\(account)")
      #expect(amounts == amounts.sorted())
    }
  }
}
