import Storekeeper
import Testing

@Suite("Content of several sources")
struct FallbackContentTests {
  private let urls = ["https://a.org/1", "https://b.org/2", "https://c.org/3"]
  private var descriptor: ContentDescriptor {
    .fallback(urls.map { .remote(ContentSource(url: $0, maximumByteCount: 3)) })
  }

  @Test("Row 29: 404, too large, fine")
  func third() async throws {
    let scene = ContentScene()
    scene.transport.add(urls[0], ScriptedTransport.status(404))
    scene.transport.add(urls[1], ScriptedTransport.body("1234"))
    scene.transport.add(urls[2], ScriptedTransport.body("abc"))
    let content = try await scene.fetcher.fetch(ContentScene.product(descriptor))
    #expect(content?.bytes == Array("abc".utf8) && content?.url == urls[2])
    #expect(scene.transport.urls == urls)
  }

  @Test("Row 29: all three fail")
  func none() async {
    let scene = ContentScene()
    scene.transport.add(urls[0], ScriptedTransport.status(404))
    scene.transport.add(urls[1], ScriptedTransport.body("1234"))
    scene.transport.add(urls[2], ScriptedTransport.failure(.interrupted))
    #expect(
      await scene.text(descriptor)
        == .failure(.allSourcesFailed([.httpStatus(404), .tooLarge(limit: 3), .transport])))
  }

  @Test("Every failure leads to the next source, and the first success ends the search")
  func order() async {
    let scene = ContentScene()
    scene.transport.add(urls[0], ScriptedTransport.body("x"))
    let sources: [ContentDescriptor] = [
      .unknown(type: "x"), .local(ContentSource(url: "file:///a")),
      ContentScene.remote("https:///a"),
      .fallback([ContentScene.remote("ftp://a.org/a")]),
    ]
    #expect(
      await scene.text(
        .fallback(sources + [ContentScene.remote(urls[0]), ContentScene.remote(urls[1])]))
        == .success("x"))
    #expect(scene.transport.urls == [urls[0]])
    #expect(
      await scene.text(.fallback(sources))
        == .failure(
          .allSourcesFailed([
            .unsupportedType, .outsideContentDirectory, .invalidURL,
            .allSourcesFailed([.schemeNotAllowed]),
          ])))
  }
}
