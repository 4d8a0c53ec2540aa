internal import CStorekeeperCurl
internal import HTTPMessages
internal import StorekeeperLocks

/// The way to the thread that carries out the exchanges of a transport.
///
/// The thread starts with the first exchange, and ends when for some time there was none: so nothing
/// is left of a transport that nobody uses, neither a thread nor a connection.
final class TransferLoop: Sendable {
  private let certificateAuthorityFile: String?
  private let state = Locked(State())

  private struct State {
    /// What the thread works with, while there is one.
    var multi: Multi?
    var orders: [Order] = []
    /// No exchange will come any more.
    var isLast = false
  }

  /// What the thread is to do.
  enum Order {
    case begin(Exchange)
    case drop(Exchange)
  }

  init(certificateAuthorityFile: String?) {
    self.certificateAuthorityFile = certificateAuthorityFile
  }

  /// Has an exchange carried out.
  ///
  /// - Throws: ``CurlFailure`` where there is neither a thread nor one to be had.
  func begin(_ exchange: Exchange) throws(CurlFailure) {
    try state.withLock { state throws(CurlFailure) in
      // The thread is started inside the lock, so that there is only one; this happens rarely.
      if state.multi == nil { state.multi = try start() }
      state.orders.append(.begin(exchange))
      state.multi?.wake()
    }
  }

  /// Lets go of an exchange that has ended for whoever waited.
  func drop(_ exchange: Exchange) {
    state.withLock { state in
      guard let multi = state.multi else { return }
      state.orders.append(.drop(exchange))
      multi.wake()
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
      loop: self, transfers: Transfers(multi, certificateAuthorityFile: certificateAuthorityFile))
    let context = unsafe Unmanaged.passRetained(work)
    let isStarted = unsafe ccurl_start_thread(
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

// MARK: For the thread

extension TransferLoop {
  /// What has been ordered since, in order.
  func takeOrders() -> [Order] {
    state.withLock { state in
      defer { state.orders = [] }
      return state.orders
    }
  }

  /// Whether the thread may end, which has no exchanges; if so, nothing is ordered of it any more.
  func mayEnd(isTired: Bool) -> Bool {
    state.withLock { state in
      guard state.orders.isEmpty, isTired || state.isLast else { return false }
      state.multi = nil
      return true
    }
  }

  /// Takes the last orders of a thread that cannot go on.
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
