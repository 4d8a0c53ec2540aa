import Storekeeper
import StorekeeperLocks

/// A fetcher over a scripted transport, whose pauses are noted and take no time.
struct ContentScene {
  let transport = ScriptedTransport()
  let clock = NotingClock()
  var configuration = ContentFetcher.Configuration()

  var fetcher: ContentFetcher {
    ContentFetcher(transport: transport, configuration: configuration, clock: clock)
  }

  /// Fetches content, and returns its text or the failure.
  func text(_ descriptor: ContentDescriptor) async -> Result<String, ContentFailure> {
    do throws(ContentFailure) {
      let content = try await fetcher.fetch(Self.product(descriptor))
      return .success(String(decoding: content?.bytes ?? [], as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }

  /// The failure to fetch content from an address, or nil.
  func failure(_ url: String) async -> ContentFailure? {
    guard case .failure(let failure) = await text(.remote(ContentSource(url: url))) else {
      return nil
    }
    return failure
  }

  static func product(_ content: ContentDescriptor?) -> CatalogProduct {
    CatalogProduct(identifier: UniqueText("p"), type: .nonConsumable, content: content)
  }

  static func remote(_ url: String) -> ContentDescriptor { .remote(ContentSource(url: url)) }
}

/// A clock on which nobody has to wait.
final class NotingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let start = ContinuousClock.now
  private let slept = Locked<[Duration]>([])

  var pauses: [Duration] { slept.withLock { $0 } }
  var now: Instant { start }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    slept.withLock { $0.append(start.duration(to: deadline)) }
  }
}
