internal import StorekeeperLocks

/// An open connection, with the time that it spends in its phase.
///
/// Each has a lock of its own, so that requests of different connections never wait for each other.
final class Connection: Sendable {
  enum Phase: Hashable, Sendable {
    /// Between two requests, or within the first line of one.
    case idle
    case receiving
    case answering
    case sending
    /// The answer is sent, and further input is dropped.
    case lingering

    var isReading: Bool { self == .idle || self == .receiving || self == .lingering }
  }

  private struct State {
    var phase = Phase.idle
    var since = ContinuousClock.now
    /// The result of the handler that is awaited.
    var awaited: (any Abandonable)?
  }

  let socket: Int32
  let address: ClientAddress
  private let state = Locked(State())

  init(_ socket: Int32, from address: ClientAddress) {
    self.socket = socket
    self.address = address
  }

  var phase: Phase { state.withLock(\.phase) }

  /// The phase and its beginning.
  var span: (phase: Phase, since: ContinuousClock.Instant) {
    state.withLock { ($0.phase, $0.since) }
  }

  /// Records a new phase; unless an answer is awaited, there is nothing to give up.
  func enter(_ phase: Phase, at moment: ContinuousClock.Instant) {
    state.withLock { state in
      state.phase = phase
      state.since = moment
      if phase != .answering { state.awaited = nil }
    }
  }

  /// Begins to wait for a result, unless a condition forbids it, which is checked under the lock.
  func expect(_ result: some Abandonable, unless isForbidden: () -> Bool) -> Bool {
    state.withLock { state in
      guard !isForbidden() else { return false }
      state.phase = .answering
      state.awaited = result
      return true
    }
  }

  /// The result that is awaited.
  var awaited: (any Abandonable)? { state.withLock(\.awaited) }
}

/// A result that a handler is to give, and that another one can take the place of.
protocol Abandonable: AnyObject, Sendable {
  /// Supplies the substitute, and cancels the handler.
  func giveUp()
}
