internal import SQLStorage
internal import StorekeeperLocks

/// The search of a store for the one host, of several, that takes writes.
///
/// However many callers wait, one search runs: it looks at all hosts at once, and again after a pause, and
/// tells all callers of the first host that takes writes. Looks at a host that is silent hold up no other.
///
/// A host whose timeline is lower than one that was seen before leads no more and does not know it yet, as
/// after a freeze. It is passed over.
final class HostWatch: Sendable {
  /// A host that takes writes.
  struct Leader: Hashable, Sendable {
    let host: Int
    /// A number that grows whenever a leader is found or lost.
    let term: Int
  }

  /// The result of a look at a host.
  enum Sighting: Hashable, Sendable {
    /// It takes writes, on this timeline of its log.
    case leads(timeline: Int)
    /// It answers, and has no room for a connection.
    case full(ServerFailure)
    /// It is not there, or takes no writes.
    case refuses(ServerFailure)
    /// It did not answer in time.
    case silent(ServerFailure)
    /// It could not be asked: its name is not known now, or the process has no descriptor.
    case unasked(ServerFailure)
  }

  private let hosts: [HostLook]
  private let pause: Duration
  private let state = Locked(WatchState())

  /// Creates a watch of hosts, each with a function that looks at it and blocks its thread meanwhile.
  init(_ looks: [@Sendable () -> Sighting], pause: Duration = .milliseconds(200)) {
    hosts = looks.map(HostLook.init)
    self.pause = pause
  }

  /// Returns the host that takes writes, and waits until there is one and nobody doubts it.
  ///
  /// - Throws: The failure of a host after the time limit, or as soon as all hosts refuse for good; any
  ///   failure if the task is cancelled.
  func leader(within patience: Duration) async throws(ServerFailure) -> Leader {
    let number = state.withLock { $0.nextNumber() }
    var alarm: Alarm?
    defer { alarm?.cancel() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (known, isFirst) = state.withLock { state in
          state.add(number, continuation, isCancelled: Task.isCancelled)
        }
        if let known {
          continuation.resume(returning: known)
          return
        }
        alarm = Alarm(after: patience) { [weak self] in self?.endWait(number) }
        if isFirst { search() }
      }
    } onCancel: {
      endWait(number)
    }
    return try outcome.get()
  }

  /// Has a leader looked at, because a connection to it was lost, refused or is silent.
  ///
  /// Those who ask for the leader wait for the result. If it no longer leads, ``isOver(_:)`` tells so.
  func doubt(_ leader: Leader) {
    if state.withLock({ $0.doubt(leader) }) { search() }
  }

  /// Whether a leader was lost or replaced, so that its connections are of no more use.
  func isOver(_ leader: Leader) -> Bool { state.withLock { $0.term != leader.term } }

  /// Whether no host is known to take writes.
  var isLeaderless: Bool { state.withLock { $0.leader == nil } }

  /// Ends a wait without a leader.
  private func endWait(_ number: Int) {
    let (waiter, failure) = state.withLock { ($0.waiters.removeValue(forKey: number), $0.failure) }
    waiter?.resume(returning: .failure(failure))
  }

  /// Searches until nobody waits.
  ///
  /// The task is nobody's, because all callers wait for it.
  private func search() {
    Task.detached { [self] in
      while let free = state.withLock({ $0.hostsToLookAt(of: hosts.count) }) {
        for host in free {
          Task.detached { [self] in note(await hosts[host].look(), of: host) }
        }
        try? await Task.sleep(for: pause)
      }
    }
  }

  private func note(_ sighting: Sighting, of host: Int) {
    let (waiters, outcome) = state.withLock { $0.note(sighting, of: host, among: hosts.count) }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }
}

/// A host, looked at on a thread of its own.
private actor HostLook {
  private let executor = BlockingExecutor(label: "storekeeper.postgres.host")
  private let body: @Sendable () -> HostWatch.Sighting

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(_ body: @escaping @Sendable () -> HostWatch.Sighting) { self.body = body }

  func look() -> HostWatch.Sighting { body() }
}

/// The knowledge about the hosts, and those who wait for a leader.
private struct WatchState {
  typealias Outcome = Result<HostWatch.Leader, ServerFailure>

  private(set) var leader: Int?
  private(set) var term = 0
  /// The highest timeline that was seen.
  private var timeline = 0
  private var isDoubted = false
  /// The looks at the leader, one after the other, that it did not answer.
  private var silences = 0
  private var isSearching = false
  /// The hosts that are being looked at.
  private var looked: Set<Int> = []
  /// The last refusal of each host that gave one.
  private var refusals: [Int: ServerFailure] = [:]
  private(set) var failure = ServerFailure.lost("no host takes writes")
  var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
  private var numbers = 0

  /// A busy server may leave one look without an answer.
  private static let mostSilences = 2

  mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  /// Adds a caller unless its answer is known; it has to start the search if it is the first.
  mutating func add(
    _ number: Int, _ waiter: CheckedContinuation<Outcome, Never>, isCancelled: Bool
  ) -> (Outcome?, isFirst: Bool) {
    if isCancelled { return (.failure(failure), false) }
    if let leader, !isDoubted { return (.success(.init(host: leader, term: term)), false) }
    waiters[number] = waiter
    return (nil, beginSearch())
  }

  mutating func doubt(_ leader: HostWatch.Leader) -> Bool {
    guard leader.term == term, !isDoubted else { return false }
    isDoubted = true
    return beginSearch()
  }

  private mutating func beginSearch() -> Bool {
    defer { isSearching = true }
    if !isSearching { refusals = [:] }
    return !isSearching
  }

  /// Returns the hosts to look at now, or nil at the end of the search.
  mutating func hostsToLookAt(of count: Int) -> [Int]? {
    guard isDoubted || !waiters.isEmpty else {
      isSearching = false
      return nil
    }
    let free = (0..<count).filter { !looked.contains($0) }
    looked.formUnion(free)
    return free
  }

  /// Takes a look into account, and returns the callers who have their answer with it.
  mutating func note(
    _ sighting: HostWatch.Sighting, of host: Int, among count: Int
  ) -> ([CheckedContinuation<Outcome, Never>], Outcome) {
    looked.remove(host)
    switch sighting {
    case .leads(let timeline):
      guard timeline >= self.timeline else { return ([], .failure(failure)) }
      self.timeline = timeline
      if leader != host {
        leader = host
        term += 1
      }
      return settled(on: host)
    case .full(let failure):
      self.failure = failure
      return leader == host ? settled(on: host) : ([], .failure(failure))
    case .silent(let failure):
      self.failure = failure
      if leader == host {
        silences += 1
        if silences >= Self.mostSilences { lose() }
      }
    // Nothing is known of it, and a leader may go on by the connections that there are. It is looked at until there is an
    // answer, or another host leads.
    case .unasked(let failure):
      self.failure = failure
      if leader == host { silences = 0 }
    case .refuses(let failure):
      self.failure = failure
      refusals[host] = failure
      if leader == host {
        // A refusal for good, as after a change of the password, is no reason to end the connections that there are. New
        // ones get it as their answer.
        guard failure.isTransient else { return settled(on: host) }
        lose()
      }
    }
    guard refusals.count == count, refusals.values.allSatisfy({ !$0.isTransient }) else {
      return ([], .failure(failure))
    }
    return (takeWaiters(), .failure(failure))
  }

  private mutating func settled(
    on host: Int
  ) -> ([CheckedContinuation<Outcome, Never>], Outcome) {
    isDoubted = false
    silences = 0
    return (takeWaiters(), .success(.init(host: host, term: term)))
  }

  private mutating func lose() {
    leader = nil
    term += 1
    isDoubted = false
    silences = 0
  }

  private mutating func takeWaiters() -> [CheckedContinuation<Outcome, Never>] {
    defer { waiters = [:] }
    return Array(waiters.values)
  }
}
