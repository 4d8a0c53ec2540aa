import GooglePlayVerifier
import HTTPMessages
import StorekeeperFixtures
import Testing

@Suite("Requests to the Play store")
struct RequestTests {
  private static let subscription = ScriptedAnswer.status(200, "{}")

  @Test("a subscription is read by its token alone")
  func subscription() async throws {
    let scene = try await PlayScene([Self.subscription])
    _ = try await scene.client.subscription(token: "abc.AO-J1_x~")
    let request = try #require(scene.play.requests.first)
    #expect(request.method == .get)
    #expect(request.url == PlayScene.base + "subscriptionsv2/tokens/abc.AO-J1_x~")
    #expect(request.headers[.authorization] == "Bearer token-1")
    #expect(request.headers[.accept] == "application/json")
    #expect(request.headers[.contentType] == nil)
    #expect(request.body.isEmpty)
    #expect(request.responseLimit == 1 << 20)
  }

  @Test("a product is read without the ID of the product")
  func product() async throws {
    let scene = try await PlayScene([.status(200, "{}")])
    _ = try await scene.client.product(token: "abc")
    #expect(scene.play.requests.map(\.url) == [PlayScene.base + "productsv2/tokens/abc"])
  }

  @Test("every byte of a path part is percent-encoded but the unreserved ones of RFC 3986")
  func encoding() async throws {
    let scene = try await PlayScene([Self.subscription])
    _ = try await scene.client.subscription(token: "a/../b?c#d:e%2F é\u{0}")
    #expect(
      scene.play.requests.first?.url
        == PlayScene.base + "subscriptionsv2/tokens/a%2F..%2Fb%3Fc%23d%3Ae%252F%20%C3%A9%00")
  }

  @Test(
    "a token that cannot be a path part is refused before it is sent",
    arguments: [
      ("", InvalidCall.empty(.token)), (".", .notPathPart(.token)), ("..", .notPathPart(.token)),
      (String(repeating: "a", count: 4097), .tooLong(.token, limit: 4096)),
    ])
  func invalidTokens(token: String, fault: InvalidCall) async throws {
    let scene = try await PlayScene([Self.subscription])
    let failures = [
      try await failure { try await scene.client.subscription(token: token) },
      try await failure { try await scene.client.product(token: token) },
      try await failure { try await scene.client.acknowledgeProduct("p", token: token) },
      try await failure { try await scene.client.consumeProduct("p", token: token) },
    ]
    #expect(failures.allSatisfy { $0 == .invalidCall(fault) && $0.kind == .invalid })
    #expect(scene.play.requests.isEmpty)
  }

  @Test("the longest token is sent")
  func longestToken() async throws {
    let scene = try await PlayScene([Self.subscription])
    _ = try await scene.client.subscription(token: String(repeating: "a", count: 4096))
    #expect(scene.play.requests.count == 1)
  }

  @Test("an acknowledgement names the product, and carries what the caller gives")
  func acknowledgement() async throws {
    let scene = try await PlayScene([.status(204)])
    try await scene.client.acknowledgeSubscription("pro/monthly", token: "a b")
    try await scene.client.acknowledgeSubscription(
      "pro", token: "t",
      accounts: ExternalAccountIDs(obfuscatedAccountID: "u-1", obfuscatedProfileID: "p-1"),
      developerPayload: "text")
    try await scene.client.acknowledgeProduct("coins", token: "t")
    try await scene.client.acknowledgeProduct("coins", token: "t", developerPayload: "text")
    try await scene.client.consumeProduct("coins", token: "t")
    let requests = scene.play.requests
    #expect(requests.allSatisfy { $0.method == .post })
    #expect(
      requests.map { String($0.url.dropFirst(PlayScene.base.count)) } == [
        "subscriptions/pro%2Fmonthly/tokens/a%20b:acknowledge",
        "subscriptions/pro/tokens/t:acknowledge", "products/coins/tokens/t:acknowledge",
        "products/coins/tokens/t:acknowledge", "products/coins/tokens/t:consume",
      ])
    #expect(
      requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        "{}",
        #"{"developerPayload":"text","externalAccountIds":{"obfuscatedAccountId":"u-1","#
          + #""obfuscatedProfileId":"p-1"}}"#,
        "{}", #"{"developerPayload":"text"}"#, "",
      ])
    #expect(
      requests.map { $0.headers[.contentType] } == [
        "application/json", "application/json", "application/json", "application/json", nil,
      ])
  }

  @Test("an acknowledgement needs a product")
  func acknowledgementWithoutProduct() async throws {
    let scene = try await PlayScene([.status(204)])
    let failure = try await failure {
      try await scene.client.acknowledgeSubscription("", token: "t")
    }
    #expect(failure == .invalidCall(.empty(.productID)))
  }

  @Test("the address and the limits are the configured ones")
  func configuration() async throws {
    let scene = try await PlayScene([Self.subscription]) { configuration in
      configuration.url = "http://127.0.0.1:9000/play"
      configuration.allowsHTTP = true
      configuration.timeout = .seconds(7)
      configuration.responseLimit = 100
      configuration.userAgent = "test/1"
    }
    _ = try await scene.client.subscription(token: "t")
    _ = try await scene.client.subscription(token: "t", patience: .seconds(3))
    let requests = scene.play.requests
    #expect(
      requests.first?.url
        == "http://127.0.0.1:9000/play/androidpublisher/v3/applications/com.example.reader/"
        + "purchases/subscriptionsv2/tokens/t")
    #expect(requests.map(\.timeout) == [.seconds(7), .seconds(3)])
    #expect(requests.first?.responseLimit == 100)
    #expect(requests.first?.headers[.userAgent] == "test/1")
  }

  @Test(
    "a package name has two parts at least",
    arguments: [
      "", "reader", ".reader", "com.", "com..reader", "com/example.reader", "com.exämple",
    ]
  )
  func packageName(name: String) async throws {
    let scene = try await PlayScene([])
    #expect(throws: GooglePlayClient.ConfigurationFailure.malformedPackageName) {
      try GooglePlayClient(packageName: name, tokens: scene.tokens, transport: scene.play)
    }
  }

  @Test("a configuration that cannot work is refused")
  func refusedConfigurations() async throws {
    typealias Change = @Sendable (inout GooglePlayClient.Configuration) -> Void
    let cases: [(GooglePlayClient.ConfigurationFailure, Change)] = [
      (.malformedURL, { $0.url = "http://example.com" }),
      (.malformedURL, { $0.url = "https://example.com/" }),
      (.malformedURL, { $0.url = "https://example.com?a=b" }),
      (.malformedURL, { $0.url = "https://" }),
      (.limitNotPositive, { $0.timeout = .zero }),
      (.limitNotPositive, { $0.patience = .zero }),
      (.limitNotPositive, { $0.attempts = 0 }),
      (.limitNotPositive, { $0.responseLimit = 0 }),
      (.limitNotPositive, { $0.firstPause = .seconds(-1) }),
      (.malformedUserAgent, { $0.userAgent = "a\nb" }),
    ]
    for (expected, change) in cases {
      await #expect(throws: expected) { try await PlayScene([], change) }
    }
  }
}
