public import HTTPMessages
public import JSONValues
public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A failure of a call to Apple's server APIs.
///
/// ```swift
/// do {
///   let transaction = try await appStore.transactionInfo(id)
/// } catch {
///   switch error.retry {
///   case .notBefore(let date): queue(until: date)
///   case .afterBackOff: queue()
///   default: log(error)
///   }
/// }
/// ```
///
/// The client has already retried what may be retried, within its patience. No failure says that a
/// purchase ended: keep what is known.
///
/// Neither ``description`` nor the mirror shows the body, a token or an identifier.
public struct AppStoreServerFailure: Error, Sendable {
  public let reason: Reason
  public let endpoint: AppStoreServerEndpoint?
  /// The environment that was asked last; nil if nothing was sent.
  public internal(set) var environment: AppStoreEnvironment?
  /// Whether and when to try again.
  public internal(set) var retry: Retry
  /// The date that Apple named in `Retry-After`, whatever the status was; nil if it named none.
  public internal(set) var retryAfter: Date?
  /// The status of Apple's answer, if there was one.
  public internal(set) var status: HTTPStatusCode?
  /// The code in Apple's answer, even without a message.
  public internal(set) var code: AppStoreServerErrorCode?
  /// The message in Apple's answer, even without a code; it may repeat parts of the request.
  public internal(set) var message: String?
  /// The first 64 KiB of the answer's body, which may have personal data: it must not be logged.
  public internal(set) var body: [UInt8] = []
  /// The identifier that Apple gave the request, for Apple's support; known for status 401.
  public internal(set) var requestID: String?
  /// The likely causes of a status 401.
  public internal(set) var likelyCauses: [UnauthorizedCause] = []
  /// The errors in an answer to a report of external purchases.
  public internal(set) var reportErrors: [ExternalPurchaseReportError] = []
  /// Whether Apple may have acted on an attempt of this call, whatever the last one ended with.
  ///
  /// Before a request that must not act twice is made again, read the present state.
  public internal(set) var mayHaveArrived = false
  /// Whether an earlier attempt of this call arrived, although its answer was lost; only for the
  /// Advanced Commerce API, whose code ``AppStoreServerErrorCode/repeatedRequestReferenceID`` tells.
  public internal(set) var hasArrived = false
  /// The transactions of the pages before the failure; only from ``TransactionHistory/all()``.
  public internal(set) var collected: CollectedTransactions?
  /// The error of the transport or of the provider of the key, for debugging.
  public internal(set) var cause: (any Error)?

  init(
    _ reason: Reason, of endpoint: AppStoreServerEndpoint?,
    in environment: AppStoreEnvironment? = nil,
    retry: Retry = .never
  ) {
    self.reason = reason
    self.endpoint = endpoint
    self.environment = environment
    self.retry = retry
  }

  public var name: String? { code?.name }

  /// The time by which our clock is ahead of Apple's, negative if it is behind; only for a status 401,
  /// and only beyond a minute.
  public var clockSkew: Duration? {
    likelyCauses.lazy.compactMap { cause in
      if case .clockSkew(let skew) = cause { skew } else { nil }
    }.first
  }

  /// Whether and when the same call may be made again.
  public enum Retry: Hashable, Sendable {
    /// A retry doesn't help, or might act twice.
    case never
    /// A retry may help after a growing pause.
    case afterBackOff
    /// A retry may help from this date on.
    case notBefore(Date)
    /// The other environment may know the identifier.
    case otherEnvironment
    /// The pages have to be read again from the first one, with the same filters.
    case startOver
  }

  /// A likely cause of a status 401.
  public enum UnauthorizedCause: Hashable, Sendable {
    /// The key or its ID is wrong or revoked, or the key is one for App Store Connect's own API.
    case key
    /// The issuer ID or the bundle ID belongs to another team or app.
    case issuerOrBundleID
    /// Our clock is ahead of Apple's by this time, or behind it if negative.
    case clockSkew(Duration)
    /// The app was never released, so Production doesn't know it.
    case appNeverReleased
  }

  /// A reason for a failure.
  @nonexhaustive
  public enum Reason: Sendable {
    /// The request breaks a documented rule; nothing was sent.
    case invalidRequest(InvalidRequest)
    /// The call needs an environment, because it writes or has no identifier; nothing was sent.
    case environmentRequired
    /// The verifier doesn't accept the environment, or Apple doesn't serve the call there; nothing
    /// was sent.
    case environmentNotServed(AppStoreEnvironment)
    /// The provider of the key failed; nothing was sent.
    case keyUnavailable
    case signing(SigningFailure)
    case refused
    case transport(HTTPTransportFailure.Reason)
    case timeUp
    /// Our own limiter, or Apple's pause, would hold the request back for longer than the patience.
    case limited
    case notJSON
    case malformedAnswer(FieldTypeFailure)
    /// A signed member of the answer was refused.
    case notVerified(member: String, SignedDataFailure)
    case otherApp
    /// The answer, or signed data in it, is of an environment that was not asked.
    case otherEnvironment(AppStoreEnvironment)
    /// The transaction in the answer is not the one that was asked for.
    case otherTransaction
    /// The renewal info beside a transaction is not that of the same subscription.
    case otherSubscription
    /// A page says that there is more, but has no new revision or token.
    case pagesRepeat
    case tooManyPages(limit: Int)
    case cancelled
  }
}

extension AppStoreServerFailure {
  /// Whether Apple answered that there were too many requests; a known code decides before the
  /// status does.
  var isTooManyRequests: Bool {
    guard let code, code.isKnown else { return status == .tooManyRequests }
    return code == .rateLimitExceeded
  }

  /// Whether Apple may have acted on the request, although there is no answer that says so.
  var isUncertain: Bool {
    switch reason {
    case .transport(.interrupted), .transport(.timedOut): true
    case .refused: code == nil && (status?.code ?? 0) >= 500
    default: false
    }
  }
}

extension AppStoreServerFailure: CustomStringConvertible, CustomReflectable {
  /// The call, the environment, the status, the code with its name, and the reason.
  public var description: String {
    var parts: [String] = []
    if let endpoint { parts.append(endpoint.rawValue) }
    if let environment { parts.append("at \(environment)") }
    if let status { parts.append("status \(status)") }
    if let code { parts.append("code \(code)" + (name.map { " (\($0))" } ?? "")) }
    if let requestID { parts.append("request \(requestID)") }
    let causes = likelyCauses.map(\.text).joined(separator: "; ")
    return parts.joined(separator: ", ") + (parts.isEmpty ? "" : ": ") + reason.text
      + (causes.isEmpty ? "" : " (\(causes))")
  }

  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "reason": reason.text, "endpoint": endpoint as Any, "environment": environment as Any,
        "status": status as Any, "code": code as Any, "retry": retry,
      ])
  }
}

extension AppStoreServerFailure.Reason {
  public var name: String {
    switch self {
    case .invalidRequest: "invalidRequest"
    case .environmentRequired: "environmentRequired"
    case .environmentNotServed: "environmentNotServed"
    case .keyUnavailable: "keyUnavailable"
    case .signing: "signing"
    case .refused: "refused"
    case .transport: "transport"
    case .timeUp: "timeUp"
    case .limited: "limited"
    case .notJSON: "notJSON"
    case .malformedAnswer: "malformedAnswer"
    case .notVerified: "notVerified"
    case .otherApp: "otherApp"
    case .otherEnvironment: "otherEnvironment"
    case .otherTransaction: "otherTransaction"
    case .otherSubscription: "otherSubscription"
    case .pagesRepeat: "pagesRepeat"
    case .tooManyPages: "tooManyPages"
    case .cancelled: "cancelled"
    }
  }

  fileprivate var text: String {
    switch self {
    case .invalidRequest(let fault): "not sent, \(fault)"
    case .environmentRequired: "not sent, the call needs an environment"
    case .environmentNotServed(let environment): "not sent, \(environment) is not served"
    case .keyUnavailable: "not sent, the provider of the signing key failed"
    case .signing(let failure): "not sent, the token could not be signed: \(failure)"
    case .refused: "Apple answered with an error"
    case .transport(let reason): "no complete answer: \(reason)"
    case .timeUp: "the time limit passed"
    case .limited: "held back, too many requests"
    case .notJSON: "the answer is not JSON"
    case .malformedAnswer(let failure): "the answer is malformed: \(failure)"
    case .notVerified(let member, let failure): "\(member) was refused: \(failure.name)"
    case .otherApp: "the answer is about another app"
    case .otherEnvironment(let environment): "the answer is of \(environment)"
    case .otherTransaction: "the answer has another transaction"
    case .otherSubscription: "the renewal info is of another subscription"
    case .pagesRepeat: "a page says that there is more, but has no new revision"
    case .tooManyPages(let limit): "there are more than \(limit) pages"
    case .cancelled: "the task was cancelled"
    }
  }
}

extension AppStoreServerFailure.UnauthorizedCause {
  fileprivate var text: String {
    switch self {
    case .key: "the key or its ID is wrong or revoked"
    case .issuerOrBundleID: "the issuer ID or bundle ID is that of another team or app"
    case .clockSkew(let skew): "our clock differs from Apple's by \(skew.secondsRoundedUp) s"
    case .appNeverReleased: "the app was never released, so Production doesn't know it"
    }
  }
}
