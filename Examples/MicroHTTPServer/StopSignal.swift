internal import Dispatch
internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The request to stop, SIGTERM or SIGINT.
///
/// ```swift
/// StopSignal.observe()
/// let server = try HTTPServer(configuration) { … }
/// await StopSignal.wait()
/// await server.stop()
/// ```
///
/// A second signal ends the process at once.
public enum StopSignal {
  /// Starts to observe the signals, which then no longer end the process.
  public static func observe() { _ = observer }

  /// Waits for the first signal since ``observe()``, which it calls if necessary.
  public static func wait() async { await observer.wait() }

  private static let observer = Observer([SIGTERM, SIGINT])

  /// Sendable because the sources are made once and never changed again.
  private final class Observer: @unchecked Sendable {
    private enum State {
      case running(waiting: [CheckedContinuation<Void, Never>])
      case signalled
    }

    private let state = Locked(State.running(waiting: []))
    private var sources: [any DispatchSourceSignal] = []

    init(_ signals: [Int32]) {
      sources = signals.map { number in
        signal(number, SIG_IGN)
        return DispatchSource.makeSignalSource(signal: number, queue: .global())
      }
      for source in sources {
        source.setEventHandler { [self] in
          for number in signals { signal(number, SIG_DFL) }
          signalled()
        }
        source.resume()
      }
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard case .running(let waiting) = state else { return true }
          state = .running(waiting: waiting + [continuation])
          return false
        }
        if isOver { continuation.resume() }
      }
    }

    private func signalled() {
      let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
        guard case .running(let waiting) = state else { return [] }
        state = .signalled
        return waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }
}
