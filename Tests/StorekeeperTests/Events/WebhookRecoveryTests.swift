import Foundation
import PurchaseStorage
import ReceiptModels
import Storekeeper
import Testing

@Suite("Endpoints that come back", .onEveryStore)
struct WebhookRecoveryTests {
  private func scene() async throws -> (WebhookScene, WebhookSender) {
    let scene = try await WebhookScene()
    let sender = try scene.sender()
    try await scene.begin(sender)
    return (scene, sender)
  }

  @Test("an endpoint that is back gets all that waits as soon as it takes one that had failed")
  func recovered() async throws {
    let (scene, _) = try await scene()
    let sender = try scene.sender()
    scene.receiver.answer(500)
    for amount in 1...6 { try await scene.tell(amount, of: "account-\(amount)") }
    for pause in [5.0, 300, 1800, 7200] {
      _ = try await sender.deliverDue()
      scene.pass(pause)
    }
    // The next try of these is hours ahead; that of the seventh is in 5 seconds.
    _ = try await sender.deliverDue()
    try await scene.tell(7, of: "account-7")
    _ = try await sender.deliverDue()
    scene.receiver.answer(200)
    scene.pass(5)
    #expect(try await sender.deliverDue().delivered == 7)
  }

  @Test("a full window is tried with one event every 10 minutes, and fills again after it is taken")
  func probed() async throws {
    let (scene, _) = try await scene()
    var sender = try scene.sender()
    sender.window = 3
    scene.receiver.answer(500)
    for amount in 1...8 { try await scene.tell(amount, of: "account-\(amount)") }
    for pause in [5.0, 300, 1800, 7200] {
      _ = try await sender.deliverDue()
      scene.pass(pause)
    }
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
    for pause in [5.0, 300, 1800] {
      _ = try await sender.deliverDue()
      scene.pass(pause)
    }
    _ = try await sender.deliverDue()
    scene.receiver.answer(410)
    try await scene.tell(2, of: "ben")
    _ = try await sender.deliverDue()
    scene.receiver.answer(200)
    try await sender.enable()
    #expect(try await sender.deliverDue().delivered == 2)
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
