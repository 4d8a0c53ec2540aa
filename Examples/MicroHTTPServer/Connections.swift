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
    /// The answer is sent, and what the client still sends is dropped.
    case lingering

    var isReading: Bool { self == .idle || self == .receiving || self == .lingering }
  }

  private struct Line {
    var phase = Phase.idle
    var since = ContinuousClock.now
    /// Ends what is waited for.
    var giveUp: (@Sendable () -> Void)?

    mutating func enter(_ phase: Phase, at moment: ContinuousClock.Instant) {
      self.phase = phase
      since = moment
      if phase != .answering { giveUp = nil }
    }
  }

  private struct State {
    var lines: [Int32: Line] = [:]
    /// Clients that were accepted, and that libmicrohttpd has not taken up yet.
    var reserved: Set<Int32> = []
    /// Whom each of both comes from, and how many come from each.
    var addresses: [Int32: ClientAddress] = [:]
    var counts: [ClientAddress: Int] = [:]
    /// No new request is wanted.
    var isDraining = false
    /// No request is taken any more.
    var isClosed = false
    /// Somebody waits for a connection to end.
    var isAwaited = false

    var count: Int { lines.count + reserved.count }

    mutating func forget(_ socket: Int32) {
      reserved.remove(socket)
      lines[socket] = nil
      guard let address = addresses.removeValue(forKey: socket) else { return }
      let count = counts[address, default: 0] - 1
      counts[address] = count > 0 ? count : nil
    }
  }

  private let state = Locked(State())
  private let room = DispatchSemaphore(value: 0)
  private let limit: Int
  /// 0 for no limit.
  private let addressLimit: Int
  private let idleTimeout: Duration
  private let requestTimeout: Duration

  init(_ configuration: ServerConfiguration) {
    limit = configuration.connectionLimit
    addressLimit = configuration.addressConnectionLimit
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
  ///
  /// - Returns: Whether there is room for one more from there.
  func reserve(_ socket: Int32, from address: ClientAddress) -> Bool {
    state.withLock { state in
      let count = state.counts[address, default: 0]
      guard addressLimit == 0 || count < addressLimit else { return false }
      state.reserved.insert(socket)
      state.addresses[socket] = address
      state.counts[address] = count + 1
      return true
    }
  }

  /// Whom an open connection comes from.
  func address(of socket: Int32) -> ClientAddress? {
    state.withLock { $0.addresses[socket] }
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
      state.forget(socket)
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

  /// Takes a request for which a handler is waited for; false when none is taken any more.
  ///
  /// The closure ends what is waited for.
  func begin(on socket: Int32, givingUpBy giveUp: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.lines[socket]?.phase = .answering
      state.lines[socket]?.giveUp = giveUp
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
      var waiting = state.lines.filter { $0.value.phase.isReading }
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
    case .receiving, .sending, .lingering: requestTimeout
    case .answering: .seconds(Int64.max / 2)
    }
  }

  /// Lets connections end after the request that they are at, and those at none now.
  ///
  /// What a client had sent before is still read: only the end is put behind it.
  func drain() {
    state.withLock { state in
      state.isDraining = true
      for (socket, line) in state.lines {
        switch line.phase {
        case .idle: cmicrohttpd_end_reading(socket)
        case .lingering: cmicrohttpd_end(socket)
        case .receiving, .answering, .sending: break
        }
      }
      signalRoom(&state)
    }
  }

  /// Takes no more requests, and answers for those that are still worked on, which are cancelled.
  func close() {
    let waiting = state.withLock { state in
      state.isDraining = true
      state.isClosed = true
      signalRoom(&state)
      return state.lines.values.compactMap(\.giveUp)
    }
    for giveUp in waiting { giveUp() }
  }

  private func signalRoom(_ state: inout State) {
    guard state.isAwaited else { return }
    state.isAwaited = false
    room.signal()
  }
}
