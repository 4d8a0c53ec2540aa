public import HTTPMessages
public import PurchaseStorage
public import ReceiptModels
package import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Work that takes time, by what is known of it at its start.
@nonexhaustive
public enum TelemetryWork: Hashable, Sendable {
  /// A request to one of the APIs, with its method, or `other` for an unusual one; the route is a template such as
  /// `/api/v1/purchases/{id}`, nil for an unknown path, and at the start.
  case request(HTTPRequestMethod, route: String?)
  /// A verification of evidence that a client or a store handed over.
  case verification(VerifiedKind)
  /// A notification of a store.
  case notification(Vendor)
  /// A request to a server of a vendor's, or of the host's own (nil), by the name of the call.
  case call(Vendor?, String)
  /// A unit of work on the store.
  case unitOfWork(isWriting: Bool)
  /// A delivery of a message of the outbox.
  case delivery(OutboxMessage.Kind)
  /// A run of a job of ``BackgroundWork``, by its name, with the app and the environment of one that has several.
  case job(String)
}

extension TelemetryWork {
  /// The name of a span of the work: one of few, without an identifier.
  public var name: String {
    switch self {
    case .request(let method, let route): route.map { "\(method.name) \($0)" } ?? method.name
    case .verification(let kind): "verify \(kind.rawValue)"
    case .notification(let vendor): "notification of \(vendor.rawValue)"
    case .call(_, let call): call
    case .unitOfWork(let isWriting): isWriting ? "unit of work" : "reading unit of work"
    case .delivery(let kind): "deliver \(kind.rawValue)"
    case .job(let name): "job \(name)"
    }
  }
}

extension HTTPRequestMethod {
  /// The method as it is told: a usual one, or `other`, because a client may send any.
  package var told: HTTPRequestMethod {
    switch self {
    case .get, .head, .post, .put, .patch, .delete, .options: self
    default: "other"
    }
  }
}

/// A kind of evidence that is verified.
public enum VerifiedKind: String, Hashable, Sendable, CaseIterable {
  case receipt
  case signedTransaction
  case purchaseToken
}

/// The result of work that has ended.
public struct TelemetryResult: Hashable, Sendable {
  public var outcome: TelemetryOutcome
  public var duration: Duration
  private var endMoment: ClockMoment
  /// The name of the reason for an outcome other than success, such as `signatureInvalid`; one of few.
  public var reason: String?
  public var detail: Detail

  /// The part of a result that only one kind of work has.
  @nonexhaustive
  public enum Detail: Hashable, Sendable {
    case none
    /// The answer to a request, with the sizes of the two bodies in bytes.
    case answer(HTTPStatusCode, requestBytes: Int, responseBytes: Int)
    /// The status with which a vendor answered a call.
    case status(HTTPStatusCode)
    /// The type of a notification, where it is known, such as `DID_RENEW`.
    case notification(type: String?)
    /// How often a unit of work was begun, and how long it waited for a connection or its turn before.
    case attempts(Int, wait: Duration)
  }

  /// The moment at which the work ended.
  public var end: ContinuousClock.Instant {
    get { endMoment.instant }
    set { endMoment = ClockMoment(newValue) }
  }

  /// Creates a result, by default of work that ends now.
  public init(
    _ outcome: TelemetryOutcome, duration: Duration, end: ContinuousClock.Instant = .now,
    reason: String? = nil, detail: Detail = .none
  ) {
    self.init(
      outcome, duration: duration, endingAt: ClockMoment(end), reason: reason, detail: detail)
  }

  /// Creates the result of work that ended at a moment.
  package init(
    _ outcome: TelemetryOutcome, duration: Duration, endingAt end: ClockMoment,
    reason: String? = nil, detail: Detail = .none
  ) {
    self.outcome = outcome
    self.duration = duration
    endMoment = end
    self.reason = reason
    self.detail = detail
  }
}

/// An outcome of work.
@nonexhaustive
public enum TelemetryOutcome: String, Hashable, Sendable, CaseIterable {
  /// A request was answered, evidence verified, a notification recorded, a unit of work committed, a message delivered.
  case succeeded
  /// What was handed over is at fault: a request, evidence or a notification was refused, or a store refused a call.
  case refused
  /// Somebody who had to be asked did not answer, or had no room.
  case unavailable
  case failed
  case cancelled
  /// A server had no memory for a request.
  case overloaded
  /// A notification had been recorded before.
  case repeated
  /// A notification was authentic but could not be decoded or stored as it is, and is kept.
  case kept
  /// A unit of work conflicted with others, also after its last attempt.
  case conflict
  /// A message could not be tried, and will be later.
  case postponed
  /// A message cannot be delivered as things are.
  case parked
  /// Another process was at a job.
  case leasedElsewhere
}

/// A fact that takes no time.
@nonexhaustive
public enum TelemetryFact: Hashable, Sendable {
  /// An incident, by its kind, such as `sourceFailed`.
  case incident(String)
  /// The messages that wait in the outbox now.
  case backlog(OutboxBacklog)
  /// The sizes of the ledgers of credits now, approximately.
  case ledger(LedgerExtent)
  /// The moment at which something ends unless it is replaced; nil if nothing of the kind is known.
  case end(TelemetryEnd, Date?)
  /// Spans that were dropped, because whoever takes them is away or too slow.
  case spansDropped(Int)
}

/// A kind of thing that ends, and that somebody has to replace before.
@nonexhaustive
public enum TelemetryEnd: String, Hashable, Sendable, CaseIterable {
  /// The root certificate that ends first.
  case root
  /// Apple's intermediate certificate that ends first, of those seen.
  case intermediate
  /// The bearer token of the APIs that ends first.
  case token
}
