import Foundation
import InMemoryStorage
import StorekeeperHTTP
import StorekeeperLocks
import StorekeeperSimulatorControl
import Storekeeper
import StorekeeperTesting
import Testing

/// The simulator on one side, a service on the other, and HTTP messages between them.
@Suite("A service with the App Store simulator instead of Apple")
struct WholeSystemTests {
  @Test(
    "follows the actions of the page", arguments: [NotificationVersions.v1, .v2, .both],
    ["Production", "Sandbox"])
  func story(versions: NotificationVersions, environment: String) async throws {
    let system = try await System(versions: versions)
    let whom = #""customer":"phone","environment":"\#(environment)""#
    let bought = try await system.scene.order("buy", #"{\#(whom),"product":"reader.monthly"}"#)
    #expect(bought["notifications"]?.list.allSatisfy { $0["state"] == .string("accepted") } == true)
    let id = try #require(bought["subscription"]?["originalTransactionId"]?.text)
    _ = try await system.subscriptions.link("alice", to: id)
    #expect(try await system.expireDate() == CalendarDay("2023-12-14"))

    _ = try await system.scene.order("renew", "{\(whom)}")
    #expect(try await system.expireDate() == CalendarDay("2024-01-13"))

    _ = try await system.scene.order("upgrade", #"{\#(whom),"product":"reader.premium"}"#)
    #expect(try await system.expireDate() == CalendarDay("2024-11-13"))
    #expect(try await system.membership()?.tier == .premium)

    _ = try await system.scene.order("advance", #"{"days":10}"#)
    let refunded = try await system.scene.order("refund", "{\(whom)}")
    #expect(
      refunded["notifications"]?.list.allSatisfy { $0["state"] == .string("accepted") } == true)
    let last = try await system.membership()
    #expect(last?.autoRenew == false)
    if versions == .v2 {
      // Version 2 does not report that the first charges were replaced; an answer of Apple does.
      let path = "/control/receipt?customer=phone&environment=\(environment)"
      let receipt = try JSONValue(parsing: await system.scene.send(.get, path).body)
      _ = try await system.subscriptions.verify(receipt: #require(receipt["receipt"]?.text))
    }
    #expect(try await system.expireDate() == CalendarDay("2023-11-24"))
  }

  /// The service, with the transports in both directions.
  private struct System {
    let scene: ControlScene
    let subscriptions: SubscriptionService
    let store = InMemoryPurchaseStore()
    /// The receiver is a reference to break a cycle: service, simulator, webhook.
    private let receiver = Receiver()

    init(versions: NotificationVersions) async throws {
      let scene = try ControlScene(
        versions: versions,
        webhook: Webhook { [weak receiver] in try await #require(receiver).receive($0) })
      self.scene = scene
      var configuration = VerifyReceiptClient.Configuration.subscriptionService
      configuration.environments = [.production, .sandbox]
      configuration.clock = ManualClock()
      var options = LinkOptions()
      options.allowedEnvironments = [.production, .sandbox]
      let plans = ProductMap([
        "reader.monthly": Plan(tier: .standard, cycle: .month),
        "reader.premium": Plan(tier: .premium, cycle: .year),
      ])
      let now: @Sendable () -> Date = { ControlScene.start + 10 * 86_400 }
      subscriptions = try SubscriptionService(
        PurchaseContext(
          store: store, accounts: InMemoryAccountDirectory([Account(id: "alice")]), now: now),
        products: plans,
        appStore: try VerifyReceiptClient(
          transport: Road(service: scene.service), bundleIDs: ["com.example.reader"],
          sharedSecret: AppSharedSecret("0123456789abcdef0123456789abcdef"),
          configuration: configuration), options: options)
      let root = await scene.send(.get, "/root.der").body
      receiver.service.withLock { [subscriptions] service in
        service = try? NotificationService(
          subscriptions.context.with(
            verifier: SignedDataVerifier(
              apps: [App(bundleID: "com.example.reader", appAppleID: 1_234_567_890)],
              environments: [.production, .sandbox],
              trustAnchors: [TrustAnchor(certificate: root)], now: now)),
          subscriptions: subscriptions,
          passwords: [AppSharedSecret("0123456789abcdef0123456789abcdef")])
      }
    }

    func membership() async throws -> Membership? {
      try await store.read { records in
        try await records.memberships.find(
          account: Account(id: "alice"), appleSubscriptionIDs: []
        ).first
      }
    }

    func expireDate() async throws -> CalendarDay? { try await membership()?.expireDate }
  }

  /// The webhook of the service, which is made later.
  private final class Receiver: Sendable {
    let service = Locked<NotificationService?>(nil)

    func receive(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      let service = try #require(service.withLock { $0 })
      do {
        try await service.receive(body: request.body)
        return HTTPResponseMessage(status: .ok)
      } catch let failure as NotificationFailure {
        return HTTPResponseMessage(status: HTTPStatusCode(failure.answer.status))
      }
    }
  }

  /// A transport that sends Apple's requests to the simulator.
  private struct Road: HTTPTransport {
    let service: SimulatorService

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      var request = request
      request.url =
        request.url == VerifyReceiptServer.production.url
        ? "/production/verifyReceipt" : "/sandbox/verifyReceipt"
      return await service.respond(to: request)
    }
  }
}
