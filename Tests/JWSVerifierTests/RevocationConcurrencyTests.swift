import HTTPMessages
import JWSVerifier
import StorekeeperTesting
import Testing

@Suite("Concurrent revocation checks", .timeLimit(.minutes(30)))
struct RevocationConcurrencyTests {
  typealias Outcome = Result<RevocationStatus, SignedDataFailure>
  private let scene: RevocationScene

  init() throws {
    scene = try RevocationScene()
  }

  private func outcome(_ checker: RevocationChecker) async -> Outcome {
    do throws(SignedDataFailure) {
      return .success(try await checker.check([scene.chain]))
    } catch {
      return .failure(error)
    }
  }

  /// Runs checks of the scene's chain as separate tasks.
  private func start(_ checker: RevocationChecker, count: Int = 1) -> [Task<Outcome, Never>] {
    (0..<count).map { _ in Task { await outcome(checker) } }
  }

  private func outcomes(_ tasks: [Task<Outcome, Never>]) async -> [Outcome] {
    var outcomes: [Outcome] = []
    for task in tasks { outcomes.append(await task.value) }
    return outcomes
  }

  /// Waits until so many checks wait for a question: each has its time limit, and so has the
  /// question.
  private func waiters(reach count: Int) async {
    await scene.clock.sleepers(reach: count + 1)
  }

  // MARK: Single flight

  @Test("asks once for 100 checks that wait together")
  func singleFlight() async {
    scene.responder.hold(.leaf)
    let tasks = start(scene.checker(), count: 100)
    await waiters(reach: 100)
    scene.responder.release(.leaf)
    #expect(await outcomes(tasks) == Array(repeating: .success(.good), count: 100))
    #expect(scene.counts == [1, 1])
  }

  @Test("asks once for 100 checks, however they fall", arguments: 1...10)
  func coldStart(round: Int) async {
    let tasks = start(scene.checker(), count: 100)
    #expect(await outcomes(tasks) == Array(repeating: .success(.good), count: 100))
    #expect(scene.counts == [1, 1])
  }

  @Test("gives one failure to all waiters")
  func sharedFailure() async {
    scene.responder.setReply(.declined(status: 3), about: .leaf)
    scene.responder.hold(.leaf)
    let tasks = start(scene.checker(), count: 10)
    await waiters(reach: 10)
    scene.responder.release(.leaf)
    let failure = Outcome.failure(.onlineCheckFailed(.responderStatus(3)))
    #expect(await outcomes(tasks) == Array(repeating: failure, count: 10))
    #expect(scene.counts == [1, 0])
  }

  @Test("asks about each certificate of several chains once")
  func severalChains() async throws {
    let other = try scene.otherChain(serialNumber: 4)
    let chains = [scene.chain, other, scene.chain, other]
    #expect(try await scene.checker().check(chains) == .good)
    #expect(scene.counts == [2, 1])
  }

  @Test("reports a certificate of several chains once")
  func severalUncheckedChains() async throws {
    scene.responder.setReply(.declined(status: 3), about: .intermediate)
    let chains = [scene.chain, try scene.otherChain(serialNumber: 4)]
    #expect(
      try await scene.checker { $0.mode = .soft }.check(chains)
        == .notChecked([UncheckedCertificate(index: 1, reason: .failed(.responderStatus(3)))]))
    #expect(scene.counts == [2, 1])
  }

  // MARK: Cancellation

  @Test("lets the others go on when the first is cancelled")
  func oneCancelled() async {
    scene.responder.hold(.leaf)
    let checker = scene.checker()
    let first = start(checker)
    await waiters(reach: 1)
    let others = start(checker, count: 9)
    await waiters(reach: 10)
    first[0].cancel()
    #expect(await outcomes(first) == [.failure(.onlineCheckFailed(.cancelled))])
    scene.responder.release(.leaf)
    #expect(await outcomes(others) == Array(repeating: .success(.good), count: 9))
    #expect(scene.counts == [1, 1])
  }

  @Test(
    "ends the question when all are cancelled, and asks anew later",
    arguments: [RevocationChecker.Mode.hard, .soft])
  func allCancelled(mode: RevocationChecker.Mode) async {
    let transport = WatchedTransport(base: scene.responder)
    let checker = scene.checker(transport: transport) { $0.mode = mode }
    scene.responder.hold(.leaf)
    let tasks = start(checker, count: 3)
    await waiters(reach: 3)
    await scene.responder.queries(reach: 1)
    for task in tasks { task.cancel() }
    // Not even the soft mode accepts a cancelled check.
    let failure = Outcome.failure(.onlineCheckFailed(.cancelled))
    #expect(await outcomes(tasks) == [failure, failure, failure])
    await transport.firstError()
    scene.responder.release(.leaf)
    #expect(await outcome(checker) == .success(.good))
    #expect(scene.counts == [2, 1])
  }

  @Test("asks nothing for a task that is already cancelled")
  func cancelledBefore() async {
    let checker = scene.checker()
    let result = await withTaskGroup(of: Outcome.self) { group in
      group.cancelAll()
      group.addTask { await outcome(checker) }
      return await group.next()
    }
    #expect(result == .failure(.onlineCheckFailed(.cancelled)))
    #expect(scene.counts == [0, 0])
  }

  // MARK: Time budget

  @Test("stops when the time budget is spent")
  func budget() async {
    scene.responder.hold(.leaf)
    let tasks = start(scene.checker())
    await waiters(reach: 1)
    await scene.responder.queries(reach: 1)
    scene.clock.advance(by: .seconds(10))
    #expect(await outcomes(tasks) == [.failure(.onlineCheckFailed(.timeBudgetSpent))])
    #expect(scene.counts == [1, 0])
  }

  @Test("takes an answer that comes before the time budget is spent")
  func withinBudget() async {
    scene.responder.hold(.leaf)
    let tasks = start(scene.checker())
    await waiters(reach: 1)
    scene.clock.advance(by: .milliseconds(9_999))
    scene.responder.release(.leaf)
    #expect(await outcomes(tasks) == [.success(.good)])
  }

  @Test("asks about nothing more in the soft mode when the time budget is spent")
  func softBudget() async {
    scene.responder.hold(.leaf)
    let tasks = start(scene.checker { $0.mode = .soft })
    await waiters(reach: 1)
    await scene.responder.queries(reach: 1)
    scene.clock.advance(by: .seconds(10))
    let spent = (0...1).map {
      UncheckedCertificate(index: $0, reason: .failed(.timeBudgetSpent))
    }
    #expect(await outcomes(tasks) == [.success(.notChecked(spent))])
    #expect(scene.counts == [1, 0])
  }

  @Test("spends one budget on all questions")
  func sharedBudget() async {
    scene.responder.hold(.leaf)
    scene.responder.hold(.intermediate)
    let tasks = start(scene.checker { $0.timeBudget = .seconds(5) })
    await waiters(reach: 1)
    scene.clock.advance(by: .seconds(3))
    scene.responder.release(.leaf)
    await scene.responder.queries(reach: 2)
    await waiters(reach: 1)
    scene.clock.advance(by: .seconds(2))
    #expect(await outcomes(tasks) == [.failure(.onlineCheckFailed(.timeBudgetSpent))])
    #expect(scene.counts == [1, 1])
  }

  @Test("ends a question after one budget, however many come to wait for it")
  func questionLimit() async {
    let checker = scene.checker()
    scene.responder.hold(.leaf)
    let first = start(checker)
    await waiters(reach: 1)
    await scene.responder.queries(reach: 1)
    scene.clock.advance(by: .seconds(5))
    let second = start(checker)
    await waiters(reach: 2)
    scene.clock.advance(by: .seconds(5))
    let spent = Outcome.failure(.onlineCheckFailed(.timeBudgetSpent))
    #expect(await outcomes(first + second) == [spent, spent])
    scene.responder.release(.leaf)
    #expect(await outcome(checker) == .success(.good))
    #expect(scene.counts == [2, 1])
  }

  @Test("asks nothing without a time budget")
  func noBudget() async {
    let checker = scene.checker { $0.timeBudget = .zero }
    #expect(await outcome(checker) == .failure(.onlineCheckFailed(.timeBudgetSpent)))
    #expect(scene.counts == [0, 0])
  }

  @Test("gives the answer to those with time left when the first has none")
  func laterDeadline() async {
    let checker = scene.checker()
    scene.responder.hold(.leaf)
    scene.responder.hold(.intermediate)
    let first = start(checker)
    await waiters(reach: 1)
    scene.clock.advance(by: .seconds(8))
    scene.responder.release(.leaf)
    // The first check asks about the intermediate with two seconds left.
    await scene.responder.queries(reach: 2)
    let second = start(checker)
    await waiters(reach: 2)
    scene.clock.advance(by: .seconds(2))
    #expect(await outcomes(first) == [.failure(.onlineCheckFailed(.timeBudgetSpent))])
    scene.responder.release(.intermediate)
    #expect(await outcomes(second) == [.success(.good)])
    #expect(scene.counts == [1, 1])
  }
}

/// A transport that reports the first error of the one behind it.
private struct WatchedTransport: HTTPTransport {
  let base: any HTTPTransport
  private let errors: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init(base: any HTTPTransport) {
    self.base = base
    (errors, continuation) = AsyncStream.makeStream()
  }

  func firstError() async {
    for await _ in errors { return }
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    do {
      return try await base.send(request)
    } catch {
      continuation.yield()
      throw error
    }
  }
}
