import Foundation
import JWSVerifier
import StorekeeperLocks
import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("A race between revocation checks", .timeLimit(.minutes(30)))
struct RevocationRaceTests {
  @Test("asks nothing when the answer comes between looking for it and waiting for it")
  func answerInBetween() async throws {
    let scene = try RevocationScene()
    let clock = StoppingClock(base: scene.clock)
    let checker = scene.checker(clock: clock)
    // The late check stops on its own thread after it found no answer.
    let late = Task(executorPreference: QueueExecutor()) {
      try await StoppingClock.$isLate.withValue(true) { try await checker.check([scene.chain]) }
    }
    await clock.stopped()
    #expect(try await checker.check([scene.chain]) == .good)
    clock.goOn()
    #expect(try await late.value == .good)
    #expect(scene.counts == [1, 1])
  }
}

/// A clock that stops the late task when it reads the time for the second time: first for its
/// deadline, then, after it found no answer, for the rest of its budget.
private final class StoppingClock: Clock {
  @TaskLocal static var isLate = false

  let base: ManualClock
  private let lateReadings = Locked(0)
  private let gate = DispatchSemaphore(value: 0)
  private let (stops, continuation) = AsyncStream.makeStream(of: Void.self)

  init(base: ManualClock) {
    self.base = base
  }

  var minimumResolution: Duration { base.minimumResolution }

  var now: ManualClock.Instant {
    if Self.isLate,
      lateReadings.withLock({
        $0 += 1; return $0
      }) == 2
    {
      continuation.yield()
      gate.wait()
    }
    return base.now
  }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  func stopped() async {
    for await _ in stops { return }
  }

  func goOn() {
    gate.signal()
  }
}

/// Runs a task on a thread that it may block.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "late check")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
