internal import CStorekeeperMicroHTTPD
internal import Dispatch
internal import StorekeeperLocks
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The open connections of all threads of a server.
///
/// libmicrohttpd closes a connection that is silent. One that sends a byte now and then is ended
/// here.
final class Connections: Sendable {
  private struct State {
    var open: [Int32: Connection] = [:]
    /// Clients that were accepted and that libmicrohttpd has not registered yet.
    var reserved: [Int32: Connection] = [:]
    /// The number of clients at each address.
    var counts: [ClientAddress: Int] = [:]
    /// A thread waits for a connection to end.
    var isAwaited = false

    var count: Int { open.count + reserved.count }

    mutating func forget(_ socket: Int32) {
      let connection = reserved.removeValue(forKey: socket) ?? open.removeValue(forKey: socket)
      guard let address = connection?.address else { return }
      let count = counts[address, default: 0] - 1
      counts[address] = count > 0 ? count : nil
    }
  }

  private let state = Locked(State())
  // Set before the connections are looked at, and read by each after it changed itself, so that
  // none is missed. Requests read them without a lock that they would share.
  /// Whether connections end after the current request.
  private let draining = Atomic(false)
  /// Whether requests are refused.
  private let closed = Atomic(false)
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
  var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

  /// Blocks until there are fewer connections than the limit; returns false when draining.
  func waitForRoom() -> Bool {
    while true {
      let isFull: Bool? = state.withLock { state in
        if isDraining { return nil }
        state.isAwaited = state.count >= limit
        return state.isAwaited
      }
      guard let isFull else { return false }
      if !isFull { return true }
      room.wait()
    }
  }

  /// Counts a client as soon as it is accepted.
  ///
  /// libmicrohttpd registers clients later, and one beyond its own limit would stop it for good.
  ///
  /// - Returns: Whether there is room for one more from that address.
  func reserve(_ socket: Int32, from address: ClientAddress) -> Bool {
    state.withLock { state in
      let count = state.counts[address, default: 0]
      guard addressLimit == 0 || count < addressLimit else { return false }
      state.reserved[socket] = Connection(socket, from: address)
      state.counts[address] = count + 1
      return true
    }
  }

  /// Returns the connection of a client that libmicrohttpd has registered.
  func opened(_ socket: Int32) -> Connection? {
    state.withLock { state in
      guard let connection = state.reserved.removeValue(forKey: socket) else { return nil }
      connection.enter(.idle, at: .now)
      state.open[socket] = connection
      if isDraining { cmicrohttpd_end_reading(socket) }
      return connection
    }
  }

  func closed(_ socket: Int32) {
    state.withLock { state in
      state.forget(socket)
      signalRoom(&state)
    }
  }

  /// Records the new phase of a connection.
  func enter(_ phase: Connection.Phase, _ connection: Connection) {
    connection.enter(phase, at: .now)
    if phase == .idle, isDraining { cmicrohttpd_end_reading(connection.socket) }
  }

  /// Begins a request whose handler is awaited; returns false when requests are refused.
  func begin(_ result: some Abandonable, on connection: Connection) -> Bool {
    connection.expect(result) { closed.load(ordering: .sequentiallyConsistent) }
  }

  /// Ends the connections of clients that exceed a timeout.
  func endOverdue() {
    let now = ContinuousClock.now
    state.withLock { state in
      for (socket, connection) in state.open {
        let (phase, since) = connection.span
        // libmicrohttpd then finds it closed, and reports that.
        if since.duration(to: now) > patience(phase) { cmicrohttpd_end(socket) }
      }
    }
  }

  /// Makes libmicrohttpd check connections whose client has closed its side.
  ///
  /// If the last bytes and the end arrive together, version 0.9.75 takes the bytes and misses the
  /// end.
  func noticeEnds() {
    state.withLock { state in
      var waiting = state.open.values.filter(\.phase.isReading)
        .map { pollfd(fd: $0.socket, events: Int16(CMICROHTTPD_PEER_ENDED), revents: 0) }
      guard unsafe poll(&waiting, nfds_t(waiting.count), 0) > 0 else { return }
      for client in waiting where client.revents & Int16(CMICROHTTPD_PEER_ENDED) != 0 {
        // Input that has arrived can still be read.
        cmicrohttpd_end_reading(client.fd)
      }
    }
  }

  private func patience(_ phase: Connection.Phase) -> Duration {
    switch phase {
    case .idle: idleTimeout + requestTimeout
    case .receiving, .sending, .lingering: requestTimeout
    case .answering: .seconds(Int64.max / 2)
    }
  }

  /// Ends idle connections now, and the others after their current request.
  ///
  /// Input that has arrived before is still read: only the end is put behind it.
  func drain() {
    state.withLock { state in
      draining.store(true, ordering: .sequentiallyConsistent)
      for (socket, connection) in state.open {
        switch connection.phase {
        case .idle: cmicrohttpd_end_reading(socket)
        case .lingering: cmicrohttpd_end(socket)
        case .receiving, .answering, .sending: break
        }
      }
      signalRoom(&state)
    }
  }

  /// Refuses requests, cancels the running handlers, and answers in their place.
  func close() {
    let awaited = state.withLock { state in
      draining.store(true, ordering: .sequentiallyConsistent)
      closed.store(true, ordering: .sequentiallyConsistent)
      signalRoom(&state)
      return state.open.values.compactMap(\.awaited)
    }
    for result in awaited { result.giveUp() }
  }

  private func signalRoom(_ state: inout State) {
    guard state.isAwaited else { return }
    state.isAwaited = false
    room.signal()
  }
}
