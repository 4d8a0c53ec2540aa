import Foundation
import InMemoryStorage
import StoreSimulators
import StorekeeperLocks
import StorekeeperTesting
import Testing

@testable import Storekeeper

@Suite("incidents without a report")
struct IncidentLogTests {
  private final class Lines: Sendable {
    private let lines = Locked<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// An error of a host, whose text nobody may log.
  private struct HostError: Error, CustomStringConvertible {
    var description: String { "the password is hunter2" }
  }

  private let clock = ManualClock()
  private let lines = Lines()
  private let log: IncidentLog

  init() {
    let lines = lines
    log = IncidentLog(clock: clock) { lines.add($0) }
  }

  @Test("one line for each kind and minute, then the number of the others")
  func oneLineAMinute() {
    for _ in 0..<3 { log.note(.refreshFailed("verification")) }
    log.note(.consumptionMissed(.google))
    #expect(
      lines.all == [
        "storekeeper: a refresh failed: verification",
        "storekeeper: a question about a refund was not answered in time: google",
      ])

    clock.advance(by: .seconds(59))
    log.note(.refreshFailed("storage"))
    #expect(lines.all.count == 2)

    clock.advance(by: .seconds(1))
    log.note(.refreshFailed("storage"))
    log.note(.consumptionMissed(.google))
    #expect(
      lines.all.dropFirst(2) == [
        "storekeeper: a refresh failed: storage (and 3 more since the last line)",
        "storekeeper: a question about a refund was not answered in time: google",
      ])
  }

  @Test("an error of the host is named by its type alone")
  func errorOfHost() {
    log.note(.sourceFailed(HostError(), of: PurchaseScope(vendor: .apple, appID: "a.b")))
    log.note(.deliveryFailed(HostError()))
    log.note(.receiptCacheUnreadable(HostError()))
    clock.advance(by: .seconds(60))
    log.note(.deliveryFailed(HostError(), of: .webhook("billing"), number: 7))
    #expect(
      lines.all == [
        "storekeeper: a source failed: apple, a.b: HostError",
        "storekeeper: a message was not delivered: HostError",
        "storekeeper: a receipt cache is unreadable: HostError",
        "storekeeper: a message was not delivered: webhook:billing, number 7: HostError",
      ])
  }

  @Test("a text from elsewhere stays on its line")
  func controlCharacters() {
    log.note(.notificationNotDecoded("data.x\nstorekeeper: forged\u{1B}[2J\u{2028}"))
    #expect(
      lines.all == [
        "storekeeper: a notification was not decoded: data.x?storekeeper: forged?[2J?"
      ])
    log.note(.refreshFailed(String(repeating: "x", count: 5000)))
    #expect(lines.all.last?.count == 1000)
  }

  @Test("a parked message is named by its number and cause, without the words of the mail server")
  func parkedMessage() {
    log.note(
      .messageParked(
        ParkingReason(.recipientRefused, detail: "550 5.1.1 ann@example.com"), number: 7))
    #expect(lines.all == ["storekeeper: a message was parked: number 7, recipient_refused"])
  }

  @Test("incidents of many threads at once are all counted")
  func threads() async {
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { [log] in log.note(.consumptionMissed(.google)) } }
    }
    clock.advance(by: .seconds(60))
    log.note(.consumptionMissed(.google))
    #expect(
      lines.all == [
        "storekeeper: a question about a refund was not answered in time: google",
        "storekeeper: a question about a refund was not answered in time: google (and 99 more since the last line)",
      ])
  }

  @Test("a service without a report tells standard error why its refreshes fail")
  func standardError() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let start = Date(timeIntervalSince1970: 1_700_000_000)
      let appStore = try AppStoreSimulator(bundleID: "com.example.reader") { $0.start = start }
      let service = try SubscriptionService(
        PurchaseContext(
          store: InMemoryPurchaseStore(), accounts: InMemoryAccountDirectory(),
          sources: [FailingSource()], now: { appStore.now }),
        products: ["reader.monthly": Plan("standard", every: .month)])
      for customer in ["alice", "bob"] {
        let purchase = try appStore.buy("reader.monthly", by: customer)
        let verifier = try SignedDataVerifier(
          apps: [App(bundleID: "com.example.reader", appAppleID: appStore.appAppleID)],
          environments: [.production], trustAnchors: [appStore.signedDataAuthority.trustAnchor],
          now: { appStore.now })
        _ = try await service.record(verifier.transaction(purchase.signedTransactionInfo))
      }
      appStore.clock.advance(by: .days(29))
      let run = try await RefreshJob(subscriptions: service).run()
      guard run.failed == 2 else { throw HostError() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("storekeeper: ") }
    #expect(
      Set(lines) == [
        "storekeeper: a source failed: Production: HostError",
        "storekeeper: a refresh failed: sourceFailed",
      ])
    #expect(lines.count == 2)
  }

  private struct FailingSource: PurchaseSource {
    func facts(about purchase: PurchaseReference) async throws -> PurchaseFacts? {
      throw HostError()
    }
  }
}
