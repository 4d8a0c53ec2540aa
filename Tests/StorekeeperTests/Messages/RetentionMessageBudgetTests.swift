import Foundation
import Storekeeper
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Retention messages: the time budget", .timeLimit(.minutes(30)))
struct RetentionMessageBudgetTests {
  private struct Broken: Error {}

  private static let message = UUID(uuidString: "748BC0C8-F778-4616-8DFF-7F4A8F4DD411") ?? UUID()

  @Test("the budget leaves a margin of Apple's 700 milliseconds")
  func margin() {
    #expect(RetentionMessageService.standardBudget == .milliseconds(600))
    #expect(RetentionMessageService.standardBudget < .milliseconds(700))
  }

  @Test("a slow answerer is cancelled at the budget, which is reported with the time taken")
  func slow() async throws {
    let cancelled = Gate()
    let scene = try RetentionMessageScene { _ in
      let (silence, end) = AsyncStream<Void>.makeStream()
      defer { end.finish() }
      for await _ in silence {}
      cancelled.open()
      throw CancellationError()
    }
    let token = try scene.request()
    async let failure = scene.failure(token)
    await scene.clock.sleepers(reach: 1)
    scene.clock.advance(by: .milliseconds(599))
    #expect(scene.incidents.all.isEmpty)
    scene.clock.advance(by: .milliseconds(1))
    guard case .timeUp(after: .milliseconds(600))? = await failure else {
      Issue.record("not late")
      return
    }
    #expect(scene.incidents.late == [.milliseconds(600)])
    #expect(scene.incidents.all.count == 1)
    await cancelled.wait()
  }

  @Test("an answerer that ignores cancellation does not hold the request")
  func stubborn() async throws {
    let door = Gate()
    defer { door.open() }
    let scene = try RetentionMessageScene { _ in
      await door.wait()
      return .message(Self.message)
    }
    let token = try scene.request()
    async let failure = scene.failure(token)
    await scene.clock.sleepers(reach: 1)
    scene.clock.advance(by: .milliseconds(600))
    guard case .timeUp? = await failure else {
      Issue.record("not late")
      return
    }
  }

  @Test("an answer within the budget has its time; it is not reported")
  func inTime() async throws {
    let door = Gate()
    let asked = Gate()
    let scene = try RetentionMessageScene { _ in
      asked.open()
      await door.wait()
      return .message(Self.message)
    }
    let token = try scene.request()
    async let answer = scene.service.answer(signedPayload: token)
    await asked.wait()
    await scene.clock.sleepers(reach: 1)
    scene.clock.advance(by: .milliseconds(250))
    door.open()
    let result = try await answer
    #expect(result.duration == .milliseconds(250))
    #expect(result.response == .message(Self.message))
    #expect(scene.incidents.all.isEmpty)
  }

  @Test("another budget counts instead, and without any time the host is not asked")
  func otherBudget() async throws {
    let asked = Locked(0)
    for budget in [Duration.zero, .milliseconds(-1)] {
      let scene = try RetentionMessageScene(budget: budget) { _ in
        asked.withLock { $0 += 1 }
        return nil
      }
      guard case .timeUp(after: .zero)? = await scene.failure(try scene.request()) else {
        Issue.record("not late")
        return
      }
      #expect(scene.incidents.late == [.zero])
    }
    #expect(asked.withLock { $0 } == 0)
  }

  @Test("an answerer's error is the failure, with the error")
  func throwing() async throws {
    let scene = try RetentionMessageScene { _ in throw Broken() }
    guard case .answererFailed(let error)? = await scene.failure(try scene.request()) else {
      Issue.record("no failure")
      return
    }
    #expect(error is Broken)
    #expect(scene.incidents.all.isEmpty)
  }

  @Test("a cancelled caller gets its failure at once")
  func cancelled() async throws {
    let asked = Gate()
    let scene = try RetentionMessageScene { _ in
      asked.open()
      let (silence, end) = AsyncStream<Void>.makeStream()
      defer { end.finish() }
      for await _ in silence {}
      throw CancellationError()
    }
    let token = try scene.request()
    let work = Task { await scene.failure(token) }
    await asked.wait()
    work.cancel()
    guard case .cancelled? = await work.value else {
      Issue.record("not cancelled")
      return
    }
    #expect(scene.incidents.all.isEmpty)
  }
}
