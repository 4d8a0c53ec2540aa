internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Keeps threads out of curl while the process ends.
///
/// Then OpenSSL frees what all connections share (OPENSSL_cleanup(3)), whatever other threads are at,
/// and one in the middle of a handshake would crash. So the end waits until no thread is inside, and
/// whoever wants in from then on waits for good.
final class ProcessEnd: Sendable {
  /// The one of the process; made when OpenSSL has been set up, so that it is told before.
  static let gate = ProcessEnd()

  private let state = Locked(State())

  private struct State {
    var insideCount = 0
    var isEnding = false
  }

  /// Asks to be told of the end, before whoever has asked earlier: the last is told first.
  private init() {
    atexit { ProcessEnd.gate.close() }
  }

  /// Lets the thread in, which never waits inside.
  func enter() {
    while !isAdmitted() { pause() }
  }

  /// Notes that the thread is outside.
  func leave() {
    state.withLock { $0.insideCount -= 1 }
  }

  private func isAdmitted() -> Bool {
    state.withLock { state in
      guard !state.isEnding else { return false }
      state.insideCount += 1
      return true
    }
  }

  private func close() {
    state.withLock { $0.isEnding = true }
    // No longer than a second, should curl wait for the resolver in there, as it does before 7.87.
    for _ in 0..<1000 where state.withLock({ $0.insideCount > 0 }) { usleep(1000) }
  }
}
