import LinkPolicy
import StoreSimulators
import HTTPMessages
import StorekeeperHTTP
import Testing

@Suite("Routes and methods")
struct RoutingTests {
  @Test(
    "whatever is not exactly a path of a contract is 404",
    arguments: [
      "", "/", "*", "/api", "/api/v1", "/api/v1/", "/api/v1/apple", "/api/v1/apple/",
      "/api/v1/apple/link/", "/api/v1//apple/link", "//api/v1/apple/link", "/API/v1/apple/link",
      "/api/v1/Apple/link", "/api/v1/apple/link%20", "/api/v1/apple%2Flink", "/api/v1/apple/subs/",
      "/api/v1/apple/subs/1/", "/api/v1/apple/subs/1/2", "/api/v1/apple/receipt",
      "/api/v1/apple/receipt/", "/api/v1/apple/unlink/x", "/api/v2/apple/link", "/apple/link",
      "/api/v1apple/link", "api/v1/apple/link", "/api/v1/../v1/apple/link",
      "/2019/api/v1/apple/subs", "/2019/api/v1/apple/unlink", "/2019/api/v1/apple/subs/1",
      "/2019/api/v1/apple/receipt/1", "/api/v1/apple/link\u{301}", "/api/v1\u{301}/apple/link",
      "?/api/v1/apple/link", "#/api/v1/apple/link", "http://", "http://host", "http://host?q",
      "http://host#/api/v1/apple/link", "http://#/api/v1/apple/link",
      "*?://host/api/v1/apple/link", "x/y://host/api/v1/apple/link",
    ])
  func unknown(url: String) async throws {
    let scene = try APIScene()
    let response = await scene.api.respond(to: HTTPRequestMessage(method: .post, url: url))
    #expect(response.refusal == .notFound)
    #expect(scene.reports.all.map(\.route) == [nil])
    // A host asks this, to answer by itself.
    #expect(!scene.api.knows(url))
  }

  @Test(
    "the address may be absolute, and what follows the path is not part of it",
    arguments: [
      "/api/v1/apple/subs/1", "/api/v1/apple/subs/1?a=/x", "/api/v1/apple/subs/1#top",
      "http://example.org/api/v1/apple/subs/1", "HTTPS://example.org:8080/api/v1/apple/subs/1?x",
      "/api/v1/apple/subs/1?\u{301}", "/api/v1/apple/subs/1#\u{301}",
    ])
  func known(url: String) async throws {
    let scene = try APIScene()
    let response = await scene.api.respond(to: HTTPRequestMessage(url: url))
    #expect(response.refusal == .invalidToken)
    #expect(scene.reports.all.map(\.route) == ["/api/v1/apple/subs/{id}"])
    #expect(scene.api.knows(url))
  }

  @Test(
    "a method that a path does not know is 405, and the ones that it knows are listed",
    arguments: Endpoint.all)
  func wrongMethod(endpoint: Endpoint) async throws {
    let scene = try APIScene()
    #expect(scene.api.knows(endpoint.mount + endpoint.path))
    let known = endpoint.allow.split(separator: ", ").map(String.init)
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "get", "BREW"]
    where !known.contains(method) {
      // Without a token: the method is checked before it.
      let response = await scene.api.respond(
        to: HTTPRequestMessage(
          method: try HTTPRequestMethod(method), url: endpoint.mount + endpoint.path))
      #expect(response.refusal == .wrongMethod)
      #expect(response.headers.values(for: .allow) == [endpoint.allow])
    }
  }

  @Test("every mount serves its contract, and no other path")
  func mounts() async throws {
    let scene = try APIScene()
    for mount in Mount.standard {
      let response = try await scene.send(.post, "/apple/unlink", "{}", on: mount.prefix)
      let expected: Refusal =
        mount.contract == .current ? .missing("ftcId") : .notFound
      #expect(response.refusal == expected)
    }
  }

  @Test("a host may mount under any prefix, also under none")
  func ownMounts() async throws {
    let scene = try APIScene()
    let api = SubscriptionAPI(
      scene.api.subscriptions, authenticator: BearerTokens([]),
      mounts: [Mount("", contract: .legacy), Mount("/iap")])
    for (path, status) in [
      ("/apple/link", 401), ("/iap/apple/link", 401), ("/iap/apple/unlink", 401),
      ("/apple/unlink", 404), ("/api/v1/apple/link", 404),
    ] {
      let response = await api.respond(to: HTTPRequestMessage(method: .post, url: path))
      #expect(response.status.code == status)
    }
  }

  @Test("slashes at the end of a prefix do not count")
  func slashes() async throws {
    let scene = try APIScene()
    for (prefix, path) in [
      ("/iap/", "/iap/apple/link"), ("/iap//", "/iap/apple/link"), ("/", "/apple/link"),
    ] {
      let api = SubscriptionAPI(
        scene.api.subscriptions, authenticator: BearerTokens([]), mounts: [Mount(prefix)])
      let response = await api.respond(to: HTTPRequestMessage(method: .post, url: path))
      #expect(response.refusal == .invalidToken)
    }
    #expect(Mount("/iap/") == Mount("/iap"))
    #expect(Mount("/").prefix.isEmpty)
  }

  @Test("of two mounts with one prefix, the first that knows the path answers")
  func samePrefix() async throws {
    let scene = try APIScene()
    let api = SubscriptionAPI(
      scene.api.subscriptions, authenticator: BearerTokens([]),
      mounts: [Mount("/iap", contract: .legacy), Mount("/iap")])
    for (method, path, status) in [
      (HTTPRequestMethod.delete, "/iap/apple/link", 401), (.get, "/iap/apple/subs", 401),
      (.post, "/iap/apple/unlink", 401), (.get, "/iap/apple/link", 405),
    ] {
      let response = await api.respond(to: HTTPRequestMessage(method: method, url: path))
      #expect(response.status.code == status)
    }
  }

  @Test("every answer forbids caching and has an id of its own")
  func commonHeaders() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    var responses = [
      try await scene.send(.get, "/nowhere"), try await scene.send(.put, "/apple/link"),
      try await scene.send(.post, "/apple/link", token: nil),
      try await scene.send(.post, "/apple/link", "{}"),
      try await scene.send(
        .post, "/apple/verify-receipt", #"{"receiptData":"\#(purchase.receipt)"}"#),
      try await scene.send(.post, "/webhook/apple", try scene.notificationV2(about: purchase)),
    ]
    let body = #"{"ftcId":"alice","originalTxId":"\#(APIScene.firstID)"}"#
    responses.append(try await scene.send(.post, "/apple/link", body))
    responses.append(try await scene.send(.post, "/apple/unlink", body))
    #expect(responses.map(\.status.code) == [404, 405, 401, 422, 200, 200, 200, 204])
    for response in responses {
      #expect(
        response.headers.values(for: .cacheControl) == ["no-cache, no-store, must-revalidate"])
      #expect(response.headers.values(for: .pragma) == ["no-cache"])
      #expect(response.headers.values(for: .requestID).count == 1)
    }
    #expect(Set(responses.map { $0.headers[.requestID] }).count == responses.count)
    #expect(scene.reports.all.map(\.id) == responses.map { $0.headers[.requestID] })
  }
}
