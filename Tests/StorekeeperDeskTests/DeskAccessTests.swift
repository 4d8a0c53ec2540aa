import HTTPMessages
import StoreSimulators
import Storekeeper
import StorekeeperDesk
import StorekeeperHTTP
import StorekeeperTesting
import Testing

@Suite("Who may see the desk")
struct DeskAccessTests {
  let scene: DeskScene

  init() throws { scene = try DeskScene() }

  private static let paths = [
    "/desk", "/desk/customers/alice", "/desk/customers/nobody", "/desk/purchases/1", "/desk/acts",
    "/desk/disputes", "/desk/parked", "/desk/undecoded", "/desk/find", "/desk/act/link",
    "/desk/nothing", "/desk/nothing/at/all",
  ]

  @Test("Without a session every address has the same answer", arguments: paths)
  func stranger(_ path: String) async throws {
    try await scene.linked()
    let usual = await scene.get("/desk/sign-in", cookie: nil)
    for cookie in [nil, "__Host-desk=", "__Host-desk=AAAA", "desk=x"] as [String?] {
      let answer = await scene.get(path, cookie: cookie)
      #expect(answer.status == 403)
      #expect(answer.body == usual.body)
      #expect(!answer.text.contains("alice"))
    }
    #expect(
      await scene.post("/desk/act/link", ["account": "alice"], cookie: nil).body == usual.body)
  }

  @Test("A cookie that was changed anywhere is none")
  func forged() async throws {
    let cookie = try await scene.cookie()
    #expect(await scene.get("/desk", cookie: cookie).status == .ok)
    let bytes = Array(cookie.utf8)
    for index in stride(from: "__Host-desk=".utf8.count, to: bytes.count, by: 7) {
      var changed = bytes
      changed[index] = changed[index] == 0x41 ? 0x42 : 0x41
      let answer = await scene.get("/desk", cookie: String(decoding: changed, as: UTF8.self))
      #expect(answer.status == 403)
    }
  }

  @Test("A session ends by itself, and by signing out")
  func ends() async throws {
    let cookie = try await scene.cookie()
    scene.appStore.clock.advance(by: .seconds(8 * 3600 - 1))
    #expect(await scene.get("/desk", cookie: cookie).status == .ok)
    scene.appStore.clock.advance(by: .seconds(1))
    #expect(await scene.get("/desk", cookie: cookie).status == 403)
    let answer = await scene.post("/desk/sign-out", [:], cookie: try await scene.cookie())
    #expect(answer.headers["Set-Cookie"]?.hasPrefix("__Host-desk=; Path=/; Max-Age=0;") == true)
  }

  @Test("A wrong token begins no session")
  func wrongToken() async throws {
    for token in ["", "wrong", String(repeating: "x", count: 2000)] {
      let answer = await scene.post("/desk/sign-in", ["token": token], cookie: nil)
      #expect(answer.status == 403)
      #expect(answer.headers["Set-Cookie"] == nil)
    }
  }

  @Test("The cookie is for this host alone, and no script reads it")
  func cookie() async throws {
    let answer = await scene.post("/desk/sign-in", ["token": DeskScene.agentToken], cookie: nil)
    let field = try #require(answer.headers["Set-Cookie"])
    for part in ["Path=/", "HttpOnly", "SameSite=Strict", "Secure"] {
      #expect(field.contains("; \(part)"))
    }
    #expect(!field.contains("Domain"))
    #expect(!field.contains(DeskScene.agentToken))
  }

  @Test("Each page forbids scripts, frames, and all that is not its own")
  func policy() async throws {
    let cookie = try await scene.cookie()
    for path in ["/desk", "/desk/customers/alice", "/desk/sign-in", "/desk/nothing"] {
      let answer = await scene.get(path, cookie: cookie)
      let policy = answer.headers["Content-Security-Policy"] ?? ""
      #expect(policy.hasPrefix("default-src 'none';"))
      #expect(policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
      #expect(!answer.text.contains("<script"))
      #expect(!answer.text.contains(" style="))
    }
  }

  @Test("A form from another site does nothing")
  func otherSite() async throws {
    var request = HTTPRequestMessage(
      method: .post, url: "/desk/sign-in",
      headers: [
        .contentType: "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site",
      ], body: Array("token=\(DeskScene.agentToken)".utf8))
    #expect(await scene.desk.respond(to: request).headers["Set-Cookie"] == nil)
    try request.headers.set("same-origin", for: "Sec-Fetch-Site")
    #expect(await scene.desk.respond(to: request).headers["Set-Cookie"] != nil)
  }

  @Test("A proxy's field signs a member on, and only one")
  func signOn() async throws {
    let secret = String(repeating: "s", count: 32)
    var access = try DeskAccess(tokens: nil, agents: [], key: DeskAccess.randomKey())
    access.signOn = try .init(
      nameField: "X-Remote-User", secretField: "X-Desk-Secret", secret: secret, agents: ["nora"])
    let desk = DeskAPI(Desk(scene.shop), access: access)
    func status(_ names: [String], _ secrets: [String]) async -> HTTPStatusCode {
      var request = HTTPRequestMessage(url: "/desk")
      for name in names { try? request.headers.append(name, for: "X-Remote-User") }
      for secret in secrets { try? request.headers.append(secret, for: "X-Desk-Secret") }
      return await desk.respond(to: request).status
    }
    #expect(await status(["nora"], [secret]) == .ok)
    for names in [[], [""], ["nora", "rita"]] { #expect(await status(names, [secret]) == 403) }
    for secrets in [[], [""], [secret + "s"], [secret, secret]] {
      #expect(await status(["nora"], secrets) == 403)
    }
  }

  @Test("A sign-on without a secret, or with a name that no field has, is refused")
  func weakSignOn() {
    #expect(throws: DeskFailure.keyTooShort(minimum: 32)) {
      _ = try DeskAccess.SignOn(
        nameField: "X-User", secretField: "X-Secret", secret: "short", agents: [])
    }
    #expect(throws: DeskFailure.noHeaderField) {
      _ = try DeskAccess.SignOn(
        nameField: "X User", secretField: "X-Secret", secret: String(repeating: "s", count: 32),
        agents: [])
    }
  }

  @Test("While tokens cannot be checked, nobody is told to sign in")
  func authenticatorAway() async throws {
    struct Away: Authenticator {
      struct Failure: Error {}
      func caller(token: String) async throws -> Caller { throw Failure() }
    }
    let cookie = try await scene.cookie()
    let access = try DeskAccess(
      tokens: Away(), agents: [], key: [UInt8](repeating: 7, count: 32),
      now: { [appStore = scene.appStore] in appStore.now })
    var request = HTTPRequestMessage(url: "/desk")
    try request.headers.set(cookie, for: "Cookie")
    let answer = await DeskAPI(Desk(scene.shop), access: access).respond(to: request)
    #expect(answer.status == 500)
    #expect(!answer.text.contains("Support token"))
  }

  @Test("A secret of fewer than 32 bytes is refused")
  func shortKey() {
    #expect(throws: DeskFailure.keyTooShort(minimum: 32)) {
      _ = try DeskAccess(tokens: nil, agents: [], key: [UInt8](repeating: 1, count: 31))
    }
  }
}
