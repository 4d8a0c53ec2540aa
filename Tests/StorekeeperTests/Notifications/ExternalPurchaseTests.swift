import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A host that knows after some days what was bought with a token.
private final class Reporter: ExternalPurchaseReporter {
  private let known: @Sendable (ReportedToken) -> ExternalPurchaseReportContent?
  private let asked = Locked<[ReportedToken]>([])

  init(_ known: @escaping @Sendable (ReportedToken) -> ExternalPurchaseReportContent?) {
    self.known = known
  }

  var tokens: [ReportedToken] { asked.withLock { $0 } }

  func report(about token: ReportedToken) async throws -> ExternalPurchaseReportContent? {
    asked.withLock { $0.append(token) }
    return known(token)
  }
}

extension ServerScene {
  /// What Apple sends about a token.
  fileprivate func notification(
    _ id: String, _ subtype: NotificationSubtype, created: Date
  ) throws -> String {
    var token = ExternalPurchaseToken()
    token.externalPurchaseID = id
    token.bundleID = ServiceScene.bundleID
    token.appAppleID = appStore.appAppleID
    token.tokenCreationDate = created
    var notification = ServerNotification()
    notification.notificationType = .externalPurchaseToken
    notification.subtype = subtype
    notification.notificationUUID = UUID().uuidString
    notification.version = "2.0"
    notification.signedDate = appStore.now
    notification.externalPurchaseToken = token
    return try appStore.signedDataAuthority.sign(notification)
  }

  fileprivate func delivery(_ reporter: Reporter) -> OutboxDelivery {
    let appStore = appStore
    return OutboxDelivery(
      store: store,
      handler: ExternalPurchaseDelivery(
        appStore: client, reporter: reporter, now: { appStore.now }),
      now: { appStore.now }, report: { _ in })
  }
}

@Suite("Reports of external purchases", .onEveryStore)
struct ExternalPurchaseTests {
  private func item() throws -> ExternalPurchaseLineItem {
    try ExternalPurchaseLineItem(
      json: JSONValue(
        parsing: Array(
          #"""
          {"lineItemId":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","creationDate":1706047472367,
           "eventType":"BUY","productType":"ONE_TIME_BUY","productIdentifier":"book","quantity":1,
           "pricingCurrency":"EUR","reportingCurrency":"EUR","taxCountry":"DE",
           "amountTaxInclusive":10000,"amountTaxExclusive":8000,"taxAmount":2000,
           "netAmountTaxExclusive":8000}
          """#.utf8)))
  }

  /// A way to Apple on which the answers are lost for a while.
  private final class Line: HTTPTransport {
    private let isLosing = Locked(true)
    private let bodies = Locked<[[UInt8]]>([])
    let base: AppStoreSimulator

    init(_ base: AppStoreSimulator) { self.base = base }

    var sent: [[UInt8]] { bodies.withLock { $0 } }

    func mend() { isLosing.withLock { $0 = false } }

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      if request.method == .put { bodies.withLock { $0.append(request.body) } }
      let response = try await base.send(request)
      if isLosing.withLock({ $0 }) { throw HTTPTransportFailure(.interrupted) }
      return response
    }
  }

  @Test("a report whose answer was lost is sent again as it was, and is the only one")
  func lostAnswer() async throws {
    let scene = try await ServerScene()
    var service = scene.notifications
    service.events = NotificationService.hostEvents
    let (appStore, line) = (scene.appStore, Line(scene.appStore))
    let client = try ServerScene.client(of: appStore, line, scene.scene.verifier())
    try await service.receive(
      signedPayload: scene.notification("b2158121", .unreported, created: appStore.now))
    let delivery = OutboxDelivery(
      store: scene.store,
      handler: ExternalPurchaseDelivery(
        appStore: client, reporter: Reporter { _ in .noLineItem }, now: { appStore.now }),
      now: { appStore.now }, report: { _ in })
    #expect(try await delivery.deliverDue().failed == 1)
    #expect(appStore.externalPurchaseReports.count == 1)
    line.mend()
    appStore.clock.advance(by: .seconds(600))
    #expect(try await delivery.deliverDue().delivered == 1)
    #expect(appStore.externalPurchaseReports.count == 1)
    #expect(line.sent.count >= 2)
    #expect(Set(line.sent).count == 1)
  }

  @Test("a token is reported once, with the host's items")
  func reported() async throws {
    let scene = try await ServerScene()
    var service = scene.notifications
    service.events = NotificationService.hostEvents
    let items = [try item()]
    let reporter = Reporter { _ in .lineItems(items) }
    let token = try scene.notification("b2158121", .unreported, created: scene.appStore.now)
    for _ in 0..<2 { try await service.receive(signedPayload: token) }
    let delivery = scene.delivery(reporter)
    #expect(try await delivery.deliverDue().delivered == 1)
    #expect(try await delivery.deliverDue().delivered == 0)
    #expect(reporter.tokens.map(\.externalPurchaseID) == ["b2158121"])
    #expect(reporter.tokens.map(\.cause) == [.unreported])
    let reports = scene.appStore.externalPurchaseReports
    #expect(reports.map { $0["externalPurchaseId"] } == [.string("b2158121")])
    #expect(reports.map { $0["status"] } == [.string("LINE_ITEM")])
  }

  /// Apple's answer to every report: one item is newer than the one that it refers to.
  private struct Refusal: HTTPTransport {
    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      HTTPResponseMessage(
        status: .badRequest, headers: [.contentType: "application/json"],
        body: Array(
          #"{"errors":[{"errorCode":31,"errorMessage":"newer","fieldName":"referenceLineItemId"}]}"#
            .utf8))
    }
  }

  @Test(
    "a fault of a report parks its message, and names the member, whoever found it",
    arguments: [(true, "taxAmount"), (false, "referenceLineItemId, error 31")])
  func faulty(isOurs: Bool, detail: String) async throws {
    let scene = try await ServerScene(transport: isOurs ? nil : Refusal())
    var service = scene.notifications
    service.events = NotificationService.hostEvents
    var wrong = try item()
    if isOurs { wrong.taxAmount = 1 }
    let items = [wrong]
    try await service.receive(
      signedPayload: scene.notification("b2158121", .unreported, created: scene.appStore.now))
    let report = try await scene.delivery(Reporter { _ in .lineItems(items) }).deliverDue()
    #expect(report.parked == 1)
    let parked = try await scene.store.read { try await $0.outbox.parked(after: 0, limit: 10) }
    #expect(parked.map(\.reason.cause) == [.reportRefused])
    #expect(parked.first?.reason.detail?.contains(detail) == true)
  }
}

@Suite("A year of external purchases")
struct ExternalPurchaseYearTests {
  @Test("in a year no token stays unreported, and of those told of in time Apple never has to ask")
  func year() async throws {
    let scene = try await ServerScene(store: InMemoryPurchaseStore())
    var service = scene.notifications
    service.events = NotificationService.hostEvents
    let appStore = scene.appStore
    let start = appStore.now
    // The host knows three days after a token was made, in every fifth case after twelve.
    let made = Locked<[String: Date]>([:])
    let reporter = Reporter { token in
      let date = made.withLock { $0[token.externalPurchaseID] } ?? start
      let isSlow =
        token.externalPurchaseID.hasSuffix("5") || token.externalPurchaseID.hasSuffix("0")
      let known = date.addingTimeInterval((isSlow ? 12 : 3) * 86_400)
      return appStore.now < known ? nil : .noLineItem
    }
    let delivery = scene.delivery(reporter)
    var askedFor: Set<String> = []
    for day in 0..<365 {
      if day < 350 {
        let id = "token-\(day)"
        made.withLock { $0[id] = appStore.now }
        try await service.receive(
          signedPayload: scene.notification(id, .created, created: appStore.now))
      }
      for _ in 0..<4 {
        _ = try await delivery.deliverDue()
        appStore.clock.advance(by: .seconds(6 * 3600))
      }
      let reported = Set(
        appStore.externalPurchaseReports.compactMap { report in
          if case .string(let id)? = report["externalPurchaseId"] { id } else { nil as String? }
        })
      // Apple asks for what it does not have ten days after.
      for (id, date) in made.withLock({ $0 })
      where appStore.now >= date.addingTimeInterval(10 * 86_400) && !reported.contains(id)
        && askedFor.insert(id).inserted
      {
        try await service.receive(
          signedPayload: scene.notification(id, .unreported, created: date))
      }
    }
    let reports = appStore.externalPurchaseReports
    #expect(reports.count == 350)
    #expect(askedFor.count == 70)
  }
}
