public import HTTPMessages
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The sender of the stores' notifications to one further server, as they arrived.
///
/// ```swift
/// var staging = try ForwardTarget("staging", url: "https://staging.example.org/api/sandbox/webhook/apple")
/// staging.environments = [.sandbox]
/// notifications.forwards = [staging]
/// let forwarder = NotificationForwarder(
///   shop, to: staging, transport: CurlHTTPTransport(addresses: .publicOnly))
/// await BackgroundWork(shop, [.forwarding(forwarder), .outbox(delivery)]).run()
/// ```
///
/// A notification is put into the outbox in the unit of work that records it
/// (``NotificationService/forwards``, ``PlayNotificationService/forwards``), and sent from there at least once: the same
/// bytes, as `application/json`, with the field `storekeeper-forwarded`, by which a server knows not to forward it again. Other fields of the request are not forwarded, nor
/// Google's token, which is made for this server. Order is not kept. What an answer means is as for a ``WebhookSender``: 2xx takes the notification, 410
/// disables the target until ``enable()``, `Retry-After` holds back all, and after the last attempt it is parked, for
/// ``retention``. The body is kept no longer than until it was sent.
public struct NotificationForwarder: OutboxHandler {
  public let target: ForwardTarget
  /// The pauses before the second attempt and those after it, as those of ``WebhookSender/schedule``.
  public var schedule = EndpointLine.schedule
  /// The number of notifications that are sent at the same time; 4 by default.
  public var concurrency = 4
  /// The time for which a parked notification is kept; 30 days by default.
  public var retention = Duration.days(30)

  /// The field of the request that says that a notification was forwarded; its value is `1`.
  public static let header: HTTPHeaderName = "storekeeper-forwarded"

  private let line: EndpointLine

  /// Creates a forwarder; the transport decides which addresses it connects with, and must not follow redirects.
  public init(
    _ context: PurchaseContext, to target: ForwardTarget, transport: any HTTPTransport,
    clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.target = target
    line = EndpointLine(
      context: context, kind: target.line, timeout: target.timeout,
      transport: transport, clock: clock, chance: chance)
  }

  /// The line of the target.
  public var kinds: Set<OutboxMessage.Kind>? { [target.line] }

  /// Sends all that is due, and removes what has been parked for too long.
  ///
  /// - Throws: An error of the store, or `CancellationError`.
  public func deliverDue() async throws -> OutboxDelivery.Report {
    var report = OutboxDelivery.Report()
    while !Task.isCancelled,
      let sent = try await line.deliverDue(by: self, concurrency: concurrency)
    {
      report.add(sent)
      guard sent.delivered + sent.parked > 0 else { break }
    }
    try await line.removeParked(for: retention, after: report)
    return report
  }

  /// Sends a notification once.
  ///
  /// - Throws: ``WebhookDeliveryFailure``, an error of the store, or `CancellationError`.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    let name = line.name
    let reader = try await line.context.store.read { try await $0.events.reader(name) }
    let now = line.context.now()
    try EndpointLine.check(reader, at: now)
    guard let body = message.body else { throw WebhookDeliveryFailure.eventRemoved }
    var headers: HTTPHeaders = [:]
    try headers.set("application/json", for: .contentType)
    try headers.set("1", for: Self.header)
    let request = HTTPRequestMessage(
      method: .post, url: target.url, headers: headers, body: Array(body.utf8),
      timeout: target.timeout, responseLimit: 64 << 10)
    try await line.send(request, at: now)
  }

  /// Returns the pause of the schedule after a failed attempt, or that the notification is parked after the last one.
  public func disposition(after error: any Error, failures: Int) -> OutboxDisposition? {
    line.disposition(after: error, failures: failures, schedule)
  }

  /// Has a target that was disabled get notifications again, those that had failed at once.
  ///
  /// - Throws: An error of the store.
  public func enable() async throws { try await line.enable() }

  /// Returns whether the target answered 410, and gets nothing until ``enable()``.
  ///
  /// - Throws: An error of the store.
  public func isDisabled() async throws -> Bool { try await line.isDisabled() }
}

extension BackgroundJob {
  /// The forwarding of notifications to a target, every second unless told otherwise.
  public static func forwarding(
    _ forwarder: NotificationForwarder, every interval: Duration = .seconds(1),
    then note: @escaping @Sendable (OutboxDelivery.Report) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("forwarding to \(forwarder.target.name)", every: interval) {
      note(try await forwarder.deliverDue())
    }
  }
}
