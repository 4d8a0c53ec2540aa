internal import CStorekeeperMicroHTTPD
internal import Dispatch
internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The open connections, with the time that each spends in its phase.
///
/// libmicrohttpd closes a connection that is silent. One that sends a byte now and then is ended
/// here.
final class Connections: Sendable {
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

  private struct Line {
    var phase = Phase.idle
    var since = ContinuousClock.now
    /// Cancels the handler that is awaited.
    var giveUp: (@Sendable () -> Void)?

    mutating func enter(_ phase: Phase, at moment: ContinuousClock.Instant) {
      self.phase = phase
      since = moment
      if phase != .answering { giveUp = nil }
    }
  }

  private struct State {
    var lines: [Int32: Line] = [:]
    /// Clients that were accepted and that libmicrohttpd has not registered yet.
    var reserved: Set<Int32> = []
    /// The address of each of both, and the number of clients at each address.
    var addresses: [Int32: ClientAddress] = [:]
    var counts: [ClientAddress: Int] = [:]
    /// Connections end after the current request.
    var isDraining = false
    /// Requests are refused.
    var isClosed = false
    /// A thread waits for a connection to end.
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

  /// Blocks until there are fewer connections than the limit; returns false when draining.
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

  /// Counts a client as soon as it is accepted.
  ///
  /// libmicrohttpd registers clients later, and one beyond its own limit would stop it for good.
  ///
  /// - Returns: Whether there is room for one more from that address.
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

  func address(of socket: Int32) -> ClientAddress? { state.withLock { $0.addresses[socket] } }

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

  /// Records the new phase of a connection.
  func enter(_ phase: Phase, on socket: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      state.lines[socket]?.enter(phase, at: now)
      if phase == .idle, state.isDraining { cmicrohttpd_end_reading(socket) }
    }
  }

  /// Begins a request whose handler is awaited; returns false when requests are refused.
  ///
  /// The closure cancels the handler.
  func begin(on socket: Int32, givingUpBy giveUp: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.lines[socket]?.phase = .answering
      state.lines[socket]?.giveUp = giveUp
      return true
    }
  }

  /// Ends the connections of clients that exceed a timeout.
  func endOverdue() {
    let now = ContinuousClock.now
    state.withLock { state in
      for (socket, line) in state.lines where line.since.duration(to: now) > patience(line.phase) {
        // libmicrohttpd then finds it closed, and reports that.
        cmicrohttpd_end(socket)
      }
    }
  }

  /// Makes libmicrohttpd check connections whose client has closed its side.
  ///
  /// If the last bytes and the end arrive together, version 0.9.75 takes the bytes and misses the
  /// end.
  func noticeEnds() {
    state.withLock { state in
      var waiting = state.lines.filter { $0.value.phase.isReading }
        .map { pollfd(fd: $0.key, events: Int16(CMICROHTTPD_PEER_ENDED), revents: 0) }
      guard unsafe poll(&waiting, nfds_t(waiting.count), 0) > 0 else { return }
      for client in waiting where client.revents & Int16(CMICROHTTPD_PEER_ENDED) != 0 {
        // Input that has arrived can still be read.
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

  /// Ends idle connections now, and the others after their current request.
  ///
  /// Input that has arrived before is still read: only the end is put behind it.
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

  /// Refuses requests, cancels the running handlers, and answers in their place.
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
