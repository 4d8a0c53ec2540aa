import Foundation
import InMemoryStorage
import StorekeeperLocks
import StorekeeperTesting
import Testing

@testable import Storekeeper

/// The jobs of a host, on a clock that stands still until the test moves it.
@Suite("Work in the background")
struct BackgroundWorkTests {
  /// What the jobs did.
  private final class Diary: Sendable {
    private let runs = Locked<[String: Int]>([:])
    private let incidents = Locked<[String]>([])

    /// The number of runs of each job.
    var counts: [String: Int] { runs.withLock { $0 } }
    var reports: [String] { incidents.withLock { $0 } }

    /// Notes a run, and returns how many there were.
    @discardableResult
    func note(_ name: String) -> Int {
      runs.withLock { runs in
        runs[name, default: 0] += 1
        return runs[name, default: 0]
      }
    }

    func report(_ incident: ServiceIncident) {
      incidents.withLock { $0.append("\(incident)") }
    }
  }

  private struct Fault: Error {}

  private let clock = ManualClock()
  private let diary = Diary()
  private let store = InMemoryPurchaseStore()

  @Test("each job runs at once, and again in its interval")
  func intervals() async {
    let task = start([job("minutely", every: 60), job("hourly", every: 3600)])
    await clock.sleepers(reach: 2)
    #expect(diary.counts == ["minutely": 1, "hourly": 1])
    clock.advance(by: .seconds(59))
    #expect(diary.counts == ["minutely": 1, "hourly": 1])
    clock.advance(by: .seconds(2))
    await clock.sleepers(reach: 2)
    #expect(diary.counts == ["minutely": 2, "hourly": 1])
    clock.advance(by: .seconds(3600))
    await clock.sleepers(reach: 2)
    #expect(diary.counts == ["minutely": 3, "hourly": 2])
    task.cancel()
    await task.value
    #expect(diary.reports == [])
  }

  @Test("an interval is spread by a tenth", arguments: [(0.0, 66), (1.0, 54)])
  func spread(chance: Double, seconds: Int) async {
    let task = start([job("minutely", every: 60)], chance: chance)
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(seconds - 1))
    #expect(diary.counts == ["minutely": 1])
    clock.advance(by: .seconds(2))
    await clock.sleepers(reach: 1)
    #expect(diary.counts == ["minutely": 2])
    task.cancel()
    await task.value
  }

  @Test("a job that fails is reported and tried again later and later, and holds up no other")
  func failing() async {
    let broken = BackgroundJob("broken", every: .seconds(3600)) { [diary] in
      if diary.note("broken") < 4 { throw Fault() }
    }
    let task = start([broken, job("minutely", every: 60)])
    await clock.sleepers(reach: 2)
    #expect(diary.counts == ["broken": 1, "minutely": 1])
    // After pauses of one, two and four minutes; then it has succeeded, and is due in its interval.
    var (runs, others) = (1, 1)
    for pause in [60, 120, 240, 3600] {
      clock.advance(by: .seconds(pause - 1))
      // The other job is due in its minute, so that after a minute less a second it sleeps still.
      if pause > 60 { others += 1 }
      await clock.sleepers(reach: 2)
      #expect(diary.counts == ["broken": runs, "minutely": others])
      clock.advance(by: .seconds(2))
      runs += 1
      if pause == 60 { others += 1 }
      await clock.sleepers(reach: 2)
      #expect(diary.counts == ["broken": runs, "minutely": others])
    }
    #expect(diary.reports == Array(repeating: "a job failed: broken: Fault", count: 3))
    task.cancel()
    await task.value
  }

  @Test(
    "pauses after failures double, up to the interval, from a minute to a quarter of an hour",
    arguments: [
      (5, 5, [5.0, 10, 20, 40, 60, 60]), (1, 60, [60.0, 60, 60]),
      (200, 60, [60.0, 120, 200, 200]),
      (3600, 60, [60.0, 120, 240, 480, 900, 900]),
    ])
  func pauses(interval: Int, first: Int, seconds: [Double]) {
    let backOff = BackOff.job(every: .seconds(interval), from: .seconds(first))
    let pauses = (1...seconds.count).map { backOff.pause(after: $0, chance: 0.5) / .seconds(1) }
    #expect(pauses.map { $0.rounded() } == seconds)
  }

  @Test("a job whose work another process has is tried again after a minute, and did not fail")
  func leasedElsewhere() async {
    let scope = PurchaseScope(appID: "com.example.reader", environment: .sandbox)
    let recovery = BackgroundJob("recovery", every: .seconds(3600), of: scope) { [diary] in
      switch diary.note("recovery") {
      case 1, 2: return .leasedElsewhere
      default: throw Fault()
      }
    }
    let task = start([recovery])
    for count in 1...2 {
      await clock.sleepers(reach: 1)
      #expect(diary.counts == ["recovery": count])
      #expect(diary.reports == [])
      clock.advance(by: .seconds(61))
    }
    await clock.sleepers(reach: 1)
    #expect(diary.reports == ["a job failed: recovery, com.example.reader, Sandbox: Fault"])
    task.cancel()
    await task.value
  }

  @Test("a job without an interval is over when it succeeded once; the work goes on")
  func onlyOnce() async {
    let once = BackgroundJob("once", every: nil) { [diary] in
      if diary.note("once") == 1 { throw Fault() }
    }
    let task = start([once])
    await clock.sleepers(reach: 1)
    #expect(diary.counts == ["once": 1])
    for _ in 1...2 {
      clock.advance(by: .seconds(100_000))
      await clock.sleepers(reach: 1)
      #expect(diary.counts == ["once": 2])
    }
    task.cancel()
    await task.value
    #expect(diary.reports == ["a job failed: once: Fault"])
  }

  @Test("a cancellation that is not that of the work is a failure like others")
  func otherCancellation() async {
    let job = BackgroundJob("job", every: .seconds(60)) { [diary] in
      if diary.note("job") == 1 { throw CancellationError() }
    }
    let task = start([job])
    await clock.sleepers(reach: 1)
    #expect(diary.reports == ["a job failed: job: CancellationError"])
    clock.advance(by: .seconds(61))
    await clock.sleepers(reach: 1)
    #expect(diary.counts == ["job": 2])
    task.cancel()
    await task.value
  }

  // MARK: The end

  @Test("work that is cancelled before it begins does nothing")
  func cancelledBefore() async {
    let begin = ManualClock()
    let work = work([job("minutely", every: 60)])
    let task = Task {
      try? await begin.sleep(for: .seconds(1))
      await work.run()
    }
    task.cancel()
    await task.value
    #expect(diary.counts == [:])
  }

  @Test("cancelling ends a step that heeds it, without a report")
  func cancelledStep() async {
    // A clock on which nothing ever passes: only cancellation ends the step.
    let step = ManualClock()
    let long = BackgroundJob("long", every: .seconds(60)) { [diary] in
      do {
        try await step.sleep(for: .seconds(1))
      } catch {
        diary.note("given back")
        throw error
      }
    }
    let task = start([long, job("minutely", every: 60)])
    await step.sleepers(reach: 1)
    await clock.sleepers(reach: 1)
    task.cancel()
    await task.value
    #expect(diary.counts == ["given back": 1, "minutely": 1])
    #expect(diary.reports == [])
  }

  @Test("cancelling waits for a step that has to end first")
  func cancelledBetween() async {
    let step = ManualClock()
    let long = BackgroundJob("long", every: .seconds(60)) { [diary] in
      // In a task of its own, which nobody cancels.
      await Task { try? await step.sleep(for: .seconds(1)) }.value
      diary.note("long")
    }
    let task = start([long])
    await step.sleepers(reach: 1)
    task.cancel()
    step.advance(by: .seconds(1))
    await task.value
    #expect(diary.counts == ["long": 1])
  }

  @Test("a message that was being delivered is free for others at once")
  func givesBack() async throws {
    try await store.write { records in
      try await records.outbox.add(
        OutboxMessage(
          kind: .link, account: Account(id: "alice"), originalTransactionID: "1000",
          tier: .standard, expireDate: nil, isAlreadyExpired: false),
        now: Date(timeIntervalSince1970: 0))
    }
    let step = ManualClock()
    let hanging = OutboxDelivery(
      store: store, handler: Mailer { try await step.sleep(for: .seconds(1)) })
    let task = start([.outbox(hanging)])
    await step.sleepers(reach: 1)
    task.cancel()
    await task.value
    #expect(diary.reports == [])
    let next = OutboxDelivery(store: store, handler: Mailer {})
    #expect(try await next.deliverDue() == OutboxDelivery.Report(delivered: 1))
  }

  // MARK: The jobs of the package

  @Test("a job of the package hands on the result of each run")
  func results() async throws {
    let delivery = OutboxDelivery(store: store, handler: Mailer {})
    let retention = try RetentionJob(store: store, configuration: RetentionJob.Configuration())
    let task = start([
      .outbox(delivery) { [diary] in diary.note("\($0.delivered) delivered") },
      .retention(retention) { [diary] in diary.note("\($0.count) removed") },
    ])
    await clock.sleepers(reach: 2)
    #expect(diary.counts == ["0 delivered": 1, "0 removed": 1])
    clock.advance(by: .seconds(6))
    await clock.sleepers(reach: 2)
    #expect(diary.counts == ["0 delivered": 2, "0 removed": 1])
    task.cancel()
    await task.value
  }

  private func job(_ name: String, every seconds: Int) -> BackgroundJob {
    BackgroundJob(name, every: .seconds(seconds)) { [diary] in diary.note(name) }
  }

  private func work(_ jobs: [BackgroundJob], chance: Double = 0.5) -> BackgroundWork {
    BackgroundWork(
      PurchaseContext(
        store: store, accounts: UnlistedAccounts(), report: { [diary] in diary.report($0) }),
      jobs, clock: clock, chance: { chance })
  }

  private func start(_ jobs: [BackgroundJob], chance: Double = 0.5) -> Task<Void, Never> {
    let work = work(jobs, chance: chance)
    return Task { await work.run() }
  }
}

/// Does the same with each message.
private struct Mailer: OutboxHandler {
  let act: @Sendable () async throws -> Void

  func deliver(_ message: OutboxMessage, number: Int) async throws { try await act() }
}
