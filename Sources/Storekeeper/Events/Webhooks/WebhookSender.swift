public import HTTPMessages
internal import JSONValues
public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The sender of events to one endpoint, after Standard Webhooks 1.0.
///
/// ```swift
/// let endpoint = try WebhookEndpoint(
///   "billing", url: "https://billing.example.org/events", keys: [WebhookSigningKey(secret)])
/// let sender = WebhookSender(
///   shop, to: endpoint, transport: CurlHTTPTransport(addresses: .publicOnly))
/// await BackgroundWork(shop, [.webhooks(sender), .outbox(delivery)]).run()
/// ```
///
/// Each endpoint has its place in the ``EventLog``. From there events go to the outbox, as messages of a line of its
/// own (``WebhookEndpoint/line``), so that a slow or dead endpoint keeps neither others nor e-mails waiting. Events of
/// one account arrive in their order: a later one waits while an earlier one is tried again, until that is parked.
/// Those of different accounts are sent at the same time.
///
/// An answer from 200 to 299 takes an event; every other one fails, also a redirect. 410 disables the endpoint, which
/// the store remembers, until ``enable()``. 429, 502, 504 and `Retry-After` hold all its events back for a time. A
/// failed event is tried again after ``schedule``, and parked after the last attempt, for as long as the log keeps
/// events: for that the tools of the outbox are at hand (``/PurchaseStorage/OutboxRepository/sendAgain(_:)``). When an
/// event is taken that had failed, the others that had failed are tried in between, which counts as no attempt. Any
/// number of processes may send; all that they know is in the store.
public struct WebhookSender: OutboxHandler {
  public let endpoint: WebhookEndpoint
  /// The log whose events are sent.
  public let log: EventLog
  /// The pauses before the second attempt and those after it, where the first attempt is made at once.
  ///
  /// By default they are 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours.
  public var schedule = EndpointLine.schedule
  /// The number of accounts whose events are sent at the same time; 16 by default.
  public var concurrency = 16
  /// The number of events that wait in the outbox at most, 10,000 by default; those after them wait in the log.
  ///
  /// While so many wait, ``concurrency`` of them are tried every 10 minutes, whatever their pause is.
  public var window = 10_000

  private let line: EndpointLine

  /// The greatest size of a body in bytes.
  ///
  /// Source: Standard Webhooks 1.0, "Payload size".
  static let bodyLimit = 20_000

  /// Creates a sender.
  ///
  /// The transport decides which addresses it connects with; those of private networks it should refuse, unless the
  /// receiver is in one. It must not follow redirects. `chance` returns a random number from 0 up to 1, which makes
  /// pauses up to a tenth longer.
  public init(
    _ context: PurchaseContext, to endpoint: WebhookEndpoint, transport: any HTTPTransport,
    clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.endpoint = endpoint
    log = EventLog(context, clock: clock)
    line = EndpointLine(
      context: context, kind: endpoint.line, timeout: endpoint.timeout,
      transport: transport, clock: clock, chance: chance)
  }

  private var store: any PurchaseStore { log.context.store }

  /// The line of the endpoint.
  public var kinds: Set<OutboxMessage.Kind>? { [endpoint.line] }

  // MARK: Deliver

  /// Begins the place of a new endpoint at the end of the log; where there is a place, nothing changes.
  ///
  /// Call it before the host takes requests, so that the endpoint hears of what they change. Otherwise a new endpoint
  /// hears of what happens after its first ``deliverDue()``.
  ///
  /// - Throws: An error of the store.
  public func keepPlace() async throws {
    try await log.order()
    let name = endpoint.name
    _ = try await store.write { try await $0.events.hold(name) }
  }

  /// Hands new events over to the outbox, sends all that are due, and removes what has been parked for too long.
  ///
  /// - Throws: An error of the store, or `CancellationError`.
  public func deliverDue() async throws -> OutboxDelivery.Report {
    var report = OutboxDelivery.Report()
    while !Task.isCancelled {
      let handedOver = try await handOver()
      if handedOver == .isFull { try await line.probe(max(1, concurrency)) }
      let sent = try await line.deliverDue(by: self, concurrency: concurrency) {
        _ = try await handOver()
      }
      if let sent { report.add(sent) }
      // Also a page without an event that the endpoint wants is one.
      guard handedOver == .page || sent.map({ $0.delivered + $0.parked > 0 }) ?? false else {
        break
      }
    }
    try await line.removeParked(for: log.retention, after: report)
    return report
  }

  /// The outcome of a step from the log to the outbox.
  private enum Handover: Sendable {
    /// There may be more at once.
    case page
    case rest
    /// There are events for which the outbox has no room.
    case isFull
  }

  /// Hands the next events over to the outbox.
  private func handOver() async throws -> Handover {
    try await log.order()
    let (reader, end) = try await store.read {
      (try await $0.events.reader(self.endpoint.name), try await $0.events.lastPosition())
    }
    guard reader.map({ $0.disabledDate == nil && $0.position < end }) ?? true else { return .rest }
    let (endpoint, window, now) = (endpoint, window, log.context.now())
    let log = log
    return try await store.write { unit in
      var reader = try await unit.events.hold(endpoint.name)
      let waiting = try await unit.outbox.waiting(inLine: endpoint.line, limit: window)
      let room = min(EventLog.pageLength, window - waiting)
      guard reader.disabledDate == nil else { return .rest }
      guard room > 0 else { return .isFull }
      let events = try await unit.events.events(after: reader.position, limit: room)
      guard let last = events.last else { return .rest }
      for event in events.compactMap(log.event) where endpoint.wants(event) {
        try await unit.outbox.add(OutboxMessage(event, to: endpoint), now: now)
      }
      reader.position = last.position
      try await unit.events.save(reader)
      return events.count == EventLog.pageLength ? .page : .rest
    }
  }

  /// Sends the events after a position up to another one again, under the same identifiers; returns their number.
  ///
  /// They are put behind those that wait. Those that the endpoint does not want are left out, as at first.
  ///
  /// - Throws: An error of the store.
  @discardableResult
  public func replay(after position: Int, through end: Int) async throws -> Int {
    let (endpoint, now, log) = (endpoint, log.context.now(), log)
    var (place, count) = (position, 0)
    while place < end, !Task.isCancelled {
      let start = place
      let (added, last) = try await store.write { unit in
        _ = try await unit.events.hold(endpoint.name)
        let stored = try await unit.events.events(after: start, limit: EventLog.pageLength)
          .filter { $0.position <= end }
        let wanted = stored.compactMap(log.event).filter(endpoint.wants)
        for event in wanted {
          try await unit.outbox.add(OutboxMessage(event, to: endpoint), now: now)
        }
        return (wanted.count, stored.last?.position)
      }
      count += added
      guard let last else { break }
      place = last
    }
    return count
  }

  /// Has an endpoint that was disabled get events again, from where it stopped, those that had failed at once.
  ///
  /// - Throws: An error of the store.
  public func enable() async throws { try await line.enable() }

  /// Returns whether the endpoint answered 410, and gets nothing until ``enable()``.
  ///
  /// - Throws: An error of the store.
  public func isDisabled() async throws -> Bool { try await line.isDisabled() }
}

extension WebhookSender {
  /// Sends an event once.
  ///
  /// - Throws: ``WebhookDeliveryFailure``, an error of the store, or `CancellationError`.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    let position = Int(message.originalTransactionID) ?? 0
    let (reader, stored) = try await store.read {
      (
        try await $0.events.reader(endpoint.name), try await $0.events.event(at: position)
      )
    }
    let now = log.context.now()
    try EndpointLine.check(reader, at: now)
    guard let stored, let event = log.event(stored), let body = stored.event.body else {
      throw WebhookDeliveryFailure.eventRemoved
    }
    guard body.count < Self.bodyLimit else { throw WebhookDeliveryFailure.eventTooLarge }
    try await line.send(try request(with: body, of: event.id, at: now), at: now)
  }

  private func request(
    with body: [UInt8], of id: String, at now: Date
  ) throws -> HTTPRequestMessage {
    let timestamp = String(StoredMoment.seconds(now))
    let message = WebhookHeader.signedMessage(id: id, timestamp: timestamp, body: body)
    var headers: HTTPHeaders = [:]
    try headers.set("application/json", for: .contentType)
    try headers.set(id, for: WebhookHeader.id)
    try headers.set(timestamp, for: WebhookHeader.timestamp)
    try headers.set(
      endpoint.keys.map { try $0.signature(of: message) }.joined(separator: " "),
      for: WebhookHeader.signature)
    return HTTPRequestMessage(
      method: .post, url: endpoint.url, headers: headers, body: body, timeout: endpoint.timeout,
      responseLimit: 64 << 10)
  }

  /// Returns the pause of the schedule after a failed attempt, or that the event is parked after the last one.
  public func disposition(after error: any Error, failures: Int) -> OutboxDisposition? {
    line.disposition(after: error, failures: failures, schedule)
  }
}

/// The reason why an event was not taken.
@nonexhaustive
public enum WebhookDeliveryFailure: OutboxFailure, Hashable, Sendable {
  /// The endpoint answered with a status that takes no event.
  case refused(status: Int)
  /// There was no answer.
  case notAnswered(HTTPTransportFailure.Reason)
  /// The endpoint is disabled.
  case disabled
  /// The endpoint asked for a pause.
  case heldBack(for: Duration)
  /// The event is no longer kept.
  case eventRemoved
  /// The event has more than 20 kB.
  case eventTooLarge

  /// What becomes of the event.
  public var disposition: OutboxDisposition {
    switch self {
    case .refused, .notAnswered: .retry
    case .disabled: .postpone(.seconds(60))
    case .heldBack(let pause): .postpone(pause)
    case .eventRemoved: .park(ParkingReason(.eventRemoved))
    case .eventTooLarge: .park(ParkingReason(.eventTooLarge))
    }
  }

  /// A code for whoever looks after parked events.
  var detail: String? {
    switch self {
    case .refused(let status): "\(status)"
    case .notAnswered(let reason): "\(reason)"
    default: nil
    }
  }
}

extension WebhookDeliveryFailure: PrintableFailure, CustomStringConvertible {
  /// The case with its code, which is no secret.
  public var description: String {
    switch self {
    case .refused(let status): "refused with \(status)"
    case .notAnswered(let reason): "not answered: \(reason)"
    case .disabled: "the endpoint is disabled"
    case .heldBack: "the endpoint asked for a pause"
    case .eventRemoved: "the event is no longer kept"
    case .eventTooLarge: "the event is too large"
    }
  }
}

extension OutboxMessage {
  fileprivate init(_ event: PurchaseEvent, to endpoint: WebhookEndpoint) {
    self.init(
      kind: endpoint.line, account: event.account.map { Account(id: $0) },
      originalTransactionID: String(event.position ?? 0), reference: event.id)
  }
}

extension BackgroundJob {
  /// The sending of events to an endpoint, every second unless told otherwise.
  public static func webhooks(
    _ sender: WebhookSender, every interval: Duration = .seconds(1),
    then note: @escaping @Sendable (OutboxDelivery.Report) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("webhooks to \(sender.endpoint.name)", every: interval) {
      note(try await sender.deliverDue())
    }
  }
}
