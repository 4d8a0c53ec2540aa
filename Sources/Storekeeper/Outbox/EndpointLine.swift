internal import HTTPMessages
internal import JSONValues
public import PurchaseStorage
public import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The messages to one address of the host: their line in the outbox, the place that the store remembers, and what an
/// answer means.
///
/// Events and forwarded notifications are sent over it.
struct EndpointLine: Sendable {
  let context: PurchaseContext
  let kind: OutboxMessage.Kind
  let timeout: Duration
  let transport: any HTTPTransport
  let clock: any Clock<Duration>
  let chance: @Sendable () -> Double
  private let hastes = HasteTimes()

  /// The pauses before the second attempt and those after it.
  ///
  /// Source: Standard Webhooks 1.0, "Deliverability and reliability".
  static let schedule: [Duration] = [
    .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
    .seconds(36_000), .seconds(50_400), .seconds(72_000), .seconds(86_400),
  ]

  /// The name under which the store remembers whether the address takes anything.
  var name: String { kind.readerName }

  private var store: any PurchaseStore { context.store }

  // MARK: Deliver

  /// Delivers what is due, to so many accounts at the same time, if the address takes something now; returns nil if
  /// nothing is due.
  ///
  /// When a message is taken that had failed, the address is back, and the others that had failed are tried as well: at
  /// once, but every 5 seconds at most in a process. That is an attempt in between, so an address that takes one of many
  /// uses up nobody's attempts. While an attempt takes long, `refill` may put more into the line.
  func deliverDue(
    by handler: any OutboxHandler, concurrency: Int,
    refill: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> OutboxDelivery.Report? {
    try await hastenInTime()
    guard try await isDue() else { return nil }
    let limit = timeout + .seconds(5)
    var delivery = OutboxDelivery(
      store: store, handler: handler, clock: clock, now: context.now, report: context.tell)
    delivery.telemetry = context.telemetry
    delivery.line = OutboxDelivery.Line(
      kind: kind, reader: name, concurrency: max(1, concurrency), wantHaste: hastes.want,
      refill: {
        try await hastenInTime()
        try await refill()
      })
    delivery.handlerLimit = limit
    delivery.leaseDuration = max(.seconds(120), limit * 4)
    return try await delivery.deliverDue()
  }

  /// Has all that had failed be tried in between, if that is worth it now.
  private func hastenInTime() async throws {
    guard hastes.isTime(at: context.now()) else { return }
    do {
      try await hasten(1_000_000)
    } catch {
      hastes.want()
      throw error
    }
  }

  /// Has so many messages be tried every 10 minutes, as nothing new is while the line is full.
  func probe(_ count: Int) async throws {
    if hastes.isTimeToProbe(at: context.now()) { try await hasten(count) }
  }

  /// Whether a message is due, and the address takes some now.
  private func isDue() async throws -> Bool {
    let (now, name, kind) = (context.now(), name, kind)
    let (reader, isDue) = try await store.read {
      (
        try await $0.events.reader(name),
        try await $0.outbox.isDue(inLine: kind, now: now)
      )
    }
    return isDue && !(reader?.holdsBack(at: now) ?? false)
  }

  /// Returns whether the address answered 410, and was not enabled since.
  func isDisabled() async throws -> Bool {
    let name = name
    return try await store.read { try await $0.events.reader(name)?.disabledDate != nil }
  }

  /// Throws if the address takes nothing now.
  static func check(_ reader: EventReader?, at now: Date) throws {
    if reader?.disabledDate != nil { throw WebhookDeliveryFailure.disabled }
    if let resume = reader?.resumeDate, now < resume {
      throw WebhookDeliveryFailure.heldBack(for: .seconds(until: resume, from: now))
    }
  }

  /// Sends a request once, and throws unless it was taken.
  func send(_ request: HTTPRequestMessage, at now: Date) async throws {
    let response: HTTPResponseMessage
    do {
      response = try await transport.send(request)
    } catch let failure as HTTPTransportFailure {
      // A head that says 2xx has taken the message, whatever comes of the body.
      guard let head = failure.response else {
        throw WebhookDeliveryFailure.notAnswered(failure.reason)
      }
      response = head
    }
    try await judge(response, at: now)
  }

  private func judge(_ response: HTTPResponseMessage, at now: Date) async throws {
    let status = response.status.code
    guard !(200...299).contains(status) else { return }
    if status == 410 {
      try await change { $0.disabledDate = $0.disabledDate ?? now }
      context.tell(.endpointDisabled(kind.endpointName))
      throw WebhookDeliveryFailure.disabled
    }
    let told = RetryAfterReader.moment(
      response.headers[.retryAfter], at: now.timeIntervalSince1970
    ).map(Date.init(timeIntervalSince1970:))
    let pause = [429, 502, 504].contains(status) ? now.addingTimeInterval(30) : nil
    if let resume = told ?? pause {
      try await change { $0.resumeDate = max(resume, $0.resumeDate ?? resume) }
      // After the pause, what was to be tried in between still is.
      hastes.want()
    }
    throw WebhookDeliveryFailure.refused(status: status)
  }

  /// Returns the pause of a schedule after a failed attempt, or that the message is parked after the last one.
  func disposition(
    after error: any Error, failures: Int, _ schedule: [Duration]
  ) -> OutboxDisposition? {
    if let failure = error as? WebhookDeliveryFailure, failure.disposition != .retry { return nil }
    guard failures <= schedule.count, failures > 0 else {
      let detail = (error as? WebhookDeliveryFailure)?.detail
      return .park(ParkingReason(.attemptsExhausted, detail: detail))
    }
    let pause = schedule[failures - 1]
    return .retryAfter(pause + pause * (chance() / 10))
  }

  // MARK: Change

  /// Removes up to 1,000 messages that have been parked for longer than a time, after a delivery that ended some.
  func removeParked(for retention: Duration, after report: OutboxDelivery.Report) async throws {
    guard report.delivered + report.parked > 0 else { return }
    let (kind, oldest) = (kind, context.now() - retention.timeInterval)
    _ = try await store.write {
      try await $0.outbox.discard(line: kind, parkedBefore: oldest, limit: 1000)
    }
  }

  /// Has an address that was disabled get messages again, those that had failed at once.
  func enable() async throws {
    try await change { (reader: inout EventReader) in
      (reader.disabledDate, reader.resumeDate) = (nil, nil)
    }
    try await hasten(1_000_000)
  }

  private func hasten(_ limit: Int) async throws {
    let (kind, now) = (kind, context.now())
    try await store.write { unit in
      _ = try await unit.outbox.hasten(line: kind, limit: limit, now: now)
    }
  }

  private func change(
    _ change: @escaping @Sendable (inout EventReader) -> Void
  ) async throws {
    let name = name
    try await store.writeDespiteCancellation { unit in
      var reader = try await unit.events.hold(name)
      change(&reader)
      try await unit.events.save(reader)
    }
  }
}

/// The moments at which messages of a line were tried before their time, in this process.
private final class HasteTimes: Sendable {
  private struct State {
    var isWanted = false
    var last: Date?
    var lastProbe: Date?
  }

  private let state = Locked(State())

  /// Notes that all that had failed is worth an attempt.
  func want() { state.withLock { $0.isWanted = true } }

  /// Returns whether all are to be tried now.
  func isTime(at now: Date) -> Bool {
    state.withLock { state in
      guard state.isWanted, state.last.map({ $0 + 5 <= now }) ?? true else { return false }
      (state.isWanted, state.last) = (false, now)
      return true
    }
  }

  /// Returns whether some are to be tried now; the first time 10 minutes after it was first asked.
  func isTimeToProbe(at now: Date) -> Bool {
    state.withLock { state in
      guard let last = state.lastProbe else {
        state.lastProbe = now
        return false
      }
      guard last + 600 <= now else { return false }
      state.lastProbe = now
      return true
    }
  }
}

extension OutboxMessage.Kind {
  /// The name of the endpoint or the target of a line, as the host gave it.
  fileprivate var endpointName: String {
    String(rawValue.dropFirst((isForward ? Self.forwardPrefix : Self.linePrefix).count))
  }
}

extension EventReader {
  /// Whether the address takes nothing now.
  func holdsBack(at now: Date) -> Bool {
    disabledDate != nil || resumeDate.map { now < $0 } ?? false
  }
}

extension PurchaseStore {
  /// Removes all messages of a line that wait or are parked, also those of an endpoint that is gone, and returns their
  /// number; messages of other kinds are parked one by one, and removed so
  /// (``/PurchaseStorage/OutboxRepository/discard(_:)``).
  ///
  /// The place of the endpoint goes too, so that a name that is used again is a new one: it is not disabled, and hears
  /// of what happens from then on. It is done in steps of 1,000 messages. What an attempt is being made for may arrive
  /// nevertheless.
  ///
  /// - Throws: An error of the store.
  @discardableResult
  public func discard(line: OutboxMessage.Kind) async throws -> Int {
    guard line.isLine else { return 0 }
    var total = 0
    while true {
      let count = try await write { unit in
        try await unit.common.events?.removeReader(line.readerName)
        return try await unit.outbox.discard(line: line, parkedBefore: nil, limit: 1000)
      }
      total += count
      guard count == 1000 else { return total }
      try Task.checkCancellation()
    }
  }
}
