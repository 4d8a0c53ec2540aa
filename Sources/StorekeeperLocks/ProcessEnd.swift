#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A gate that keeps threads out of libcurl while the process ends.
///
/// At that time OpenSSL frees memory that all connections share (OPENSSL_cleanup(3)), and a thread
/// in the middle of a handshake would crash. So the end of the process waits until no thread is
/// inside, and from then on a thread that wants to enter waits forever.
package final class ProcessEnd: Sendable {
  /// The gate of the process.
  ///
  /// It is first used after OpenSSL was set up, so that its handler runs first.
  package static let gate = ProcessEnd()

  private let state = Locked(State())

  private struct State {
    var insideCount = 0
    var isEnding = false
  }

  /// Registers a handler of the process's end; handlers run in reverse order of registration.
  private init() { atexit { ProcessEnd.gate.close() } }

  /// Whether the process is ending, so that a thread inside should come out.
  package var isClosing: Bool { state.withLock { $0.isEnding } }

  /// Lets the thread in; it must not wait inside for more than a second.
  package func enter() {
    while !isAdmitted() { pause() }
  }

  /// Lets the thread out.
  package func leave() { state.withLock { $0.insideCount -= 1 } }

  private func isAdmitted() -> Bool {
    state.withLock { state in
      guard !state.isEnding else { return false }
      state.insideCount += 1
      return true
    }
  }

  private func close() {
    state.withLock { $0.isEnding = true }
    // Not for ever, in case curl waits for the resolver, as versions before 7.87 do. For the answer of a mail server it
    // waits a second at a time.
    for _ in 0..<1500 where state.withLock({ $0.insideCount > 0 }) { usleep(1000) }
  }
}
