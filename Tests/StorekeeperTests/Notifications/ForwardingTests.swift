import Foundation
import HTTPMessages
import InMemoryStorage
import JSONValues
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Forwarding the stores' notifications", .onEveryStore)
struct ForwardingTests {
  /// A server that forwards to a second one, on a store of its own.
  private struct Scene {
    let here: NotificationScene
    let staging: NotificationService
    let receiver = SecondServer()
    let incidents = Incidents()
    var service: NotificationService
    var target: ForwardTarget

    init(_ change: (inout ForwardTarget) -> Void = { _ in }) async throws {
      let incidents = incidents
      here = try await NotificationScene(report: { incidents.add($0) })
      var context = here.service.context
      context.store = InMemoryPurchaseStore()
      let subscriptions = try SubscriptionService(
        context, products: ServiceScene.products,
        appStore: try ServiceScene.client(of: here.scene.appStore))
      staging = try NotificationService(
        context, subscriptions: subscriptions,
        passwords: [here.scene.appStore.sharedSecret].compactMap(\.self))
      receiver.notifications = staging
      target = try ForwardTarget("staging", url: "https://staging.example.org/webhook/apple")
      change(&target)
      service = here.service
      service.forwards = [target]
    }

    func forwarder(_ change: (inout NotificationForwarder) -> Void = { _ in })
      -> NotificationForwarder
    {
      var forwarder = NotificationForwarder(
        here.service.context, to: target, transport: receiver, clock: ManualClock(),
        chance: { 0 })
      change(&forwarder)
      return forwarder
    }

    func waiting() async throws -> Int {
      let line = target.line
      return try await here.scene.store.read {
        try await $0.outbox.waiting(inLine: line, limit: 100)
      }
    }

    /// A notification of version 2 about a purchase, as Apple posts it.
    func body(
      _ purchase: TestPurchase, uuid: String = "u-1",
      _ change: (inout Transaction) -> Void = { _ in }
    ) throws -> [UInt8] {
      var transaction = here.transaction(purchase, expires: here.scene.now + 30 * 86_400)
      change(&transaction)
      let token = try here.signed(.didRenew, transaction, uuid: uuid)
      // With a space and a member that nobody knows, so that only the same bytes are the same.
      return Array(#"{ "signedPayload": "\#(token)", "later": 1 }"#.utf8)
    }

    func isSeen(_ key: String, by service: NotificationService) async throws -> Bool {
      try await service.store.read { try await $0.notifications.isSeen(notificationKey: key) }
    }
  }

  @Test("what is recorded is sent as it came, and another Storekeeper verifies it")
  func verified() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.bought()
    let body = try scene.body(purchase)
    try await scene.service.receive(body: body)
    #expect(scene.receiver.requests.isEmpty)
    #expect(try await scene.forwarder().deliverDue().delivered == 1)
    let request = try #require(scene.receiver.requests.first)
    #expect(request.body == body)
    #expect(request.method == .post)
    #expect(request.url == "https://staging.example.org/webhook/apple")
    #expect(request.headers[.contentType] == "application/json")
    #expect(request.headers[.authorization] == nil)
    #expect(try await scene.isSeen("v2:u-1", by: scene.staging))
    #expect(try await scene.forwarder().deliverDue().delivered == 0)
    #expect(scene.receiver.requests.count == 1)
  }

  @Test("a notification of version 1 is forwarded with its password, which the other server knows")
  func version1() async throws {
    let scene = try await Scene()
    let purchase = try scene.here.scene.appStore.buy(ServiceScene.monthly)
    let body = try #require(try purchase.notification.bodyV1)
    try await scene.service.receive(body: body)
    #expect(try await scene.forwarder().deliverDue().delivered == 1)
    #expect(scene.receiver.requests.map(\.body) == [body])
    let stored = try await scene.staging.store.read {
      try await $0.storedSubscriptions.find([purchase.originalTransactionID])
    }
    #expect(stored.count == 1)
  }

  @Test("what is repeated, not authentic or rolled back is not forwarded")
  func once() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.bought()
    let body = try scene.body(purchase)
    var context = scene.here.service.context
    context.store = UndoingStore(base: context.store)
    var broken = try NotificationService(context, subscriptions: scene.here.scene.service)
    broken.forwards = [scene.target]
    await #expect(throws: BrokenConnection.self) { try await broken.receive(body: body) }
    var forged = body
    forged[forged.count / 2] ^= 1
    #expect(try await refusal { try await scene.service.receive(body: forged) } != nil)
    #expect(try await scene.waiting() == 0)
    try await scene.service.receive(body: body)
    try await scene.service.receive(body: body)
    #expect(try await scene.waiting() == 1)
  }

  @Test("one whose product only the other server knows is forwarded, although it is refused here")
  func unknownProduct() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.bought()
    let body = try scene.body(purchase) {
      ($0.productID, $0.originalTransactionID, $0.transactionID) = ("reader.new", "77", "78")
    }
    let refused = try await refusal { try await scene.service.receive(body: body) }
    #expect(refused == .subscription(.unknownProduct))
    #expect(try await scene.waiting() == 1)
    _ = try await scene.forwarder().deliverDue()
    #expect(scene.receiver.requests.map(\.body) == [body])
  }

  @Test(
    "one of an environment that is not served here is forwarded, although it is refused here",
    arguments: [nil, [.production], [.sandbox]] as [Set<AppStoreEnvironment>?])
  func otherEnvironment(_ environments: Set<AppStoreEnvironment>?) async throws {
    let scene = try await Scene { $0.environments = environments }
    let appStore = scene.here.scene.appStore
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: ServiceScene.bundleID)], environments: [.sandbox],
      trustAnchors: [scene.here.authority.trustAnchor], now: { appStore.now })
    var service = try NotificationService(
      scene.here.service.context.with(verifier: verifier), subscriptions: scene.here.scene.service)
    service.forwards = [scene.target]
    let purchase = try await scene.here.scene.bought()
    let body = try scene.body(purchase)
    var forged = body
    forged[forged.count / 2] ^= 1
    await #expect(throws: NotificationFailure.self) { try await service.receive(body: forged) }
    #expect(try await scene.waiting() == 0)
    let refused = try await refusal { try await service.receive(body: body) }
    #expect(refused == .notAuthentic(.environmentNotAllowed(.production)))
    #expect(try await !scene.isSeen("v2:u-1", by: service))
    let isWanted = environments?.contains(.production) ?? true
    #expect(try await scene.waiting() == (isWanted ? 1 : 0))
    _ = try await scene.forwarder().deliverDue()
    #expect(scene.receiver.requests.map(\.body) == (isWanted ? [body] : []))
    #expect(try await scene.isSeen("v2:u-1", by: scene.staging) == isWanted)
  }

  @Test("one of another app is not forwarded")
  func otherApp() async throws {
    let scene = try await Scene()
    let appStore = scene.here.scene.appStore
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.other")], environments: [.sandbox],
      trustAnchors: [scene.here.authority.trustAnchor], now: { appStore.now })
    var service = try NotificationService(
      scene.here.service.context.with(verifier: verifier), subscriptions: scene.here.scene.service)
    service.forwards = [scene.target]
    let body = try scene.body(try await scene.here.scene.bought())
    await #expect(throws: NotificationFailure.self) { try await service.receive(body: body) }
    #expect(try await scene.waiting() == 0)
  }

  @Test("one that was kept undecoded is forwarded")
  func undecoded() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.bought()
    let transaction = scene.here.transaction(purchase, expires: scene.here.scene.now)
    guard case .object(var members) = transaction.json else { return }
    members["storefrontId"] = .integer(143_441)
    let nested = try scene.here.authority.sign(JSONValue.object(members))
    let token = try scene.here.signed(.refund, nil, uuid: "u-2") {
      $0.data?.signedTransactionInfo = nested
    }
    try await scene.service.receive(body: Array(#"{"signedPayload":"\#(token)"}"#.utf8))
    #expect(try await scene.waiting() == 1)
  }

  @Test("what another server has forwarded is recorded, and not forwarded again")
  func noLoop() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.bought()
    let body = try scene.body(purchase)
    try await scene.service.receive(body: body, isForwarded: true)
    #expect(try await scene.isSeen("v2:u-1", by: scene.service))
    #expect(try await scene.waiting() == 0)
  }

  @Test(
    "a target gets the environment and the store that it wants",
    arguments: [
      ([AppStoreEnvironment.sandbox], nil, 0), ([.production], nil, 1), (nil, [Vendor.google], 0),
      (nil, [.apple], 1),
    ] as [(Set<AppStoreEnvironment>?, Set<Vendor>?, Int)])
  func filter(
    _ environments: Set<AppStoreEnvironment>?, _ vendors: Set<Vendor>?, _ count: Int
  ) async throws {
    let scene = try await Scene {
      ($0.environments, $0.vendors) = (environments, vendors)
    }
    try await scene.service.receive(
      body: try scene.body(try await scene.here.scene.bought()))
    #expect(try await scene.waiting() == count)
  }

  @Test("one that is too large, or for which there is no room, is recorded and told of")
  func bounds() async throws {
    for (limit, size, reason) in [(1, 1 << 20, ForwardRefusal.full), (9, 100, .tooLarge)] {
      let scene = try await Scene { ($0.limit, $0.bodyLimit) = (limit, size) }
      let purchase = try await scene.here.scene.bought()
      for uuid in ["u-1", "u-2"] {
        try await scene.service.receive(body: try scene.body(purchase, uuid: uuid))
      }
      #expect(try await scene.isSeen("v2:u-2", by: scene.service))
      #expect(try await scene.waiting() == (reason == .full ? 1 : 0))
      guard case .notificationNotForwarded("staging", reason)? = scene.incidents.all.last else {
        Issue.record("\(scene.incidents.all)")
        continue
      }
    }
  }

  @Test("one that is not taken is tried again by the schedule, parked, and dropped in the end")
  func attempts() async throws {
    let scene = try await Scene()
    let clock = scene.here.scene.appStore.clock
    try await scene.service.receive(
      body: try scene.body(try await scene.here.scene.bought()))
    scene.receiver.status = 500
    let forwarder = scene.forwarder { $0.schedule = [.seconds(5), .seconds(60)] }
    #expect(try await forwarder.deliverDue().failed == 1)
    #expect(try await forwarder.deliverDue() == OutboxDelivery.Report())
    clock.advance(by: .seconds(5))
    #expect(try await forwarder.deliverDue().failed == 1)
    clock.advance(by: .seconds(60))
    #expect(try await forwarder.deliverDue().parked == 1)
    let parked = try await scene.here.scene.store.read {
      try await $0.outbox.parked(after: 0, limit: 9)
    }
    #expect(parked.map(\.reason) == [ParkingReason(.attemptsExhausted, detail: "500")])
    // A later one is parked after a month, which drops the first one.
    clock.advance(by: .days(31))
    let later = try await scene.here.scene.bought(by: "other")
    try await scene.service.receive(body: try scene.body(later, uuid: "u-9"))
    for seconds in [0, 5, 60] {
      clock.advance(by: .seconds(seconds))
      _ = try await forwarder.deliverDue()
    }
    let left = try await scene.here.scene.store.read {
      try await $0.outbox.parked(after: 0, limit: 9)
    }
    #expect(left.map(\.message.reference) == ["v2:u-9"])
  }

  @Test("410 ends it until it is enabled, and Retry-After holds back all")
  func answers() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.bought()
    let clock = scene.here.scene.appStore.clock
    try await scene.service.receive(body: try scene.body(purchase))
    scene.receiver.status = 410
    let forwarder = scene.forwarder()
    _ = try await forwarder.deliverDue()
    scene.receiver.status = nil
    clock.advance(by: .days(1))
    #expect(try await forwarder.deliverDue() == OutboxDelivery.Report())
    try await forwarder.enable()
    #expect(try await forwarder.deliverDue().delivered == 1)
    try await scene.service.receive(body: try scene.body(purchase, uuid: "u-2"))
    (scene.receiver.status, scene.receiver.retryAfter) = (503, "3600")
    #expect(try await forwarder.deliverDue().failed == 1)
    scene.receiver.status = nil
    clock.advance(by: .seconds(3599))
    #expect(try await forwarder.deliverDue() == OutboxDelivery.Report())
    clock.advance(by: .seconds(2))
    #expect(try await forwarder.deliverDue().delivered == 1)
  }

  @Test("all that waits for a target that is gone is dropped by one call")
  func drop() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.bought()
    for number in 1...3 {
      try await scene.service.receive(body: try scene.body(purchase, uuid: "u-\(number)"))
    }
    let store = scene.here.scene.store
    #expect(try await store.discard(line: .webhook("staging")) == 0)
    #expect(try await store.discard(line: .link) == 0)
    scene.receiver.status = 410
    _ = try await scene.forwarder().deliverDue()
    #expect(try await scene.forwarder().isDisabled())
    #expect(try await store.discard(line: scene.target.line) == 3)
    #expect(try await store.discard(line: scene.target.line) == 0)
    #expect(try await !scene.forwarder().isDisabled())
    #expect(try await scene.forwarder().deliverDue() == OutboxDelivery.Report())
  }

  @Test("one that waits is erased with the account whose purchase it is about")
  func erased() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.linked()
    let other = try await scene.here.scene.bought(by: "other")
    try await scene.service.receive(body: try scene.body(purchase))
    try await scene.service.receive(body: try #require(try purchase.notification.bodyV1))
    try await scene.service.receive(body: try scene.body(other, uuid: "u-2"))
    #expect(try await scene.waiting() == 3)
    try await AccountEraser(scene.service.context).erase("alice")
    #expect(try await scene.waiting() == 1)
    #expect(try await scene.forwarder().deliverDue().delivered == 1)
    #expect(try await scene.isSeen("v2:u-2", by: scene.staging))
  }

  @Test("so is one that has only the information about a renewal")
  func erasedRenewal() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.linked()
    let token = try scene.here.signed(
      .didChangeRenewalStatus, nil, scene.here.renewal(purchase, willRenew: false))
    try await scene.service.receive(body: Array(#"{"signedPayload":"\#(token)"}"#.utf8))
    #expect(try await scene.waiting() == 1)
    try await AccountEraser(scene.service.context).erase("alice")
    #expect(try await scene.waiting() == 0)
  }

  @Test("so is one that no store can hold")
  func erasedUnstorable() async throws {
    let scene = try await Scene()
    let purchase = try await scene.here.scene.linked()
    let body = try scene.body(purchase) { $0.productID = "reader\u{0}monthly" }
    await #expect(throws: StorageFailure.self) { try await scene.service.receive(body: body) }
    #expect(try await scene.waiting() == 1)
    try await AccountEraser(scene.service.context).erase("alice")
    #expect(try await scene.waiting() == 0)
  }

  @Test("so is one of Google's")
  func erasedOfGoogle() async throws {
    let scene = try await PlayScene()
    let target = try ForwardTarget("staging", url: "https://staging.example.org/webhook/google")
    var notifications = scene.notifications
    notifications.forwards = [target]
    for user in ["u-1", "u-2"] {
      _ = try await scene.order(
        try scene.play.subscribe("basic_monthly", by: user), by: AccountID(stored: user))
    }
    _ = try await scene.play.deliverPushes(by: PushReceiver(notifications: notifications))
    func waiting() async throws -> Int {
      try await scene.orders.store.read {
        try await $0.outbox.waiting(inLine: target.line, limit: 100)
      }
    }
    let before = try await waiting()
    try await AccountEraser(notifications.context).erase("u-1")
    #expect(try await waiting() * 2 == before && before > 0)
  }

  @Test("a push of Google's is forwarded without its token, which is made for this server")
  func google() async throws {
    let scene = try await PlayScene()
    var target = try ForwardTarget("staging", url: "https://staging.example.org/webhook/google")
    target.vendors = [.google]
    var sandbox = try ForwardTarget("sandbox", url: "https://sandbox.example.org/webhook/google")
    sandbox.environments = [.sandbox]
    var notifications = scene.notifications
    notifications.forwards = [target, sandbox]
    _ = try scene.play.buy("gold_theme")
    let pushed = RecordedPushes(base: PushReceiver(notifications: notifications))
    _ = try await scene.play.deliverPushes(by: pushed)
    let receiver = SecondServer()
    let forwarders = [target, sandbox].map {
      NotificationForwarder(
        notifications.context, to: $0, transport: receiver, clock: ManualClock(), chance: { 0 })
    }
    for forwarder in forwarders { _ = try await forwarder.deliverDue() }
    #expect(!receiver.requests.isEmpty)
    #expect(receiver.requests.map(\.body) == pushed.bodies)
    #expect(receiver.requests.allSatisfy { $0.headers[.authorization] == nil })
    #expect(receiver.requests.allSatisfy { $0.url == target.url })
  }
}

@Suite("The target of a forwarding")
struct ForwardTargetTests {
  @Test("a name or an address that has not its form is refused")
  func refused() {
    #expect(throws: WebhookEndpointFailure.nameInvalid) {
      try ForwardTarget("a b", url: "https://staging.example.org/")
    }
    #expect(throws: WebhookEndpointFailure.urlInvalid) {
      try ForwardTarget("staging", url: "http://staging.example.org/")
    }
    #expect(throws: Never.self) {
      try ForwardTarget("staging", url: "http://staging.example.org/", allowsHTTP: true)
    }
  }

  @Test("a message is printed without its body")
  func mirror() {
    var message = OutboxMessage(
      kind: .forward("staging"), originalTransactionID: "0", reference: "v2:u-1")
    message.body = "secret"
    var text = ""
    dump(message, to: &text)
    #expect(!text.contains("secret") && !"\(message)".contains("secret"))
  }
}

/// A store none of whose units of work is committed.
private struct UndoingStore: PurchaseStore {
  let base: any PurchaseStore

  var capabilities: Set<StoreCapability> { base.capabilities }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.read(body)
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.write { unit in
      _ = try await body(unit)
      throw BrokenConnection()
    }
  }
}

/// A second server, which works on what is forwarded to it, or answers with a status.
private final class SecondServer: HTTPTransport {
  private struct State {
    var notifications: NotificationService?
    var status: Int?
    var retryAfter: String?
    var requests: [HTTPRequestMessage] = []
  }

  private let state = Locked(State())

  var notifications: NotificationService? {
    get { state.withLock { $0.notifications } }
    set { state.withLock { $0.notifications = newValue } }
  }
  /// The status of every answer; nil to work on the notification.
  var status: Int? {
    get { state.withLock { $0.status } }
    set { state.withLock { $0.status = newValue } }
  }
  var retryAfter: String? {
    get { state.withLock { $0.retryAfter } }
    set { state.withLock { $0.retryAfter = newValue } }
  }
  var requests: [HTTPRequestMessage] { state.withLock { $0.requests } }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let (notifications, status, pause) = state.withLock { state in
      state.requests.append(request)
      return (state.notifications, state.status, state.retryAfter)
    }
    if let status {
      var response = HTTPResponseMessage(status: HTTPStatusCode(status))
      if let pause { try response.headers.set(pause, for: .retryAfter) }
      return response
    }
    try await notifications?.receive(
      body: request.body, isForwarded: request.headers[NotificationForwarder.header] != nil)
    return HTTPResponseMessage(status: .ok)
  }
}

/// The bodies of pushes that a server took.
private final class RecordedPushes: HTTPTransport {
  private let base: PushReceiver
  private let taken = Locked<[[UInt8]]>([])

  init(base: PushReceiver) { self.base = base }

  var bodies: [[UInt8]] { taken.withLock { $0 } }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let response = try await base.send(request)
    if response.status.isSuccess { taken.withLock { $0.append(request.body) } }
    return response
  }
}
