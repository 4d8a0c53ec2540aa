import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Content that several calls fetch at once")
struct SharedContentTests {
  private let url = "https://example.org/a"
  private var product: CatalogProduct { ContentScene.product(ContentScene.remote(url)) }

  /// An answer that comes when a clock reaches a second.
  private func answer(_ clock: ManualClock) -> ScriptedTransport.Answer {
    { _ in
      try await clock.sleep(for: .seconds(1))
      return HTTPResponseMessage(status: .ok, body: [1])
    }
  }

  @Test("Calls for one product share one fetch, whose end is that of all")
  func shared() async throws {
    let (scene, clock) = (ContentScene(), ManualClock())
    scene.transport.add(url, answer(clock))
    let fetcher = scene.fetcher
    // Each one has joined when the next one begins.
    let calls = (0..<20).map { _ in Task.begun { try await fetcher.fetch(product)?.bytes } }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(1))
    for call in calls { #expect(try await call.value == [1]) }
    #expect(scene.transport.urls == [url])
  }

  @Test("A call that joins a fetch does not begin another one")
  func joined() async throws {
    let (scene, clock) = (ContentScene(), ManualClock())
    scene.transport.add(url, answer(clock))
    let fetcher = scene.fetcher
    let first = Task { try await fetcher.fetch(product) }
    await clock.sleepers(reach: 1)
    let second = Task.begun { try await fetcher.fetch(product) }
    clock.advance(by: .seconds(1))
    #expect(try await first.value?.bytes == [1])
    #expect(try await second.value?.bytes == [1])
    #expect(scene.transport.urls == [url])
  }

  @Test("A cancelled call leaves the others alone")
  func oneCancelled() async throws {
    let (scene, clock) = (ContentScene(), ManualClock())
    scene.transport.add(url, answer(clock))
    let fetcher = scene.fetcher
    let first = Task { try await fetcher.fetch(product) }
    await clock.sleepers(reach: 1)
    let second = Task.begun { try await fetcher.fetch(product) }
    first.cancel()
    await #expect(throws: ContentFailure.cancelled) { try await first.value }
    clock.advance(by: .seconds(1))
    #expect(try await second.value?.bytes == [1])
    #expect(scene.transport.urls == [url])
  }

  @Test("When all calls are cancelled, the fetch is, and the next call begins a new one")
  func allCancelled() async throws {
    let scene = ContentScene()
    let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
    let clock = ManualClock()
    scene.transport.add(
      url,
      { _ in
        defer { ended.yield(Task.isCancelled) }
        try await clock.sleep(for: .seconds(1))
        return HTTPResponseMessage(status: .ok, body: [1])
      }, ScriptedTransport.body("x"))
    let fetcher = scene.fetcher
    let calls = (0..<3).map { _ in Task.begun { try await fetcher.fetch(product) } }
    await clock.sleepers(reach: 1)
    for call in calls { call.cancel() }
    for call in calls { await #expect(throws: ContentFailure.cancelled) { try await call.value } }
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == true)
    #expect(try await fetcher.fetch(product)?.bytes == Array("x".utf8))
  }

  @Test("A call cancelled before it begins fetches nothing")
  func cancelledBefore() async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.body("x"))
    let fetcher = scene.fetcher
    for _ in 0..<100 {
      let call = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await fetcher.fetch(product)
      }
      await #expect(throws: ContentFailure.cancelled) { try await call.value }
    }
    #expect(scene.transport.urls == [])
  }

  @Test("A failure is shared, and not kept")
  func failures() async throws {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.status(404), ScriptedTransport.body("x"))
    let fetcher = scene.fetcher
    await #expect(throws: ContentFailure.httpStatus(404)) { try await fetcher.fetch(product) }
    #expect(try await fetcher.fetch(product)?.bytes == Array("x".utf8))
  }

  @Test("No source is tried after a cancellation")
  func cancelledFallback() async {
    let (scene, clock) = (ContentScene(), ManualClock())
    let other = "https://example.org/b"
    scene.transport.add(url, answer(clock))
    scene.transport.add(other, ScriptedTransport.body("x"))
    let fetcher = scene.fetcher
    let product = ContentScene.product(
      .fallback([ContentScene.remote(url), ContentScene.remote(other)]))
    let call = Task { try await fetcher.fetch(product) }
    await clock.sleepers(reach: 1)
    call.cancel()
    await #expect(throws: ContentFailure.cancelled) { try await call.value }
    #expect(scene.transport.urls == [url])
  }
}

extension Task where Failure == any Error {
  /// Starts a task that runs until it waits for the first time, where the system can do that.
  fileprivate static func begun(
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Self {
    if #available(macOS 26, *) {
      Task.immediate { try await operation() }
    } else {
      Task { try await operation() }
    }
  }
}
