import Foundation
import HTTPMessages
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A measurement, which asserts on no time: `STOREKEEPER_EVENT_RATE=500` writes so many events a second for 20 seconds,
/// and prints how long they took from their commit to the receiver.
@Suite("The way of an event", .onEveryStore)
struct EventLatencyTests {
  private static let rate = ProcessInfo.processInfo.environment["STOREKEEPER_EVENT_RATE"]
    .flatMap { Int($0) }

  @Test("is measured where a rate is given", .enabled(if: rate != nil))
  func measured() async throws {
    guard let rate = Self.rate else { return }
    let scene = try await WebhookScene()
    let sender = try scene.sender()
    try await scene.begin(sender)
    let (count, clock) = (rate * 20, ContinuousClock())
    let (arrivals, commits) = (Moments(), Moments())
    scene.receiver.answer { event in
      if let amount = event.amount { arrivals.note(amount) }
      return HTTPResponseMessage(status: .ok)
    }
    let sending = Task {
      while !Task.isCancelled, arrivals.all.count < count {
        _ = try await sender.deliverDue()
        try await Task.sleep(for: .seconds(1))
      }
    }
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...count {
        let due = start + .seconds(1) * number / rate
        if clock.now < due { try await clock.sleep(until: due) }
        group.addTask {
          try await scene.tell(number, of: "account-\(number % 1000)")
          commits.note(number)
        }
      }
      try await group.waitForAll()
    }
    let written = start.duration(to: clock.now)
    try await sending.value
    let (came, went) = (arrivals.all, commits.all)
    #expect(came.count == count)
    let times = went.compactMap { number, moment in came[number].map { moment.duration(to: $0) } }
      .sorted()
    print(
      "events: \(count) written in \(written), from commit to delivery: median"
        + " \(times[times.count / 2]), p99 \(times[times.count * 99 / 100]), longest"
        + " \(times[times.count - 1])")
  }
}

/// When each event was met.
private final class Moments: Sendable {
  private let moments = Locked<[Int: ContinuousClock.Instant]>([:])

  func note(_ number: Int) { moments.withLock { $0[number] = .now } }
  var all: [Int: ContinuousClock.Instant] { moments.withLock { $0 } }
}
