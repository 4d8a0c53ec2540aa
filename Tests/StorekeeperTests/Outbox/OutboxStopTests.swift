import StoreSimulators
import Storekeeper
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// What becomes of messages when a worker is stopped, or its handler does not return.
@Suite("Stopping the delivery of the outbox", .onEveryStore)
struct OutboxStopTests {
  @Test("marks the message that was delivered while the task was cancelled")
  func marks() async throws {
    let scene = try await ServiceScene()
    try await fill(scene, with: 1)
    let gate = Barrier()
    let mailer = ActingMailer { _ in await gate.hold() }
    let worker = Task { [delivery = delivery(scene, mailer)] in try await delivery.deliverDue() }
    await gate.reached()
    worker.cancel()
    gate.open()
    #expect(try await worker.value == OutboxDelivery.Report(delivered: 1))
    #expect(try await unsent(scene) == 0)
  }

  @Test("gives back at once what was not begun, and the message that the handler gave up")
  func givesBack() async throws {
    let scene = try await ServiceScene()
    try await fill(scene, with: 3)
    // A clock on which nothing ever passes: only cancellation ends the sleep.
    let clock = ManualClock()
    let mailer = ActingMailer { _ in try await clock.sleep(for: .seconds(1)) }
    let worker = Task { [delivery = delivery(scene, mailer)] in try await delivery.deliverDue() }
    await clock.sleepers(reach: 1)
    worker.cancel()
    await #expect(throws: CancellationError.self) { try await worker.value }
    // No time has passed, and still all are there, oldest first, without a failure.
    let next = ActingMailer { _ in }
    #expect(
      try await delivery(scene, next).deliverDue() == OutboxDelivery.Report(delivered: 3))
    #expect(next.numbers.sorted() == next.numbers)
    #expect(mailer.numbers == Array(next.numbers.prefix(1)))
  }

  @Test("gives back what was not begun when marking fails")
  func markingFails() async throws {
    let scene = try await ServiceScene()
    try await fill(scene, with: 2)
    let broken = storeBroken(atWrite: 2, of: scene.store)
    let appStore = scene.appStore
    let mailer = ActingMailer { _ in }
    let delivery = OutboxDelivery(
      store: broken, handler: mailer, now: { appStore.now })
    await #expect(throws: Broken.self) { try await delivery.deliverDue() }
    #expect(
      try await self.delivery(scene, ActingMailer { _ in }).deliverDue()
        == OutboxDelivery.Report(delivered: 1))
  }

  @Test("gives up a handler that never returns, counts a failure, and goes on with the next")
  func handlerLimit() async throws {
    let reports = Locked<[OutboxDelivery.Failure]>([])
    let scene = try await ServiceScene()
    try await fill(scene, with: 2)
    let (clock, gate, appStore) = (ManualClock(), Barrier(), scene.appStore)
    let isFirst = Locked(true)
    let mailer = ActingMailer { _ in
      let hangs = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if hangs { await gate.hold() }
    }
    var delivery = OutboxDelivery(
      store: scene.store, handler: mailer, clock: clock, now: { appStore.now },
      report: { incident in
        guard case .deliveryFailed(let error, _, _) = incident,
          let failure = error as? OutboxDelivery.Failure
        else { return }
        reports.withLock { $0.append(failure) }
      })
    delivery.handlerLimit = .seconds(20)
    let worker = Task { [delivery] in try await delivery.deliverDue() }
    // On a busy machine the time may begin before the handler does.
    await gate.reached()
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(20))
    #expect(try await worker.value == OutboxDelivery.Report(delivered: 1, failed: 1))
    #expect(reports.withLock { $0 } == [.timeUp])
    // Later it returns, which means nothing any more.
    gate.open()
    #expect(try await unsent(scene) == 1)
    scene.appStore.clock.advance(by: .seconds(3600))
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(delivered: 1))
  }

  @Test("tells a handler that is given up by cancelling its task")
  func handlerIsTold() async throws {
    let scene = try await ServiceScene()
    try await fill(scene, with: 1)
    let (clock, appStore) = (ManualClock(), scene.appStore)
    let told = Gate()
    let mailer = ActingMailer { _ in
      // Another clock, on which nothing ever passes: only cancellation ends this.
      try? await ManualClock().sleep(for: .seconds(1))
      told.open()
    }
    let delivery = OutboxDelivery(
      store: scene.store, handler: mailer, clock: clock, now: { appStore.now })
    let worker = Task { try await delivery.deliverDue() }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(150))
    #expect(try await worker.value == OutboxDelivery.Report(failed: 1))
    await told.wait()
  }

  private func fill(_ scene: ServiceScene, with count: Int) async throws {
    let now = scene.now
    try await scene.store.write { records in
      for number in 0..<count {
        try await records.outbox.add(
          OutboxMessage(
            kind: .link, account: Account(id: "alice"),
            originalTransactionID: "\(1000 + number)", tier: .standard, expireDate: nil,
            isAlreadyExpired: false), now: now)
      }
    }
  }

  private func delivery(_ scene: ServiceScene, _ mailer: ActingMailer) -> OutboxDelivery {
    let appStore = scene.appStore
    return OutboxDelivery(
      store: scene.store, handler: mailer, now: { appStore.now })
  }

  private func unsent(_ scene: ServiceScene) async throws -> Int {
    try await scene.store.read { try await $0.outbox.unsentCount() }
  }
}

/// Does as it is told with each message, and remembers the numbers.
private final class ActingMailer: OutboxHandler {
  private let act: @Sendable (OutboxMessage) async throws -> Void
  private let seen = Locked<[Int]>([])

  init(_ act: @escaping @Sendable (OutboxMessage) async throws -> Void) { self.act = act }

  var numbers: [Int] { seen.withLock { $0 } }

  func deliver(_ message: OutboxMessage, number: Int) async throws {
    seen.withLock { $0.append(number) }
    try await act(message)
  }
}

/// Holds whoever comes until it is opened, and tells that somebody came.
private struct Barrier {
  private let arrival = Gate()
  private let way = Gate()

  func hold() async {
    arrival.open()
    await way.wait()
  }

  func reached() async { await arrival.wait() }
  func open() { way.open() }
}

/// The failure of a store.
private struct Broken: Error {}

/// A store whose n-th unit of work that writes is refused, counted from 1.
private func storeBroken(
  atWrite number: Int, of base: any PurchaseStore
) -> any PurchaseStore {
  let left = Locked(number)
  return WrappedStore(base) { access, unit in
    let breaks = left.withLock { left in
      if access == .writing { left -= 1 }
      return access == .writing && left == 0
    }
    if breaks { throw Broken() }
    try await unit()
  }
}
