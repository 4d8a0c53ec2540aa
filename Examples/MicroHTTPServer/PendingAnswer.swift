internal import CStorekeeperMicroHTTPD
internal import HTTPMessages
internal import StorekeeperLocks

/// The place where the answer to a request is waited for, without a thread.
///
/// A connection is suspended and resumed only under the lock here, so it is resumed exactly once, and
/// never after libmicrohttpd has let go of it.
final class PendingAnswer: Sendable {
  private enum State {
    case working
    case suspended(SuspendedConnection)
    case answered(HTTPResponse)
    case over
  }

  private struct Work {
    var task: Task<Void, Never>?
    var isUnwanted = false
  }

  private let state = Locked(State.working)
  private let work = Locked(Work())

  /// Waits for the answer in a task of its own.
  ///
  /// - Parameters:
  ///   - begin: Calls the closure that it is given, in which the task begins on this thread, until it
  ///     waits for something; nil for a task that begins elsewhere.
  ///   - answer: Makes the answer.
  func wait(
    beginning begin: (@Sendable (() -> Void) -> Void)?,
    for answer: @escaping @Sendable () async -> HTTPResponse
  ) {
    if let begin, #available(macOS 26, *) {
      begin { keep(Task.immediate { give(await answer()) }) }
    } else {
      keep(Task { give(await answer()) })
    }
  }

  private func keep(_ task: Task<Void, Never>) {
    work.withLock { work in
      work.task = task
      if work.isUnwanted { task.cancel() }
    }
  }

  /// Answers that the service is unavailable, and cancels the task that works on another answer.
  func giveUp() {
    give(.unavailable)
    work.withLock { work in
      work.isUnwanted = true
      work.task?.cancel()
    }
  }

  /// Gives the answer; one that comes too late, or second, is dropped.
  func give(_ response: HTTPResponse) {
    state.withLock { state in
      switch state {
      case .working: state = .answered(response)
      case .suspended(let connection):
        state = .answered(response)
        connection.resume()
      case .answered, .over: break
      }
    }
  }

  /// Takes the answer if there is one.
  func take() -> HTTPResponse? {
    state.withLock { state in
      guard case .answered(let response) = state else { return nil }
      state = .over
      return response
    }
  }

  /// Takes the answer if there is one, or else suspends the connection until there is.
  func take(suspending connection: OpaquePointer) -> HTTPResponse? {
    let connection = unsafe SuspendedConnection(handle: connection)
    return state.withLock { state in
      switch state {
      case .answered(let response):
        state = .over
        return response
      case .working:
        connection.suspend()
        state = .suspended(connection)
        return nil
      case .suspended, .over: return nil
      }
    }
  }

  /// Nobody waits any more.
  func end() { state.withLock { $0 = .over } }
}

/// Sendable because libmicrohttpd lets any thread resume a connection.
@safe
private struct SuspendedConnection: @unchecked Sendable {
  private let handle: OpaquePointer

  init(handle: OpaquePointer) { unsafe self.handle = handle }

  func suspend() { unsafe MHD_suspend_connection(handle) }
  func resume() { unsafe MHD_resume_connection(handle) }
}
