import Foundation
import Storekeeper
import StorekeeperFixtures
import Testing

@Suite("Content below the host's directory")
struct LocalContentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var scene: ContentScene {
    var scene = ContentScene()
    scene.configuration.contentDirectory = folder.path("content")
    return scene
  }

  private func text(
    _ url: String, limit: Int? = nil, digest: String? = nil
  ) async -> Result<String, ContentFailure> {
    await scene.text(.local(ContentSource(url: url, sha256: digest, maximumByteCount: limit)))
  }

  @Test("A file is found by its path, with escapes")
  func files() async throws {
    try folder.write("abc", to: "content/packs/winter é.zip")
    let content = try await scene.fetcher.fetch(
      ContentScene.product(.local(ContentSource(url: "file:///packs/winter%20%C3%A9.zip"))))
    #expect(content?.bytes == Array("abc".utf8) && content?.sourceType == .local)
    #expect(content?.url == "file:///packs/winter%20%C3%A9.zip")
    #expect(await text("FILE:///packs/./winter é.zip") == .success("abc"))
    #expect(await text("file:////packs//winter é.zip") == .success("abc"))
  }

  @Test(
    "An address is that of a file",
    arguments: [
      ("packs/winter.zip", ContentFailure.invalidURL), ("", .invalidURL), ("/packs/a", .invalidURL),
      ("file:/a", .invalidURL), ("file://packs/a", .invalidURL),
      ("file://localhost/a", .invalidURL),
      ("file://u@/a", .invalidURL), ("file:///a?b", .invalidURL), ("file:///a#b", .invalidURL),
      ("file:///%4", .invalidURL), ("file:///%+1", .invalidURL), ("file:///%zz", .invalidURL),
      ("file:///%ff", .invalidURL), ("file:///", .invalidURL), ("file:///a/", .invalidURL),
      ("file:///.", .invalidURL), ("file://", .invalidURL),
      ("https://example.org/a", .schemeNotAllowed), ("http://example.org/a", .schemeNotAllowed),
    ])
  func addresses(url: String, failure: ContentFailure) async {
    try? folder.write("abc", to: "content/a")
    #expect(await text(url) == .failure(failure))
  }

  @Test(
    "Nothing leaves the directory",
    arguments: [
      "file:///../secret", "file:///a/../../secret", "file:///%2e%2E/secret", "file:///packs/..",
      "file:///..%2fsecret",
      "file:///a%00", "file:///a%00/../secret", "file:///out", "file:///outside/secret",
      "file:///up/secret",
      "file:///chain",
    ])
  func escapes(url: String) async throws {
    try folder.write("abc", to: "content/a")
    try folder.write("abc", to: "content/packs/b")
    try folder.write("secret", to: "secret")
    try folder.write("secret", to: "contents/secret")
    try folder.link("content/out", to: folder.path("secret"))
    try folder.link("content/outside", to: folder.path("contents"))
    try folder.link("content/up", to: "..")
    try folder.link("content/chain", to: "out")
    #expect(await text(url) == .failure(.outsideContentDirectory))
  }

  @Test("Links inside the directory are followed, also the one that is the directory")
  func links() async throws {
    try folder.write("abc", to: "content/packs/a")
    try folder.link("content/same", to: "packs/a")
    try folder.link("content/packs/round", to: "../packs")
    #expect(await text("file:///same") == .success("abc"))
    #expect(await text("file:///packs/round/round/a") == .success("abc"))
    try folder.link("linked", to: "content")
    var scene = ContentScene()
    scene.configuration.contentDirectory = folder.path("linked")
    #expect(await scene.text(.local(ContentSource(url: "file:///same"))) == .success("abc"))
  }

  @Test("Only regular files that are there are read")
  func kinds() async throws {
    try folder.write("abc", to: "content/packs/a")
    try folder.makePipe("content/pipe")
    try folder.link("content/loop", to: "loop")
    for name in ["packs", "pipe", "none", "packs/a/b", "loop", "none/a"] {
      #expect(await text("file:///\(name)") == .failure(.transport))
    }
  }

  @Test("Without a directory nothing is inside")
  func noDirectory() async throws {
    #expect(
      await ContentScene().text(.local(ContentSource(url: "file:///a")))
        == .failure(.outsideContentDirectory))
    #expect(await text("file:///a") == .failure(.outsideContentDirectory))
  }

  @Test("Limits and digests hold for files, too")
  func checks() async throws {
    try folder.write("abc", to: "content/a")
    #expect(await text("file:///a", limit: 3) == .success("abc"))
    #expect(await text("file:///a", limit: 2) == .failure(.tooLarge(limit: 2)))
    #expect(
      await text("file:///a", digest: String(repeating: "0", count: 64))
        == .failure(.checksumMismatch))
    try folder.write("", to: "content/empty")
    #expect(await text("file:///empty") == .success(""))
    try folder.write(String(repeating: "x", count: 200_000), to: "content/long")
    #expect(
      await text("file:///long", limit: 200_000) == .success(String(repeating: "x", count: 200_000))
    )
    #expect(await text("file:///long", limit: 199_999) == .failure(.tooLarge(limit: 199_999)))
  }
}

extension TemporaryFolder {
  fileprivate func makePipe(_ name: String) throws {
    guard unsafe mkfifo(path(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
