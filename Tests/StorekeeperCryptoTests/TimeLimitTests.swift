import StorekeeperFixtures
import StorekeeperLocks
import Testing

@Suite("Time limits", .timeLimit(.minutes(30)))
struct TimeLimitTests {
  private final class Notes: Sendable {
    let numbers = Locked<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
  }

  private let clock = ContinuousClock()

  /// Waits until an alarm rings.
  private func alarm(_ time: Duration) async {
    await withCheckedContinuation { continuation in
      _ = Alarm(after: time) { continuation.resume() }
    }
  }

  // MARK: Alarms

  @Test("thousands of alarms ring once each, and none early")
  func many() async {
    let early = Notes()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<5_000 {
        group.addTask {
          let time = Duration.milliseconds(number % 97)
          let start = ContinuousClock.now
          // A second ring would end the process.
          await alarm(time)
          if start.duration(to: .now) < time { early.add(number) }
        }
      }
    }
    #expect(early.all == [])
  }

  @Test("an alarm that is set later for an earlier time rings first")
  func earlier() async {
    let rung = Notes()
    let late = Alarm(after: .seconds(86_400)) { rung.add(2) }
    await alarm(.milliseconds(20))
    late.cancel()
    #expect(rung.all == [])
  }

  @Test("a cancelled alarm does not ring, and is no longer held")
  func cancelled() async {
    let rung = Notes()
    final class Held: Sendable {}
    weak var weak: Held?
    do {
      let held = Held()
      weak = held
      let alarm = Alarm(after: .seconds(86_400)) {
        withExtendedLifetime(held) { rung.add(1) }
      }
      alarm.cancel()
      alarm.cancel()
    }
    #expect(weak == nil)
    #expect(rung.all == [])
  }

  @Test(
    "any time is understood",
    arguments: [.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)] as [Duration])
  func shortTimes(time: Duration) async { await alarm(time) }

  // MARK: Waiting

  @Test(
    "a value that comes in time is returned",
    arguments: [Duration.seconds(30), .seconds(Int64.max)])
  func value(limit: Duration) async {
    let waited = await clock.wait(atMost: limit) {
      await Task.yield()
      return 1
    }
    guard case .value(1) = waited else { return #expect(Bool(false), "\(waited)") }
  }

  @Test("a value that is there at once is returned without a time limit")
  func immediate() async {
    guard #available(macOS 26, *) else { return }
    let waited = await clock.wait(atMost: .zero) { 1 }
    guard case .value(1) = waited else { return #expect(Bool(false), "\(waited)") }
  }

  @Test(
    "an operation whose time is up is cancelled", arguments: [Duration.zero, .milliseconds(30)])
  func timeUp(limit: Duration) async {
    let end = Gate()
    let waited = await clock.wait(atMost: limit) { () -> Int? in
      try? await Task.sleep(for: .seconds(86_400))
      end.open()
      return 1
    }
    guard case .timeUp = waited else { return #expect(Bool(false), "\(waited)") }
    await end.wait()
  }

  @Test("an operation that ignores its cancellation is left behind")
  func deaf() async {
    let end = Gate()
    let waited = await clock.wait(atMost: .milliseconds(30)) { () -> Int? in
      await end.wait()
      return 1
    }
    end.open()
    guard case .timeUp = waited else { return #expect(Bool(false), "\(waited)") }
  }

  @Test("a task that is cancelled waits no longer, and its operation is cancelled")
  func cancelledTask() async {
    let (begun, end) = (Gate(), Gate())
    let task = Task {
      await clock.wait(atMost: .seconds(86_400)) { () -> Int? in
        begun.open()
        try? await Task.sleep(for: .seconds(86_400))
        end.open()
        return 1
      }
    }
    await begun.wait()
    task.cancel()
    await end.wait()
    let waited = await task.value
    guard case .cancelled = waited else { return #expect(Bool(false), "\(waited)") }
  }

  @Test("thousands of waits at a time end as each should")
  func manyWaits() async {
    let ends = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<3_000 {
        group.addTask {
          let isStuck = number % 3 == 0
          let waited = await clock.wait(
            atMost: isStuck ? .milliseconds(number % 50) : .seconds(86_400)
          ) {
            () -> Int? in
            if isStuck { try? await Task.sleep(for: .seconds(86_400)) } else { await Task.yield() }
            return number
          }
          switch waited {
          case .value(let value): return !isStuck && value == number
          case .timeUp: return isStuck
          case .cancelled: return false
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(ends == 3_000)
  }

  // MARK: Lines

  @Test("a waiter in a line leaves when its time is up, and the others keep their places")
  func line() async throws {
    let line = WaitingLine([0])
    let item = try await line.take()
    let patient = Task { try await line.take(within: .seconds(86_400)) }
    while line.count < 1 { await Task.yield() }
    await #expect(throws: WaitedTooLong.self) { try await line.take(within: .milliseconds(30)) }
    #expect(line.count == 1)
    line.giveBack(item)
    #expect(try await patient.value == 0)
    #expect(line.count == 0)
  }
}
