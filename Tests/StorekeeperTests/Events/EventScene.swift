import Foundation
import HTTPMessages
import StorekeeperLocks
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperTesting
import Testing

/// Runs a test whose services write events.
func tellingEvents(
  _ body: nonisolated(nonsending) () async throws -> Void
) async throws {
  try await StoreScope.$recordsEvents.withValue(true) { try await body() }
}

/// The events in a store, in their order.
func events(in store: any PurchaseStore) async throws -> [PurchaseEvent] {
  let context = PurchaseContext(store: store, accounts: UnlistedAccounts(), report: { _ in })
  return try await EventLog(context).events(after: 0, limit: 1000)
}

extension [PurchaseEvent] {
  /// The types, each with its account.
  var told: [String] { map { "\($0.kind.rawValue) \($0.account?.rawValue ?? "-")" } }
}

/// An endpoint of a host, with a store and a receiver that a test scripts.
struct WebhookScene: Sendable {
  static let url = "https://billing.example.org/events"
  static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  let store: any PurchaseStore
  let receiver = TestReceiver()
  let time = SharedTime(Date(timeIntervalSince1970: 1_700_000_000))
  let incidents = Incidents()

  init() async throws { store = try await StoreScope.emptyStore() }

  var context: PurchaseContext {
    let (time, incidents) = (time, incidents)
    return PurchaseContext(
      store: store, accounts: UnlistedAccounts(), now: { time.now },
      report: { incidents.add($0) })
  }

  /// A sender, as a process makes one when it starts; the place of the endpoint is in the store.
  ///
  /// Its clock stands still, so that no attempt takes too long on a busy machine.
  func sender(
    _ name: String = "billing", kinds: Set<PurchaseEvent.Kind>? = nil,
    transport: (any HTTPTransport)? = nil, clock: any Clock<Duration> = ManualClock(),
    chance: @escaping @Sendable () -> Double = { 0 }
  ) throws -> WebhookSender {
    let endpoint = try WebhookEndpoint(
      name, url: Self.url + (name == "billing" ? "" : "/" + name),
      keys: [WebhookSigningKey(Self.secret)], kinds: kinds)
    return WebhookSender(
      context, to: endpoint, transport: transport ?? receiver, clock: clock, chance: chance)
  }

  /// Begins the log, so that an endpoint that is made afterwards hears of all.
  func begin(_ senders: WebhookSender...) async throws {
    for sender in senders { _ = try await sender.deliverDue() }
  }

  /// Writes an event of a booking, as a unit of work of its own.
  @discardableResult
  func tell(
    _ amount: Int, of account: String?, _ kind: PurchaseEvent.Kind = .creditsBooked
  ) async throws -> String {
    let event = PurchaseEvent(
      id: "evt_\(UUID().uuidString.lowercased())", kind: kind,
      account: account.map { AccountID(stored: $0) },
      date: time.now,
      details: .credits(
        CreditChange(
          amount: amount, balance: amount, entryID: "e\(amount)", changeType: "bonus",
          subjectType: "host", subjectID: "1")))
    let record = event.record
    try await store.write { try await $0.events.add(record) }
    return event.id
  }

  func pass(_ seconds: Double) { time.now += seconds }

  func waiting(_ name: String = "billing") async throws -> Int {
    try await store.read {
      try await $0.outbox.waiting(inLine: .webhook(name), limit: 100_000)
    }
  }

  func parked() async throws -> [ParkedMessage] {
    try await store.read { try await $0.outbox.parked(after: 0, limit: 100) }
  }
}

/// A receiver of webhooks, whose answers a test scripts; it verifies what it gets.
final class TestReceiver: HTTPTransport {
  typealias Answer = @Sendable (PurchaseEvent) async throws -> HTTPResponseMessage

  private struct State {
    var answer: Answer = { _ in HTTPResponseMessage(status: .ok) }
    var requests: [HTTPRequestMessage] = []
    var taken: [PurchaseEvent] = []
  }

  private let state = Locked(State())

  /// Answers all that comes from now on.
  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

  /// Answers all with a status.
  func answer(_ status: Int, retryAfter: String? = nil) {
    answer { _ in
      var response = HTTPResponseMessage(status: HTTPStatusCode(status))
      if let retryAfter { try response.headers.set(retryAfter, for: .retryAfter) }
      return response
    }
  }

  var requests: [HTTPRequestMessage] { state.withLock { $0.requests } }

  /// The events that were taken with 2xx, in their order.
  var taken: [PurchaseEvent] { state.withLock { $0.taken } }

  /// The amounts of the bookings that were taken, for an account.
  func amounts(of account: String? = nil) -> [Int] {
    taken.filter { account == nil || $0.account?.rawValue == account }.compactMap(\.amount)
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answer
    }
    let seconds = Double(request.headers["webhook-timestamp"] ?? "") ?? 0
    let event = try WebhookVerifier(keys: [WebhookScene.secret]).event(
      body: request.body, headers: request.headers, at: Date(timeIntervalSince1970: seconds))
    let response = try await answer(event)
    if response.status.isSuccess { state.withLock { $0.taken.append(event) } }
    return response
  }
}

extension PurchaseEvent {
  /// The amount of a booking.
  var amount: Int? {
    if case .credits(let change) = details { change.amount } else { nil }
  }
}
