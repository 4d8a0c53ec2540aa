public import AppStoreServerAPI
internal import PurchaseStorage
public import ReceiptModels
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A handler of the outbox that reports tokens for external purchases to Apple.
///
/// ```swift
/// notifications.events = NotificationService.hostEvents
/// let delivery = OutboxDelivery(
///   store: store,
///   handlers: [ExternalPurchaseDelivery(appStore: appStore, reporter: MyReporter()), mailer])
/// ```
///
/// Apple tells of a token when it is made, reminds of it, and asks for a report that it does not have. Each time the host
/// is asked what to report, again and again until it knows and until Apple takes the report; so no token stays
/// unreported. A report has the same identifier each time it is sent. Source: App Store Server API rules, sections 2.7
/// and 5.11.
public struct ExternalPurchaseDelivery: OutboxHandler {
  public let appStore: AppStoreServerClient
  public let reporter: any ExternalPurchaseReporter

  let now: @Sendable () -> Date

  /// Creates a handler of the messages about tokens that a ``NotificationService`` writes.
  public init(
    appStore: AppStoreServerClient, reporter: any ExternalPurchaseReporter,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.appStore = appStore
    self.reporter = reporter
    self.now = now
  }

  public var kinds: Set<OutboxMessage.Kind>? {
    Set(ReportedToken.Cause.allCases.map(\.messageKind))
  }

  /// The time after which a host is asked again that does not know yet what to report: six hours.
  private static let pause = Duration.seconds(6 * 3600)

  /// Reports a token.
  ///
  /// - Throws: An error of the host or of Apple, so that the message is delivered again; a fault of the report
  ///   parks it.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    guard let cause = ReportedToken.Cause(messageKind: message.kind), let key = message.reference,
      // After that Apple asks for what was not reported.
      message.deadline.map({ now() < $0 }) ?? true
    else { return }
    let token = ReportedToken(
      externalPurchaseID: TransactionIDs.text(ofExternal: message.originalTransactionID),
      cause: cause, deadline: message.deadline)
    guard let content = try await reporter.report(about: token) else {
      throw NotYet.unknown(Self.pause)
    }
    var report = ExternalPurchaseReport(
      requestIdentifier: try Self.identifier(of: key), externalPurchaseID: token.externalPurchaseID,
      status: content.status)
    report.lineItems = content.lineItems
    do throws(AppStoreServerFailure) {
      _ = try await appStore.sendExternalPurchaseReport(report)
    } catch {
      guard let fault = error.faultOfReport else { throw error }
      throw NotYet.faulty(String(bounding: fault))
    }
  }

  /// The identifier of the only report that follows from a notification, made of its key.
  static func identifier(of key: String) throws -> UUID {
    var bytes = try SHA256.digest(of: Array("external purchase report \(key)".utf8))
    // Version 8 of RFC 9562, section 5.8.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return unsafe bytes.withUnsafeBytes { unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The reason for which a token is not reported yet.
  private enum NotYet: OutboxFailure {
    case unknown(Duration)
    case faulty(String)

    var disposition: OutboxDisposition {
      switch self {
      case .unknown(let pause): .postpone(pause)
      case .faulty(let detail): .park(ParkingReason(.reportRefused, detail: detail))
      }
    }
  }
}

extension AppStoreServerFailure {
  /// The member of a report that is wrong, and what is wrong with it; nil for another failure.
  fileprivate var faultOfReport: String? {
    if case .invalidRequest(let fault) = reason { return "\(fault)" }
    return reportErrors.first.map { fault in
      "\(fault.fieldName ?? "a member"), error \(fault.errorCode.map { "\($0)" } ?? "unknown")"
    }
  }
}
