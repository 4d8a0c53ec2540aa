internal import Dispatch
internal import StorekeeperLocks

/// Does work that blocks on a few threads at most, and lets nobody wait for it longer than a limit.
///
/// Work that the system does not come back from keeps its thread. Once it is so with all threads, new
/// work is refused at once, until one of them comes back.
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

  /// Does the work in its turn; it can ask whether anybody waits for it still.
  ///
  /// - Throws: What the work throws; `FileReceiptStore.Failure.timeUp` after the limit.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable (Errand) throws(FileReceiptStore.Failure) -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let promise = Promise(continuation)
      let errand = Errand(
        perform: { errand in
          do throws(FileReceiptStore.Failure) {
            promise.settle(.success(try work(errand)))
          } catch {
            promise.settle(.failure(error))
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
      errand.perform(errand)
      errand.stopTimer()
      if let next = state.withLock({ $0.end(errand) }) { begin(next) }
    }
  }

  /// Where all threads are lost, nobody who waits for one will get it in time.
  private func giveUp(_ errand: Errand) {
    let refused = state.withLock { $0.giveUp(errand, width: width) }
    for errand in refused {
      errand.stopTimer()
      errand.refuse()
    }
  }
}

/// A piece of work, and what is told to who waits for it.
final class Errand: Sendable {
  fileprivate let perform: @Sendable (Errand) -> Void
  fileprivate let refuse: @Sendable () -> Void
  private let timer = Locked<Task<Void, Never>?>(nil)
  private let isOver = Locked(false)

  fileprivate init(
    perform: @escaping @Sendable (Errand) -> Void, refuse: @escaping @Sendable () -> Void
  ) {
    self.perform = perform
    self.refuse = refuse
  }

  /// Whether nobody waits for it any more.
  var isGivenUp: Bool { isOver.withLock { $0 } }

  fileprivate func markGivenUp() { isOver.withLock { $0 = true } }

  fileprivate func keep(_ task: Task<Void, Never>) { timer.withLock { $0 = task } }

  fileprivate func stopTimer() { timer.withLock { $0 }?.cancel() }
}

extension BoundedLane {
  private enum Step { case begun, waiting, refused }

  private struct State {
    /// What has a thread.
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

    /// Who is next on the thread that came back.
    mutating func end(_ errand: Errand) -> Errand? {
      running.removeAll { $0 === errand }
      guard !waiting.isEmpty else { return nil }
      running.append(waiting.removeFirst())
      return running.last
    }

    /// Those that are to be refused now.
    mutating func giveUp(_ errand: Errand, width: Int) -> [Errand] {
      errand.markGivenUp()
      waiting.removeAll { $0 === errand }
      guard isLost(width) else { return [errand] }
      defer { waiting = [] }
      return [errand] + waiting
    }

    /// Whether every thread is busy with what nobody waits for any more.
    private func isLost(_ width: Int) -> Bool {
      running.count == width && running.allSatisfy(\.isGivenUp)
    }
  }
}

/// Resumes once, with what comes first.
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
