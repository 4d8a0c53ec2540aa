import Foundation
import JSONValues
import JWSVerifier
import StoreSimulators
import Storekeeper
import StorekeeperCrypto
import StorekeeperOnDevice
import StorekeeperTesting
import Testing

@Suite("Signed statements, as a device checks them", .onEveryStore)
struct SignedStatementTests {
  @Test(
    "a statement by either kind of key says what the server answers",
    arguments: [PrivateKey.Generated.ed25519, .p256])
  func both(kind: PrivateKey.Generated) async throws {
    let scene = try await StatementScene([kind])
    try await scene.draw.buy("full.monthly")
    try await scene.draw.buy("paper")
    try await scene.draw.service.acquireAll(for: "u-1", in: DrawScene.draw)
    let signed = try await scene.service.statement(of: "u-1", in: DrawScene.draw)
    #expect(signed.token.utf8.count <= EntitlementStatement.maximumSize)
    var memory = StatementMemory()
    let statement = try scene.device().statement(
      in: signed.token, at: scene.now, isFresh: true, memory: &memory)
    #expect(
      statement.products.map(\.id) == DrawScene.ids("brushes", "frames", "frames.gold", "paper"))
    #expect(statement.products.map { $0.end == nil } == [false, false, false, true])
    #expect(statement.subscription?.id == DrawScene.id("full.monthly"))
    #expect(statement.complete)
    #expect(statement.counter == signed.statement.counter)
    #expect(memory.newest == statement.counter)
    let token = signed.token
    var text = "\(signed)"
    dump(signed, to: &text)
    #expect(!text.contains(token) && !text.contains("u-1"))
  }

  @Test("an unknown user has nothing, which is stated; an unknown app is refused")
  func unknown() async throws {
    let scene = try await StatementScene()
    let statement = try await scene.service.statement(of: "nobody", in: DrawScene.draw).statement
    #expect(statement.products.isEmpty)
    #expect(statement.isComplete)
    let failure = try await entitlementFailure {
      try await scene.service.statement(of: "u-1", in: "com.example.nope")
    }
    #expect(failure == .unknownApp)
  }

  @Test("a tester's build for the App Store gets a statement that it takes")
  func tester() async throws {
    let scene = try await StatementScene { $0.environment = .sandbox }
    try await scene.draw.buy("paper")
    let device = try scene.device()
    #expect(device.refusal(of: try await scene.token(), at: scene.now) == .otherEnvironment)
    let counted = try await scene.service.statement(
      of: "u-1", in: DrawScene.draw, boughtIn: [.production])
    #expect(device.refusal(of: counted.token, at: scene.now) == nil)
    #expect(counted.statement.products.isEmpty && counted.statement.isComplete)
    let sandbox = try await scene.service.statement(
      of: "u-1", in: DrawScene.draw, boughtIn: [.sandbox, .production])
    #expect(sandbox.statement.products.map(\.productID) == DrawScene.ids("paper"))
  }

  @Test("a refund ends access within the life of a statement")
  func refund() async throws {
    let scene = try await StatementScene()
    let frames = try await scene.draw.buy("frames")
    let before = try await scene.token()
    let device = try scene.device()
    var memory = StatementMemory()
    #expect(device.refusal(of: before, at: scene.now, isFresh: true, memory: &memory) == nil)
    scene.draw.appStore.clock.advance(by: .seconds(3600))
    try await scene.draw.receive(try scene.draw.appStore.refund(frames))
    let after = try await scene.service.statement(of: "u-1", in: DrawScene.draw)
    #expect(after.statement.products.isEmpty)
    // Without a network, the statement counts as long as it lives, and not a second longer.
    let start = scene.now - 3600
    #expect(device.refusal(of: before, at: start + 86_399, memory: &memory) == nil)
    var offline = memory
    #expect(device.refusal(of: before, at: start + 86_400, memory: &offline) == .over)
    // With one, the newer statement takes its place at once, and the older one is refused.
    memory = StatementMemory()
    #expect(device.refusal(of: before, at: start, isFresh: true, memory: &memory) == nil)
    #expect(device.refusal(of: after.token, at: scene.now, isFresh: true, memory: &memory) == nil)
    #expect(device.refusal(of: before, at: scene.now, memory: &memory) == .older)
  }

  @Test("keys change with overlap: statements are valid by the keys that a device had or fetches")
  func rotation() async throws {
    let scene = try await StatementScene([.p256])
    let old = try #require(scene.keys.first)
    let new = try StatementScene.key(.ed25519)
    let prepared = try scene.with([old, new])
    let changed = try scene.with([new, old])
    let done = try scene.with([new])
    func token(_ service: StatementService) async throws -> String {
      try await service.statement(of: "u-1", in: DrawScene.draw).token
    }
    func refusal(_ service: StatementService, keysOf keys: StatementService) async throws
      -> StatementRefusal?
    {
      try scene.device(keysOf: keys).refusal(of: try await token(service), at: scene.now)
    }
    let steps = [scene.service, prepared, changed, done]
    for (step, next) in zip(steps, steps.dropFirst()) {
      // A device has the keys of before, or has them already.
      #expect(try await refusal(next, keysOf: step) == nil)
      #expect(try await refusal(next, keysOf: next) == nil)
    }
    // Until the old key is gone, its statements are valid by new keys.
    #expect(try await refusal(prepared, keysOf: changed) == nil)
    #expect(try await refusal(prepared, keysOf: done) == .unknownKey)
    // Without overlap, a device has to fetch the keys first.
    #expect(try await refusal(done, keysOf: scene.service) == .unknownKey)
  }

  @Test("statements of another user, app, environment or key are refused, each for one reason")
  func others() async throws {
    let scene = try await StatementScene { $0.environment = .sandbox }
    try await scene.draw.buy("frames")
    let token = try await scene.token()
    let sandbox: Set = ["Sandbox"]
    #expect(try scene.device(environments: sandbox).refusal(of: token, at: scene.now) == nil)
    #expect(
      try scene.device(environments: ["Production", "Sandbox"]).refusal(of: token, at: scene.now)
        == nil)
    #expect(
      try scene.device(user: "u-2", environments: sandbox).refusal(of: token, at: scene.now)
        == .otherUser)
    #expect(
      try scene.device(app: DrawScene.paint, environments: sandbox)
        .refusal(of: token, at: scene.now) == .otherApp)
    #expect(try scene.device().refusal(of: token, at: scene.now) == .otherEnvironment)
    let other = try scene.with([StatementScene.key(.ed25519)])
    #expect(
      try scene.device(environments: sandbox, keysOf: other).refusal(of: token, at: scene.now)
        == .unknownKey)
  }

  @Test("a token of another type, and one that names a critical extension, is no statement")
  func otherTypes() async throws {
    let scene = try await StatementScene()
    let key = try #require(scene.keys.first)
    let statement = try await scene.service.statement(of: "u-1", in: DrawScene.draw).statement
    let device = try scene.device()
    let other = try key.token(of: statement.json.serialized, type: "JWT")
    #expect(device.refusal(of: other, at: scene.now) == .malformed)
    let empty = try key.token(of: Array("{}".utf8), type: EntitlementStatement.type)
    #expect(device.refusal(of: empty, at: scene.now) == .malformed)
    for text in ["", ".", "..", "a.b.c", "a.b.c.d", String(repeating: "a", count: 1025)] {
      #expect(device.refusal(of: text, at: scene.now) == .malformed)
    }
  }

  // MARK: Time

  @Test("a statement is over at its end, before which it counts")
  func over() async throws {
    let scene = try await StatementScene()
    let token = try await scene.token()
    let device = try scene.device()
    #expect(device.refusal(of: token, at: scene.now + 86_399.9) == nil)
    #expect(device.refusal(of: token, at: scene.now + 86_400) == .over)
  }

  @Test("a clock that was set back is noticed, against the server's time and the device's own")
  func clock() async throws {
    let scene = try await StatementScene()
    let token = try await scene.token()
    let device = try scene.device()
    // Five minutes of difference between two clocks are no fraud.
    #expect(device.refusal(of: token, at: scene.now - 300) == nil)
    #expect(device.refusal(of: token, at: scene.now - 301) == .clockSetBack)
    var memory = StatementMemory()
    #expect(device.refusal(of: token, at: scene.now + 7200, memory: &memory) == nil)
    #expect(device.refusal(of: token, at: scene.now + 6900, memory: &memory) == nil)
    #expect(device.refusal(of: token, at: scene.now + 6899, memory: &memory) == .clockSetBack)
    // Also where the device has seen the end of the statement, and the clock goes back before it.
    #expect(device.refusal(of: token, at: scene.now + 90_000, memory: &memory) == .over)
    #expect(device.refusal(of: token, at: scene.now + 80_000, memory: &memory) == .clockSetBack)
    // One who had a clock in the future is helped by the server's next answer, but by no other statement.
    scene.draw.appStore.clock.advance(by: .seconds(60))
    let next = try await scene.token()
    var stale = memory
    #expect(device.refusal(of: next, at: scene.now, memory: &stale) == .clockSetBack)
    #expect(device.refusal(of: next, at: scene.now, isFresh: true, memory: &memory) == nil)
    #expect(device.refusal(of: token, at: scene.now, memory: &memory) == .older)
    // So is one that a server with a clock in the future has misled.
    memory.newest += 86_400_000
    memory.clock += 86_400_000
    #expect(device.refusal(of: next, at: scene.now, memory: &memory) == .older)
    #expect(device.refusal(of: next, at: scene.now, isFresh: true, memory: &memory) == nil)
    #expect(device.refusal(of: next, at: scene.now, memory: &memory) == nil)
  }
}
