internal import Dispatch
internal import StorekeeperLocks

/// Runs blocking work on a bounded number of threads, with a time limit for its callers.
///
/// Work that never returns from a system call keeps its thread. Once all threads are lost like
/// that, new work is refused at once, until one of them returns.
final class BoundedLane: Sendable {
  private let width: Int
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let queue: DispatchQueue
  private let state = Locked(State())

  init(_ label: String, width: Int, limit: Duration, clock: any Clock<Duration>) {
    self.width = width
    self.limit = limit
    self.clock = clock
    queue = DispatchQueue(label: label, attributes: .concurrent)
  }

  /// Runs the work in turn, which can ask whether its caller still waits; throws `Failure.timeUp` after the limit.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable (Errand) throws(FileReceiptStore.Failure) -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let promise = Promise(continuation)
      let errand = Errand(
        perform: { errand in
          do throws(FileReceiptStore.Failure) {
            let result = try work(errand)
            return { promise.settle(.success(result)) }
          } catch {
            return { promise.settle(.failure(error)) }
          }
        },
        refuse: { promise.settle(.failure(FileReceiptStore.Failure.timeUp)) })
      enter(errand)
    }
  }

  private func enter(_ errand: Errand) {
    let step = state.withLock { $0.admit(errand, width: width) }
    guard step != .refused else { return errand.refuse() }
    let timer = Task { [clock, limit] in
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      giveUp(errand)
    }
    errand.keep(timer)
    if step == .begun { begin(errand) }
  }

  private func begin(_ errand: Errand) {
    queue.async { [self] in
      let answer = errand.perform(errand)
      errand.stopTimer()
      let next = state.withLock { $0.end(errand) }
      // Not before: the caller's next work would find the thread busy, and perhaps lost.
      answer()
      if let next { begin(next) }
    }
  }

  /// Marks work as given up; if all threads are lost now, refuses all work that waits.
  private func giveUp(_ errand: Errand) {
    let refused = state.withLock { $0.giveUp(errand, width: width) }
    for errand in refused {
      errand.stopTimer()
      errand.refuse()
    }
  }
}

/// A piece of work, with the refusal for its caller.
final class Errand: Sendable {
  /// Does the work, and returns what answers its caller.
  fileprivate let perform: @Sendable (Errand) -> @Sendable () -> Void
  fileprivate let refuse: @Sendable () -> Void
  private let timer = Locked<Task<Void, Never>?>(nil)
  private let isOver = Locked(false)

  fileprivate init(
    perform: @escaping @Sendable (Errand) -> @Sendable () -> Void,
    refuse: @escaping @Sendable () -> Void
  ) {
    self.perform = perform
    self.refuse = refuse
  }

  /// Whether the caller no longer waits.
  var isGivenUp: Bool { isOver.withLock { $0 } }

  fileprivate func markGivenUp() { isOver.withLock { $0 = true } }

  fileprivate func keep(_ task: Task<Void, Never>) { timer.withLock { $0 = task } }

  fileprivate func stopTimer() { timer.withLock { $0 }?.cancel() }
}

extension BoundedLane {
  private enum Step { case begun, waiting, refused }

  private struct State {
    /// The work that has a thread.
    private var running: [Errand] = []
    private var waiting: [Errand] = []

    mutating func admit(_ errand: Errand, width: Int) -> Step {
      if isLost(width) { return .refused }
      guard running.count < width else {
        waiting.append(errand)
        return .waiting
      }
      running.append(errand)
      return .begun
    }

    /// Returns the next work for the thread that came back.
    mutating func end(_ errand: Errand) -> Errand? {
      running.removeAll { $0 === errand }
      guard !waiting.isEmpty else { return nil }
      running.append(waiting.removeFirst())
      return running.last
    }

    /// Returns the work to be refused now.
    mutating func giveUp(_ errand: Errand, width: Int) -> [Errand] {
      errand.markGivenUp()
      waiting.removeAll { $0 === errand }
      guard isLost(width) else { return [errand] }
      defer { waiting = [] }
      return [errand] + waiting
    }

    /// Whether every thread is busy with work that was given up.
    private func isLost(_ width: Int) -> Bool {
      running.count == width && running.allSatisfy(\.isGivenUp)
    }
  }
}

/// A continuation that is resumed once, with the first result.
private final class Promise<Value: Sendable>: Sendable {
  private let continuation: Locked<CheckedContinuation<Value, any Error>?>

  init(_ continuation: CheckedContinuation<Value, any Error>) {
    self.continuation = Locked(continuation)
  }

  func settle(_ result: Result<Value, any Error>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}
