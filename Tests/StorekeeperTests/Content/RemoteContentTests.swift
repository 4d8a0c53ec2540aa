import Storekeeper
import Testing

@Suite("Content on servers")
struct RemoteContentTests {
  private let url = "https://example.org/packs/winter.zip"

  @Test("Content has its bytes, their number and digest, and its source")
  func content() async throws {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.body("abc"))
    let content = try #require(
      try await scene.fetcher.fetch(ContentScene.product(ContentScene.remote(url))))
    #expect(content.bytes == Array("abc".utf8) && content.byteCount == 3)
    // FIPS 180-4's example.
    #expect(
      content.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(content.sourceType == .remote && content.url == url)
    #expect(!"\(content)".contains("abc"))
    let request = try #require(scene.transport.requests.first)
    #expect(request.method == .get && request.responseLimit == 64 << 20)
    #expect(request.headers["Accept-Encoding"] == "identity")
  }

  @Test("A product without a descriptor has no content, an unknown type cannot be fetched")
  func descriptors() async throws {
    let scene = ContentScene()
    #expect(try await scene.fetcher.fetch(ContentScene.product(nil)) == nil)
    #expect(await scene.text(.unknown(type: "pigeon")) == .failure(.unsupportedType))
    #expect(scene.transport.urls == [])
  }

  @Test(
    "An address is one of HTTPS with a host name and nothing secret",
    arguments: [
      ("https:///foo/bar.zip", ContentFailure.invalidURL), ("", .invalidURL),
      ("example.org/a", .invalidURL),
      ("https:example.org/a", .invalidURL), ("https://u@example.org/a", .invalidURL),
      ("https://u:p@example.org/a", .invalidURL), ("https://@example.org/a", .invalidURL),
      ("https://:443/a", .invalidURL), ("https://example.org:/a", .invalidURL),
      ("https://example.org:99999/a", .invalidURL), ("https://example.org:a/a", .invalidURL),
      ("https://example.org/a b", .invalidURL), ("https://example.org/é", .invalidURL),
      ("https://exämple.org/", .invalidURL), ("https://example.org\\@evil.org/", .invalidURL),
      ("https://example.org/\n", .invalidURL), ("https://[]/a", .invalidURL),
      ("https://[::1/a", .invalidURL),
      ("https://example.org%00/", .invalidURL),
      ("http://example.org/a", .schemeNotAllowed), ("ftp://example.org/a", .schemeNotAllowed),
      ("file:///a", .schemeNotAllowed),
    ])
  func addresses(url: String, failure: ContentFailure) async {
    let scene = ContentScene()
    #expect(await scene.failure(url) == failure)
    #expect(scene.transport.urls == [])
  }

  @Test(
    "Unusual addresses are asked for as they are",
    arguments: [
      "HTTPS://Example.org/a?b=c", "https://[::1]:8443/a", "https://127.0.0.1",
      "https://e.org/a%20b",
    ])
  func unusualAddresses(url: String) async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.body("x"))
    #expect(await scene.text(ContentScene.remote(url)) == .success("x"))
    #expect(scene.transport.urls == [url])
  }

  @Test("HTTP without protection only if the host allows it")
  func http() async {
    var scene = ContentScene()
    scene.configuration.allowsHTTP = true
    scene.transport.add("http://example.org/a", ScriptedTransport.body("x"))
    #expect(await scene.failure("http://example.org/a") == nil)
    #expect(await scene.failure("http:///a") == .invalidURL)
  }

  // MARK: Size and digest

  @Test("The smaller one of both limits holds, by the announced size and by the real one")
  func limits() async {
    var scene = ContentScene()
    scene.configuration.maximumByteCount = 5
    let fetch = { (scene: ContentScene, maximum: Int?) in
      await scene.text(.remote(ContentSource(url: url, maximumByteCount: maximum)))
    }
    scene.transport.add(url, ScriptedTransport.body("12345"))
    #expect(await fetch(scene, nil) == .success("12345"))
    #expect(await fetch(scene, 9) == .success("12345"))
    #expect(await fetch(scene, 4) == .failure(.tooLarge(limit: 4)))
    for answer in [
      ScriptedTransport.body("123456"), ScriptedTransport.body("", length: 6),
      ScriptedTransport.failure(.responseTooLarge),
    ] {
      let other = ContentScene(configuration: scene.configuration)
      other.transport.add(url, answer)
      #expect(await fetch(other, 9) == .failure(.tooLarge(limit: 5)))
      #expect(other.transport.urls.count == 1 && other.clock.pauses == [])
    }
  }

  @Test(
    "The limit is the transport's, which stops at the first byte too many",
    arguments: [1, 100, 1 << 20])
  func transportLimit(limit: Int) async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.body("x"))
    _ = await scene.text(.remote(ContentSource(url: url, maximumByteCount: limit)))
    #expect(scene.transport.requests.map(\.responseLimit) == [limit])
  }

  @Test("A body that is no content has no limit: its status counts")
  func largeErrors() async {
    for (code, attempts) in [(503, 3), (429, 3), (404, 1), (206, 1)] {
      let scene = ContentScene()
      scene.transport.add(url, ScriptedTransport.tooLarge(code))
      #expect(await scene.failure(url) == .httpStatus(code))
      #expect(scene.transport.urls.count == attempts)
    }
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.tooLarge(302, location: "/b"))
    scene.transport.add("https://example.org/b", ScriptedTransport.body("x"))
    #expect(await scene.text(ContentScene.remote(url)) == .success("x"))
    let large = ContentScene()
    large.transport.add(url, ScriptedTransport.tooLarge(200))
    #expect(await large.failure(url) == .tooLarge(limit: 64 << 20))
    #expect(large.transport.urls.count == 1)
  }

  @Test("Content has the digest of its descriptor, in either case")
  func digests() async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.body("abc"))
    let digest = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"
    let fetch = { (digest: String) in
      await scene.text(.remote(ContentSource(url: url, sha256: digest)))
    }
    #expect(await fetch(digest) == .success("abc"))
    #expect(await fetch(digest.lowercased()) == .success("abc"))
    #expect(await fetch(String(digest.dropLast()) + "C") == .failure(.checksumMismatch))
    #expect(scene.clock.pauses == [])
  }

  // MARK: Repetitions

  @Test(
    "Passing failures are retried twice, after one and two seconds",
    arguments: [429, 500, 503, 599])
  func statusRetries(code: Int) async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.status(code))
    #expect(await scene.failure(url) == .httpStatus(code))
    #expect(scene.transport.urls.count == 3)
    #expect(scene.clock.pauses == [.seconds(1), .seconds(2)])
  }

  @Test(
    "Other statuses fail at once",
    arguments: [201, 204, 206, 300, 304, 400, 401, 403, 404, 408, 410, 499, 600])
  func finalStatuses(code: Int) async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.status(code))
    #expect(await scene.failure(url) == .httpStatus(code))
    #expect(scene.transport.urls.count == 1 && scene.clock.pauses == [])
  }

  @Test(
    "Broken connections are retried",
    arguments: [
      HTTPTransportFailure.Reason.notConnected, .interrupted, .timedOut, .untrustedPeer,
    ])
  func transportRetries(reason: HTTPTransportFailure.Reason) async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.failure(reason))
    #expect(await scene.failure(url) == .transport)
    #expect(scene.clock.pauses == [.seconds(1), .seconds(2)])

    let recovering = ContentScene()
    recovering.transport.add(
      url, ScriptedTransport.failure(reason), ScriptedTransport.status(503),
      ScriptedTransport.body("x"))
    #expect(await recovering.text(ContentScene.remote(url)) == .success("x"))
    #expect(recovering.transport.urls.count == 3)
  }

  @Test("A request that is not possible is not retried")
  func finalFailures() async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.failure(.invalidRequest))
    #expect(await scene.failure(url) == .invalidURL)
    #expect(scene.clock.pauses == [])
  }

  @Test("A cancellation of the transport's own is a broken connection")
  func foreignCancellation() async {
    let scene = ContentScene()
    scene.transport.add(url, { _ in throw CancellationError() })
    #expect(await scene.failure(url) == .transport)
    #expect(scene.transport.urls.count == 3)
    scene.transport.add("https://example.org/b", ScriptedTransport.body("x"))
    #expect(
      await scene.text(
        .fallback([ContentScene.remote(url), ContentScene.remote("https://example.org/b")]))
        == .success("x"))
  }

  // MARK: Redirects

  @Test("Five redirects are followed, a sixth is not", arguments: [301, 302, 303, 307, 308])
  func redirects(code: Int) async {
    for (count, expected) in [
      (5, Result<String, ContentFailure>.success("x")), (6, .failure(.httpStatus(code))),
    ] {
      let scene = ContentScene()
      for step in 0..<count {
        scene.transport.add(
          "https://example.org/\(step)",
          ScriptedTransport.status(code, location: "https://example.org/\(step + 1)"))
      }
      scene.transport.add("https://example.org/\(count)", ScriptedTransport.body("x"))
      #expect(await scene.text(ContentScene.remote("https://example.org/0")) == expected)
      #expect(scene.transport.urls.count == 6)
    }
  }

  @Test(
    "References are resolved",
    arguments: [
      ("https://other.org/x", "https://other.org/x"), ("//other.org/x", "https://other.org/x"),
      ("/x?y", "https://example.org:8443/x?y"), ("x", "https://example.org:8443/a/x"),
      ("../x", "https://example.org:8443/x"), ("?y", "https://example.org:8443/a/b?y"),
      ("./x", "https://example.org:8443/a/x"), ("../../x/./y/", "https://example.org:8443/x/y/"),
      ("/x/../..", "https://example.org:8443/"), ("/x/.", "https://example.org:8443/x/"),
      ("/x/..y/z...?../a", "https://example.org:8443/x/..y/z...?../a"),
      ("//other.org/a//../x", "https://other.org/a/x"),
      ("https://other.org/a/./../x#../f", "https://other.org/x"),
      ("https://other.org", "https://other.org"),
      ("x?z=a:b", "https://example.org:8443/a/x?z=a:b"), ("/x#f", "https://example.org:8443/x"),
    ])
  func references(location: String, target: String) async {
    let scene = ContentScene()
    let first = "https://example.org:8443/a/b?c#d"
    scene.transport.add(
      "https://example.org:8443/a/b?c", ScriptedTransport.status(302, location: location))
    scene.transport.add(target, ScriptedTransport.body("x"))
    #expect(await scene.text(ContentScene.remote(first)) == .success("x"))
    #expect(scene.transport.urls.last == target)
  }

  @Test(
    "Each redirect is judged like the first address",
    arguments: [
      ("http://example.org/x", ContentFailure.schemeNotAllowed),
      ("ftp://example.org/x", .schemeNotAllowed),
      ("file:///etc/hostname", .schemeNotAllowed), ("https:///x", .invalidURL),
      ("//u:p@example.org/x", .invalidURL),
      ("javascript:x", .invalidURL), ("https://example.org/ x", .invalidURL),
    ])
  func badRedirects(location: String, failure: ContentFailure) async {
    for allowsHTTP in [false, true] {
      var scene = ContentScene()
      scene.configuration.allowsHTTP = allowsHTTP
      scene.transport.add(url, ScriptedTransport.status(302, location: location))
      #expect(await scene.failure(url) == failure)
      #expect(scene.transport.urls == [url] && scene.clock.pauses == [])
    }
  }

  @Test("HTTP may redirect to HTTP where it is allowed, and to HTTPS, but not back")
  func httpRedirects() async {
    var scene = ContentScene()
    scene.configuration.allowsHTTP = true
    scene.transport.add("http://e.org/1", ScriptedTransport.status(302, location: "http://e.org/2"))
    scene.transport.add(
      "http://e.org/2", ScriptedTransport.status(302, location: "https://e.org/3"))
    scene.transport.add(
      "https://e.org/3", ScriptedTransport.body("x"),
      ScriptedTransport.status(302, location: "http://e.org/1"))
    #expect(await scene.text(ContentScene.remote("http://e.org/1")) == .success("x"))
    #expect(await scene.failure("http://e.org/1") == .schemeNotAllowed)
  }

  @Test("A redirect to nowhere else is one to the same address", arguments: ["", "#f"])
  func sameAddress(location: String) async {
    let (scene, url) = (ContentScene(), "https://example.org/a/../b?c")
    scene.transport.add(
      url, ScriptedTransport.status(302, location: location), ScriptedTransport.body("x"))
    #expect(await scene.text(ContentScene.remote(url)) == .success("x"))
    #expect(scene.transport.urls == [url, url])
  }

  @Test("A redirect without a place fails, and a retry starts at the first address")
  func brokenRedirects() async {
    let scene = ContentScene()
    scene.transport.add(url, ScriptedTransport.status(302))
    #expect(await scene.failure(url) == .httpStatus(302))
    let retried = ContentScene()
    retried.transport.add(url, ScriptedTransport.status(302, location: "/b"))
    retried.transport.add(
      "https://example.org/b", ScriptedTransport.status(500), ScriptedTransport.body("x"))
    #expect(await retried.text(ContentScene.remote(url)) == .success("x"))
    #expect(retried.transport.urls == [url, "https://example.org/b", url, "https://example.org/b"])
  }
}
