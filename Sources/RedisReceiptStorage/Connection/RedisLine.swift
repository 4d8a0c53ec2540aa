internal import CStorekeeperCurl
internal import StorekeeperLocks

/// The calls of a store that wait for its thread, and the state of its connection.
final class RedisLine: Sendable {
  private let configuration: RedisReceiptStore.Configuration
  private let state = Locked(State())

  private struct State {
    var phase = Phase.unused
    var waiting: [RedisCall] = []
    var poller: Poller?
    var isEnding = false
  }

  private enum Phase {
    case unused
    /// The first connection is opened, and calls wait for it.
    case opening
    case open
    /// There is no connection, for this reason, and calls fail at once.
    case lost(RedisReceiptStore.Failure)
  }

  init(_ configuration: RedisReceiptStore.Configuration) {
    self.configuration = configuration
  }

  /// Waits for the end of a call; nil if the task is cancelled.
  func result(of call: RedisCall) async -> RedisCall.Outcome? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if call.begin(continuation) { enter(call) }
      }
    } onCancel: {
      call.end(nil)
    }
  }

  private func enter(_ call: RedisCall) {
    let refusal: RedisReceiptStore.Failure? = state.withLock { state in
      switch state.phase {
      case .unused:
        // The thread is started under the lock, so that there is only one.
        guard let poller = start() else { return .notConnected }
        state.poller = poller
        state.phase = .opening
      case .opening, .open: break
      case .lost(let failure): return failure
      }
      state.waiting.append(call)
      state.poller?.wake()
      return nil
    }
    if let refusal { call.end(.failure(refusal)) }
  }

  /// Lets no further call wait for the first connection, as one has waited in vain.
  func giveUpFirstConnection() {
    state.withLock { state in
      if case .opening = state.phase { state.phase = .lost(.notConnected) }
    }
  }

  func end() {
    state.withLock { state in
      state.isEnding = true
      state.poller?.wake()
    }
  }

  /// Starts the thread; nil if that fails.
  private func start() -> Poller? {
    guard let poller = Poller() else { return nil }
    let work = LineWork(line: self, configuration: configuration, poller: poller)
    let context = unsafe Unmanaged.passRetained(work)
    let isStarted = unsafe ccurl_start_thread(
      "RedisReceipts",
      { context in
        guard let context = unsafe context else { return }
        ProcessEnd.gate.enter()
        defer { ProcessEnd.gate.leave() }
        unsafe Unmanaged<LineWork>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard isStarted != 0 else {
      unsafe context.release()
      return nil
    }
    return poller
  }
}

// MARK: Calls of the thread

extension RedisLine {
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Removes and returns calls that are sent together: as many as wait, up to 64 with a mebibyte.
  func takeCalls() -> [RedisCall] {
    state.withLock { state in
      var calls: [RedisCall] = []
      var byteCount = 0
      var taken = 0
      for call in state.waiting {
        guard calls.count < 64, byteCount < 1 << 20 else { break }
        taken += 1
        guard !call.isOver else { continue }
        calls.append(call)
        byteCount += call.command.bytes.count
      }
      state.waiting.removeFirst(taken)
      return calls
    }
  }

  /// Lets calls wait for replies.
  func noteOpened() {
    state.withLock { $0.phase = .open }
  }

  /// Fails all calls that wait, and those that come until there is another connection.
  func noteLost(_ failure: RedisReceiptStore.Failure) {
    let waiting = state.withLock { state in
      state.phase = .lost(failure)
      defer { state.waiting = [] }
      return state.waiting
    }
    for call in waiting { call.end(.failure(failure)) }
  }
}

/// The shared state of a store's copies, which ends the thread with the last copy.
final class LineOwner: Sendable {
  let line: RedisLine

  init(_ configuration: RedisReceiptStore.Configuration) {
    // If this fails, the first call finds no connection.
    _ = Poller.library
    line = RedisLine(configuration)
  }

  deinit { line.end() }
}
