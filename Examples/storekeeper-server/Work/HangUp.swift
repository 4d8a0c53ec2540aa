import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The request to read a file again, SIGHUP, which then no longer ends the process.
///
/// Sendable because the source is made once and never changed again.
final class HangUp: @unchecked Sendable {
  /// One element for each request; those that come while one is worked on count as one.
  let requests: AsyncStream<Void>
  private let source: any DispatchSourceSignal

  init() {
    let (requests, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    signal(SIGHUP, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
    source.setEventHandler { continuation.yield() }
    source.resume()
    self.requests = requests
    self.source = source
  }
}
