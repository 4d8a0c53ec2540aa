public import AppStoreServerAPI
internal import JSONValues
public import JWSVerifier
public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A handler of the outbox that answers Apple's requests for consumption information.
///
/// ```swift
/// let delivery = OutboxDelivery(
///   store: store,
///   handlers: [
///     ConsumptionDelivery(appStore: appStore, answerer: MyAnswerer(), store: store), mailer,
///   ])
/// ```
///
/// A ``NotificationService`` writes a message for each request. Its answer is sent until Apple takes it, at the
/// environment of the purchase, and its outcome is kept in ``/PurchaseStorage/ConsumptionCase``. After the deadline
/// nothing is sent. Source: App Store Server API rules, section 5.6.
public struct ConsumptionDelivery: OutboxHandler {
  public let appStore: AppStoreServerClient
  public let answerer: any ConsumptionAnswerer

  let store: any PurchaseStore
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// Creates a handler; the client's verifier must accept both environments if both are answered.
  public init(
    appStore: AppStoreServerClient, answerer: any ConsumptionAnswerer,
    store: any PurchaseStore, now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) {
    self.appStore = appStore
    self.answerer = answerer
    self.store = store
    self.now = now
    self.report = report
  }

  public var kinds: Set<OutboxMessage.Kind>? { [.consumption] }

  /// Answers a request for consumption information.
  ///
  /// - Throws: An error of the host, of the store or of Apple that may pass, so that the message is delivered again.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    guard message.kind == .consumption, let key = message.reference,
      let request = try await store.read({ try await $0.consumption.find(key: key) }),
      request.state == .waiting
    else { return }
    guard now() < request.deadline else { return try await settle(request, .missed) }
    try await answer(request)
  }

  /// The reason for a failed delivery, other than an error of the host, of the store or of Apple.
  @nonexhaustive
  public enum Failure: Error, Hashable, Sendable {
    /// Apple's answer has another transaction than the one that was asked for.
    case otherTransaction
  }

  /// The longest time for each of the two calls: both have to end within the limit of the handler.
  private static let patience = Duration.seconds(20)

  private func answer(_ request: ConsumptionCase) async throws {
    do {
      let transaction = try await appStore.transactionInfo(
        request.transactionID, in: request.environment, patience: patience(for: request))
      guard transaction.payload.transactionID == request.transactionID else {
        throw Failure.otherTransaction
      }
      let question = ConsumptionQuestion(
        transaction: transaction,
        reason: request.reason.map { ConsumptionRequestReason(rawValue: $0) },
        requestedDate: request.requestedDate, deadline: request.deadline)
      guard let answer = try await answerer.answer(to: question) else {
        return try await settle(request, .declined)
      }
      // The host may have taken its time.
      guard now() < request.deadline else { return try await settle(request, .missed) }
      try await send(answer, about: transaction, patience: patience(for: request))
      try await settle(request, .answered, answer)
    } catch let failure as AppStoreServerFailure {
      if failure.isCancellation { throw CancellationError() }
      // A failure that may pass is reported by the delivery alone.
      if failure.retry == .never { report(.consumptionRefused(failure)) }
      guard failure.isFinalForPurchase else { throw failure }
      try await settle(request, .refused)
    }
  }

  private func patience(for request: ConsumptionCase) -> Duration {
    min(Self.patience, .seconds(max(0.001, request.deadline.timeIntervalSince(now()))))
  }

  private func send(
    _ answer: ConsumptionAnswer, about transaction: Verified<Transaction>, patience: Duration
  ) async throws(AppStoreServerFailure) {
    switch answer {
    case .information(let request):
      try await appStore.sendConsumptionInformation(request, for: transaction, patience: patience)
    case .data(let request):
      try await appStore.sendConsumptionData(request, for: transaction, patience: patience)
    }
  }

  /// Keeps the state of a request, also where the task was cancelled.
  private func settle(
    _ request: ConsumptionCase, _ state: ConsumptionCase.State, _ answer: ConsumptionAnswer? = nil
  ) async throws {
    if state == .missed { report(.consumptionMissed) }
    let moment = now()
    let text = answer.map { String(decoding: $0.json.serialized, as: UTF8.self) }
    try await store.writeDespiteCancellation { records in
      try await records.consumption.settle(
        key: request.key, state: state, answer: text, now: moment)
    }
  }
}

extension AppStoreServerFailure {
  /// Whether Apple takes no answer for the purchase, whatever the answer is.
  ///
  /// An answer of the host that breaks a rule, and a refused key, can be mended before the deadline.
  fileprivate var isFinalForPurchase: Bool {
    switch code?.rawValue {
    case 4_000_043, 4_000_047, 4_000_185, 4_000_227, 4_040_010: return true
    default: break
    }
    if case .invalidRequest(let fault) = reason { return fault.field == "transactionId" }
    return false
  }
}

extension ConsumptionAnswer {
  fileprivate var json: JSONValue {
    switch self {
    case .information(let request): request.json
    case .data(let request): request.json
    }
  }
}

/// The host's answers to Apple's requests for consumption information.
///
/// A customer has asked Apple for a refund, and Apple asks what became of the purchase. The host may only answer with
/// the customer's consent. Source: App Store Server API rules, section 5.6.
public protocol ConsumptionAnswerer: Sendable {
  /// Returns the answer to a request, or nil to send nothing, as without the customer's consent.
  ///
  /// It may be asked again for the same request after a failure.
  ///
  /// - Throws: Any error, to be asked again later.
  func answer(to question: ConsumptionQuestion) async throws -> ConsumptionAnswer?
}

/// Apple's request for consumption information about a purchase.
public struct ConsumptionQuestion: Sendable {
  /// The purchase, as Apple signed it just now.
  public let transaction: Verified<Transaction>
  public let reason: ConsumptionRequestReason?
  public let requestedDate: Date
  public let deadline: Date
  /// Whether the purchase is one of Advanced Commerce, to be answered with
  /// ``ConsumptionAnswer/data(_:)``.
  public var isAdvancedCommerce: Bool { transaction.payload.advancedCommerceInfo != nil }
}

/// The answer to a request for consumption information.
public enum ConsumptionAnswer: Hashable, Sendable {
  /// Consumption information, version 2.
  case information(ConsumptionRequest)
  /// Consumption data, version 1, for purchases of Advanced Commerce only.
  case data(ConsumptionRequestV1)
}
