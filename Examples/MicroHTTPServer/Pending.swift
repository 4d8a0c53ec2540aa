internal import CStorekeeperMicroHTTPD
internal import StorekeeperLocks

/// A handler's result that is awaited without a thread.
///
/// A connection is suspended and resumed only under the lock here, so it is resumed exactly once,
/// and never after libmicrohttpd has released it.
final class Pending<Value: Sendable>: Abandonable {
  private enum Stage {
    case working
    case suspended(SuspendedConnection)
    case given(Value)
    case over
  }

  private struct State {
    var stage = Stage.working
    /// The task that makes the value; nil before it is known, and after its end.
    var task: Task<Void, Never>?
    var isUnwanted = false
  }

  private let state = Locked(State())
  /// The value for ``giveUp()``.
  private let substitute: Value

  init(or substitute: Value) { self.substitute = substitute }

  /// Computes the value in a task of its own.
  ///
  /// `begin` calls its argument, in which the task begins on this thread, up to its first suspension;
  /// nil is for a task that begins elsewhere.
  func wait(
    beginning begin: (@Sendable (() -> Void) -> Void)?,
    for make: @escaping @Sendable () async -> Value
  ) {
    if let begin, #available(macOS 26, *) {
      begin { keep(Task.immediate { give(await make()) }) }
    } else {
      keep(Task { give(await make()) })
    }
  }

  private func keep(_ task: Task<Void, Never>) {
    let isUnwanted = state.withLock { state in
      // A task that began here has mostly ended here.
      if case .working = state.stage { state.task = task }
      return state.isUnwanted
    }
    if isUnwanted { task.cancel() }
  }

  /// Supplies the substitute, and cancels the task.
  func giveUp() {
    give(substitute)
    let task = state.withLock { state in
      state.isUnwanted = true
      return state.task
    }
    task?.cancel()
  }

  /// Supplies the value; a late or second one is dropped.
  func give(_ value: Value) {
    state.withLock { state in
      switch state.stage {
      case .working: state.stage = .given(value)
      case .suspended(let connection):
        state.stage = .given(value)
        connection.resume()
      case .given, .over: break
      }
    }
  }

  func take() -> Value? {
    state.withLock { state in
      guard case .given(let value) = state.stage else { return nil }
      state.stage = .over
      return value
    }
  }

  /// Takes the value, or suspends the connection until there is one.
  func take(suspending connection: OpaquePointer) -> Value? {
    let connection = unsafe SuspendedConnection(handle: connection)
    return state.withLock { state in
      switch state.stage {
      case .given(let value):
        state.stage = .over
        return value
      case .working:
        connection.suspend()
        state.stage = .suspended(connection)
        return nil
      case .suspended, .over: return nil
      }
    }
  }

  func end() { state.withLock { $0.stage = .over } }
}

/// Sendable because libmicrohttpd lets any thread resume a connection.
@safe
private struct SuspendedConnection: @unchecked Sendable {
  private let handle: OpaquePointer

  init(handle: OpaquePointer) { unsafe self.handle = handle }

  func suspend() { unsafe MHD_suspend_connection(handle) }
  func resume() { unsafe MHD_resume_connection(handle) }
}
