internal import CStorekeeperCurl
internal import HTTPMessages
internal import StorekeeperLocks

/// The owner of the thread that carries out the exchanges of a transport.
///
/// The thread starts with the first exchange and ends after some time without one, so that an
/// unused transport holds neither a thread nor a connection.
final class TransferLoop: Sendable {
  private let settings: TransferSettings
  private let state = Locked(State())

  private struct State {
    /// The handle that the thread uses, while there is a thread.
    var multi: Multi?
    var orders: [Order] = []
    /// Whether there will be no further exchanges.
    var isLast = false

    /// Adds an order, and wakes the thread for the first one of those that it takes together.
    mutating func add(_ order: Order) {
      orders.append(order)
      if orders.count == 1 { multi?.wake() }
    }
  }

  /// An order to the thread.
  enum Order {
    case begin(Exchange)
    case drop(Exchange)
  }

  init(settings: TransferSettings) {
    self.settings = settings
  }

  /// Orders an exchange.
  ///
  /// - Throws: ``CurlFailure`` if the thread cannot be started.
  func begin(_ exchange: Exchange) throws(CurlFailure) {
    try state.withLock { state throws(CurlFailure) in
      // The thread is started under the lock, so that there is only one; this happens rarely.
      if state.multi == nil { state.multi = try start() }
      state.add(.begin(exchange))
    }
  }

  /// Orders the release of an exchange that has ended for its waiter.
  func drop(_ exchange: Exchange) {
    state.withLock { state in
      if state.multi != nil { state.add(.drop(exchange)) }
    }
  }

  /// Ends the thread as soon as its exchanges have ended.
  func end() {
    state.withLock { state in
      state.isLast = true
      state.multi?.wake()
    }
  }

  private func start() throws(CurlFailure) -> Multi {
    let multi = try Multi()
    let work = LoopWork(
      loop: self, transfers: Transfers(multi, settings: settings))
    let context = unsafe Unmanaged.passRetained(work)
    let isStarted = unsafe ccurl_start_thread(
      "CurlTransport",
      { context in
        guard let context = unsafe context else { return }
        ProcessEnd.gate.enter()
        defer { ProcessEnd.gate.leave() }
        unsafe Unmanaged<LoopWork>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard isStarted != 0 else {
      unsafe context.release()
      throw CurlFailure(CURLE_FAILED_INIT)
    }
    return multi
  }
}

// MARK: Calls of the thread

extension TransferLoop {
  /// Removes and returns the new orders, in order.
  func takeOrders() -> [Order] {
    state.withLock { state in
      defer { state.orders = [] }
      return state.orders
    }
  }

  /// Returns whether a thread without exchanges may end; if so, it gets no further orders.
  func mayEnd(isTired: Bool) -> Bool {
    state.withLock { state in
      guard state.orders.isEmpty, isTired || state.isLast else { return false }
      state.multi = nil
      return true
    }
  }

  /// Removes and returns the last orders of a thread that has failed.
  func giveUp() -> [Order] {
    state.withLock { state in
      defer {
        state.orders = []
        state.multi = nil
      }
      return state.orders
    }
  }
}

/// The shared state of a transport's copies, which ends the thread with the last copy.
final class LoopOwner: Sendable {
  let loop: TransferLoop

  init(settings: TransferSettings) {
    // If this fails, the first exchange reports it.
    _ = Multi.setUpLibrary()
    loop = TransferLoop(settings: settings)
  }

  deinit { loop.end() }
}
