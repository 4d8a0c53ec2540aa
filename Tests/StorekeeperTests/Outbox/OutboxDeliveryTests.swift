import Foundation
import StoreSimulators
import StorekeeperLocks
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Delivering the outbox", .onEveryStore)
struct OutboxDeliveryTests {
  @Test("hands each message to the handler, oldest first, and once when all goes well")
  func delivers() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    try await scene.service.unlink("alice", from: id)
    let mailer = Mailer()
    let report = try await delivery(scene, mailer).deliverDue()
    #expect(report == OutboxDelivery.Report(delivered: 2, failed: 0))
    #expect(mailer.delivered.map(\.kind) == [.link, .unlink])
    #expect(mailer.delivered.first?.account?.primaryID == "alice")
    #expect(mailer.delivered.first?.originalTransactionID == id)
    #expect(mailer.delivered.first?.expireDate == CalendarDay("2023-12-14"))
    #expect(try await delivery(scene, mailer).deliverDue().delivered == 0)
  }

  @Test("tries again later what failed, under the same number")
  func retries() async throws {
    let scene = try await ServiceScene()
    _ = try await scene.service.link("alice", to: try await scene.bought().originalTransactionID)
    let mailer = Mailer(failures: 2)
    let worker = delivery(scene, mailer)
    #expect(try await worker.deliverDue() == OutboxDelivery.Report(delivered: 0, failed: 1))
    // Not before its pause is over.
    #expect(try await worker.deliverDue() == OutboxDelivery.Report(delivered: 0, failed: 0))
    scene.appStore.clock.advance(by: .seconds(3600))
    #expect(try await worker.deliverDue() == OutboxDelivery.Report(delivered: 0, failed: 1))
    scene.appStore.clock.advance(by: .seconds(3600))
    #expect(try await worker.deliverDue() == OutboxDelivery.Report(delivered: 1, failed: 0))
    #expect(Set(mailer.numbers).count == 1)
    #expect(mailer.numbers.count == 3)
  }

  @Test("is done again by another worker when one dies with a message in its hands")
  func lostWorker() async throws {
    let scene = try await ServiceScene()
    _ = try await scene.service.link("alice", to: try await scene.bought().originalTransactionID)
    let now = scene.now
    let taken = try await scene.store.write { records in
      try await records.outbox.lease(limit: 10, now: now, until: now + 300, token: "dead")
    }
    #expect(taken.count == 1)
    let mailer = Mailer()
    #expect(try await delivery(scene, mailer).deliverDue().delivered == 0)
    scene.appStore.clock.advance(by: .seconds(301))
    #expect(try await delivery(scene, mailer).deliverDue().delivered == 1)
    #expect(mailer.numbers == taken.map(\.number))
  }

  @Test("begins no message after its lease is over")
  func leaseOver() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    try await scene.service.unlink("alice", from: id)
    let appStore = scene.appStore
    let slow = SlowMailer { appStore.clock.advance(by: .seconds(400)) }
    let delivery = OutboxDelivery(
      store: scene.store, handler: slow, now: { appStore.now })
    #expect(try await delivery.deliverDue().delivered == 1)
    #expect(try await delivery.deliverDue().delivered == 1)
  }

  @Test("forgets messages a month after they were sent, and none that was not")
  func retention() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    let worker = delivery(scene, Mailer())
    #expect(try await worker.deliverDue().delivered == 1)
    try await scene.service.unlink("alice", from: id)
    scene.appStore.clock.advance(by: .days(31))
    let failing = delivery(scene, Mailer(failures: 1))
    #expect(try await failing.deliverDue() == OutboxDelivery.Report(delivered: 0, failed: 1))
    let left = try await scene.store.write { records in
      try await records.outbox.removeSent(before: .distantFuture, limit: 10)
    }
    #expect(left == 0)
    let unsent = try await scene.store.read { try await $0.outbox.unsentCount() }
    #expect(unsent == 1)
  }

  @Test("postpones what cannot be tried now, without a failure, and reports it once")
  func postponed() async throws {
    let scene = try await ServiceScene()
    try await linkAndUnlink(scene)
    let incidents = Counter()
    let closed = Closed(disposition: .postpone(.seconds(90)))
    #expect(
      try await delivery(scene, closed, incidents).deliverDue()
        == OutboxDelivery.Report(postponed: 2))
    #expect(incidents.count == 1)
    scene.appStore.clock.advance(by: .seconds(89))
    #expect(try await delivery(scene, Mailer()).deliverDue() == OutboxDelivery.Report())
    scene.appStore.clock.advance(by: .seconds(1))
    let leases = try await scene.messages()
    #expect(leases.count == 2)
    #expect(try await delivery(scene, Mailer()).deliverDue() == OutboxDelivery.Report(delivered: 2))
  }

  @Test("parks what cannot be delivered, until it is sent again")
  func parked() async throws {
    let scene = try await ServiceScene()
    try await linkAndUnlink(scene)
    let reason = ParkingReason(.recipientRefused, detail: "550 5.1.1")
    let incidents = Counter()
    #expect(
      try await delivery(scene, Closed(disposition: .park(reason)), incidents).deliverDue()
        == OutboxDelivery.Report(parked: 2))
    #expect(incidents.count == 2)
    scene.appStore.clock.advance(by: .days(40))
    #expect(try await delivery(scene, Mailer()).deliverDue() == OutboxDelivery.Report())
    let parked = try await scene.store.read { try await $0.outbox.parked(after: 0, limit: 10) }
    #expect(parked.map(\.reason) == [reason, reason])
    #expect(parked.map(\.message.kind) == [.link, .unlink])
    let number = try #require(parked.last?.number)
    #expect(try await scene.store.write { try await $0.outbox.sendAgain(number) })
    let mailer = Mailer()
    #expect(try await delivery(scene, mailer).deliverDue() == OutboxDelivery.Report(delivered: 1))
    #expect(mailer.numbers == [number])
  }

  @Test("leaves the kinds that its handler holds back, untouched")
  func held() async throws {
    let scene = try await ServiceScene()
    try await linkAndUnlink(scene)
    let holding = Closed(disposition: .retry, heldKinds: [.link])
    #expect(
      try await delivery(scene, holding).deliverDue() == OutboxDelivery.Report(failed: 1))
    let messages = try await scene.messages()
    #expect(messages.map(\.kind) == [.link])
  }

  private func linkAndUnlink(_ scene: ServiceScene) async throws {
    let id = try await scene.bought().originalTransactionID
    _ = try await scene.service.link("alice", to: id)
    try await scene.service.unlink("alice", from: id)
  }

  @Test("writes nothing for a request that was refused")
  func refused() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    #expect(
      try await failure { try await scene.service.unlink("alice", from: id) }
        == .refused(.notLinked))
    #expect(try await scene.messages().isEmpty)
  }

  private func delivery(
    _ scene: ServiceScene, _ handler: any OutboxHandler, _ incidents: Counter = Counter()
  ) -> OutboxDelivery {
    let appStore = scene.appStore
    return OutboxDelivery(
      store: scene.store, handler: handler, now: { appStore.now },
      report: { _ in incidents.add() })
  }
}

/// Delivers nothing.
private struct Closed: OutboxHandler {
  struct Failure: OutboxFailure {
    let disposition: OutboxDisposition
  }

  let disposition: OutboxDisposition
  var heldKinds: Set<OutboxMessage.Kind> = []

  func deliver(_ message: OutboxMessage, number: Int) throws {
    throw Failure(disposition: disposition)
  }
}

/// Remembers what it is given, and fails as often as told.
private final class Mailer: OutboxHandler {
  struct Failure: Error {}
  private let state: Locked<(failures: Int, numbers: [Int], delivered: [OutboxMessage])>

  init(failures: Int = 0) { state = Locked((failures, [], [])) }

  var numbers: [Int] { state.withLock { $0.numbers } }
  var delivered: [OutboxMessage] { state.withLock { $0.delivered } }

  func deliver(_ message: OutboxMessage, number: Int) throws {
    let fails = state.withLock { state in
      state.numbers.append(number)
      state.failures -= 1
      if state.failures < 0 { state.delivered.append(message) }
      return state.failures >= 0
    }
    if fails { throw Failure() }
  }
}

/// Takes longer than a lease lasts.
private struct SlowMailer: OutboxHandler {
  let wait: @Sendable () -> Void
  func deliver(_ message: OutboxMessage, number: Int) { wait() }
}

/// Counts incidents.
private final class Counter: Sendable {
  private let value = Locked(0)

  var count: Int { value.withLock { $0 } }

  func add() { value.withLock { $0 += 1 } }
}
