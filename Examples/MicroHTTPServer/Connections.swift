internal import CStorekeeperMicroHTTPD
internal import Dispatch
internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The open connections: how many there are, and how long each takes for what it does.
///
/// libmicrohttpd closes a connection on which nothing moves. One that moves a byte now and then is
/// ended here.
final class Connections: Sendable {
  /// What a connection is at.
  enum Phase: Hashable, Sendable {
    /// Between two requests, or within the first line of one.
    case idle
    case receiving
    case answering
    case sending
  }

  private struct Line {
    var phase = Phase.idle
    var since = ContinuousClock.now
    var answer: PendingAnswer?

    mutating func enter(_ phase: Phase, at moment: ContinuousClock.Instant) {
      self.phase = phase
      since = moment
      if phase == .idle { answer = nil }
    }
  }

  private struct State {
    var lines: [Int32: Line] = [:]
    /// Clients that were accepted, and that libmicrohttpd has not taken up yet.
    var reserved: Set<Int32> = []
    /// No new request is wanted.
    var isDraining = false
    /// No request is taken any more.
    var isClosed = false
    /// Somebody waits for a connection to end.
    var isAwaited = false

    var count: Int { lines.count + reserved.count }
  }

  private let state = Locked(State())
  private let room = DispatchSemaphore(value: 0)
  private let limit: Int
  private let idleTimeout: Duration
  private let requestTimeout: Duration

  init(_ configuration: ServerConfiguration) {
    limit = configuration.connectionLimit
    idleTimeout = .seconds(configuration.idleTimeout)
    requestTimeout = .seconds(configuration.requestTimeout)
  }

  var count: Int { state.withLock(\.count) }
  var isDraining: Bool { state.withLock(\.isDraining) }

  /// Waits, without `await`, until there are fewer connections than allowed; false when no more are
  /// wanted.
  func waitForRoom() -> Bool {
    while true {
      let isFull: Bool? = state.withLock { state in
        if state.isDraining { return nil }
        state.isAwaited = state.count >= limit
        return state.isAwaited
      }
      guard let isFull else { return false }
      if !isFull { return true }
      room.wait()
    }
  }

  /// Counts a client from when it is accepted: libmicrohttpd takes clients up later, and one more
  /// than its own limit stops it for good.
  func reserve(_ socket: Int32) {
    state.withLock { state in _ = state.reserved.insert(socket) }
  }

  func opened(_ socket: Int32) {
    state.withLock { state in
      state.reserved.remove(socket)
      state.lines[socket] = Line()
      if state.isDraining { cmicrohttpd_end_reading(socket) }
    }
  }

  func closed(_ socket: Int32) {
    state.withLock { state in
      state.reserved.remove(socket)
      state.lines[socket] = nil
      signalRoom(&state)
    }
  }

  /// Notes what a connection is at now.
  func enter(_ phase: Phase, on socket: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      state.lines[socket]?.enter(phase, at: now)
      if phase == .idle, state.isDraining { cmicrohttpd_end_reading(socket) }
    }
  }

  /// Takes a request that is about to be answered; false when none is taken any more.
  func begin(_ answer: PendingAnswer, on socket: Int32) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.lines[socket]?.phase = .answering
      state.lines[socket]?.answer = answer
      return true
    }
  }

  /// Ends the connections whose client takes too long.
  func endOverdue() {
    let now = ContinuousClock.now
    state.withLock { state in
      for (socket, line) in state.lines where line.since.duration(to: now) > patience(line.phase) {
        // libmicrohttpd then finds it closed, and tells us.
        cmicrohttpd_end(socket)
      }
    }
  }

  /// Has libmicrohttpd look again at connections whose client sends no more.
  ///
  /// Where the last bytes and the end arrive together, 0.9.75 takes the bytes and misses the end.
  func noticeEnds() {
    state.withLock { state in
      var waiting = state.lines.filter { $0.value.phase == .idle || $0.value.phase == .receiving }
        .map { pollfd(fd: $0.key, events: Int16(CMICROHTTPD_PEER_ENDED), revents: 0) }
      guard unsafe poll(&waiting, nfds_t(waiting.count), 0) > 0 else { return }
      for client in waiting where client.revents & Int16(CMICROHTTPD_PEER_ENDED) != 0 {
        // What has arrived can still be read.
        cmicrohttpd_end_reading(client.fd)
      }
    }
  }

  private func patience(_ phase: Phase) -> Duration {
    switch phase {
    case .idle: idleTimeout + requestTimeout
    case .receiving, .sending: requestTimeout
    case .answering: .seconds(Int64.max / 2)
    }
  }

  /// Lets connections end after the request that they are at, and those at none now.
  ///
  /// What a client had sent before is still read: only the end is put behind it.
  func drain() {
    state.withLock { state in
      state.isDraining = true
      for (socket, line) in state.lines where line.phase == .idle {
        cmicrohttpd_end_reading(socket)
      }
      signalRoom(&state)
    }
  }

  /// Takes no more requests, and answers for those that are still worked on, which are cancelled.
  func close() {
    let answers = state.withLock { state in
      state.isDraining = true
      state.isClosed = true
      signalRoom(&state)
      return state.lines.values.compactMap(\.answer)
    }
    for answer in answers { answer.giveUp() }
  }

  private func signalRoom(_ state: inout State) {
    guard state.isAwaited else { return }
    state.isAwaited = false
    room.signal()
  }
}
