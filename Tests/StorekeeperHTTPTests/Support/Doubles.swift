import HTTPMessages
import InMemoryStorage
import StorekeeperLocks
import PurchaseStorage
import StorekeeperHTTP
import StorekeeperTesting

/// A failure with a text that nobody may see.
struct SecretFailure: Error, CustomStringConvertible {
  var description: String { "could not connect to postgres://admin:hunter2@db/purchases" }
}

/// A store all of whose units of work fail.
func brokenStore(failure: any Error = SecretFailure()) -> any PurchaseStore {
  WrappedStore(InMemoryPurchaseStore()) { _, _ in throw failure }
}

/// An Apple that never answers; says when it is asked.
struct SilentTransport: HTTPTransport {
  let asked: AsyncStream<Void>
  private let ask: AsyncStream<Void>.Continuation

  init() { (asked, ask) = AsyncStream.makeStream() }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let (silence, end) = AsyncStream<Void>.makeStream()
    defer { end.finish() }
    ask.yield()
    // Ends when the task is cancelled.
    for await _ in silence {}
    throw CancellationError()
  }
}

/// Adds a member to Apple's answers, in an unusual form, and remembers the last one.
final class TappedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let last = Locked<[UInt8]>([])

  init(base: any HTTPTransport) { self.base = base }

  /// The body of the last answer.
  var lastBody: [UInt8] { last.withLock { $0 } }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    var response = try await base.send(request)
    if response.body.first == UInt8(ascii: "{") {
      response.body =
        Array(#"{  "zz_unknown" : [ 1.50, "\/" ] ,"#.utf8) + response.body.dropFirst() + [0x0A]
    }
    let body = response.body
    last.withLock { $0 = body }
    return response
  }
}

/// Remembers what it is told.
final class Reports: RequestObserver {
  private let reports = Locked<[RequestReport]>([])

  var all: [RequestReport] { reports.withLock { $0 } }

  func observe(_ report: RequestReport) { reports.withLock { $0.append(report) } }
}

/// Says of every token what it was made with.
struct FixedAuthenticator: Authenticator {
  let failure: any Error

  func caller(token: String) async throws -> Caller { throw failure }
}
