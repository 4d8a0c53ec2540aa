internal import AppStoreServerAPI
internal import GooglePlayVerifier
internal import JSONValues
internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store that asks about a purchase whose refund somebody wants, and that takes the answer.
protocol RefundAsker: Sendable {
  /// Asks how a purchase stands now.
  func purchase(of question: ConsumptionCase, patience: Duration) async throws -> ReviewedPurchase

  /// Returns an answer that was kept, or nil if it cannot be read.
  func answer(kept text: String, about purchase: ReviewedPurchase) -> ConsumptionAnswer?

  /// Sends the answer to a question.
  func send(
    _ answer: ConsumptionAnswer, to question: ConsumptionCase, about purchase: ReviewedPurchase,
    patience: Duration) async throws

  /// Returns what a failure says about the answer.
  func verdict(on failure: any Error, in step: RefundStep) -> AnswerVerdict
}

/// A step on the way to an answer.
enum RefundStep {
  /// The question how the purchase stands.
  case asking
  case sending
  /// The same answer is sent, as it is not known whether it arrived before.
  case sendingAgain
}

/// What a failed call says about the answer to a question.
enum AnswerVerdict {
  /// It has not arrived, and may later.
  case passing
  /// It may have arrived.
  case unknown
  /// It seems to have arrived when it was sent before; the incident is what the store says now.
  case taken(ServiceIncident)
  /// Our credentials were refused, which somebody can mend.
  case refused(ServiceIncident)
  /// It was refused for what is in it.
  case faulty(ServiceIncident)
  /// The store takes no answer to the question.
  case final(ServiceIncident?)
  case cancelled
}

// MARK: Apple

/// The App Store, which asks for consumption information.
///
/// Source: App Store Server API rules, section 5.6.
struct AppleRefundAsker: RefundAsker {
  let appStore: AppStoreServerClient

  func purchase(of question: ConsumptionCase, patience: Duration) async throws -> ReviewedPurchase {
    let transaction = try await appStore.transactionInfo(
      question.transactionID, in: question.environment, patience: patience)
    guard transaction.payload.transactionID == question.transactionID else {
      throw ConsumptionDelivery.Failure.otherTransaction
    }
    return .apple(
      ReviewedTransaction(
        transaction: transaction,
        reason: question.reason.map { ConsumptionRequestReason(rawValue: $0) }))
  }

  func answer(kept text: String, about purchase: ReviewedPurchase) -> ConsumptionAnswer? {
    guard case .apple(let reviewed) = purchase,
      let json = try? JSONValue(parsing: Array(text.utf8))
    else { return nil }
    return reviewed.isAdvancedCommerce
      ? (try? ConsumptionRequestV1(json: json)).map { .data($0) }
      : (try? ConsumptionRequest(json: json)).map { .information($0) }
  }

  func send(
    _ answer: ConsumptionAnswer, to question: ConsumptionCase, about purchase: ReviewedPurchase,
    patience: Duration
  ) async throws {
    switch (answer, purchase) {
    case (.information(let request), .apple(let reviewed)):
      try await appStore.sendConsumptionInformation(
        request, for: reviewed.transaction, patience: patience)
    case (.data(let request), .apple(let reviewed)):
      try await appStore.sendConsumptionData(
        request, for: reviewed.transaction, patience: patience)
    case (.review, _), (_, .google): throw ConsumptionDelivery.Failure.otherStore
    }
  }

  func verdict(on failure: any Error, in step: RefundStep) -> AnswerVerdict {
    guard let failure = failure as? AppStoreServerFailure else { return .passing }
    if failure.isCancellation { return .cancelled }
    // A failure that may pass is reported by the delivery alone.
    let incident = failure.retry == .never ? ServiceIncident.consumptionRefused(failure) : nil
    if failure.isFinalForPurchase { return .final(incident) }
    if failure.mayHaveArrived { return .unknown }
    return incident.map { failure.isOfContent ? .faulty($0) : .refused($0) } ?? .passing
  }
}

extension AppStoreServerFailure {
  /// Whether a request was refused for what is in it, here or by Apple.
  fileprivate var isOfContent: Bool {
    if case .invalidRequest = reason { return true }
    return code.map { (4_000_000...4_009_999).contains($0.rawValue) } ?? false
  }

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

// MARK: Google

/// Google Play, which asks for a review of a chargeback.
///
/// Google takes one answer, and has no call that tells whether it has one. Source: Google Play rules, section 9.
struct GoogleRefundAsker: RefundAsker {
  let play: GooglePlayClient

  func purchase(of question: ConsumptionCase, patience: Duration) async throws -> ReviewedPurchase {
    let order = try await play.order(question.orderID, patience: patience)
    guard order.orderID.isSameText(as: question.orderID) else {
      throw ConsumptionDelivery.Failure.otherOrder
    }
    return .google(
      ReviewedOrder(
        order: order, purchase: try await purchase(in: order, patience: patience),
        reason: question.reason.flatMap { Int($0) }.map { VoidedReason(rawValue: $0) }))
  }

  /// Asks about the purchase in an order; nil if Google has forgotten it, or if it is the app itself.
  private func purchase(
    in order: PlayOrder, patience: Duration
  ) async throws(GooglePlayFailure) -> ReviewedOrder.Purchase? {
    guard let token = order.purchaseToken else { return nil }
    do throws(GooglePlayFailure) {
      if order.lineItems.contains(where: { $0.subscriptionDetails != nil }) {
        return .subscription(try await play.subscription(token: token, patience: patience))
      }
      return .product(try await play.product(token: token, patience: patience))
    } catch {
      guard error.kind == .gone || error.kind == .invalid else { throw error }
      return nil
    }
  }

  func answer(kept text: String, about purchase: ReviewedPurchase) -> ConsumptionAnswer? {
    (try? JSONValue(parsing: Array(text.utf8)))
      .flatMap { try? OrdersReviewRefundRequest(json: $0) }.map { .review($0) }
  }

  func send(
    _ answer: ConsumptionAnswer, to question: ConsumptionCase, about purchase: ReviewedPurchase,
    patience: Duration
  ) async throws {
    guard case .review(var review) = answer else { throw ConsumptionDelivery.Failure.otherStore }
    review.pendingRefundToken = question.pendingRefundToken ?? ""
    try await play.reviewRefund(of: question.orderID, review, patience: patience)
  }

  func verdict(on failure: any Error, in step: RefundStep) -> AnswerVerdict {
    guard let failure = failure as? GooglePlayFailure else { return .passing }
    let incident = ServiceIncident.refundReviewRefused(failure)
    switch (failure, step) {
    // Google says so of an answer that is too late, and of a second one.
    case (.invalidValue, .sendingAgain), (.noLongerAvailable, .sendingAgain):
      return .taken(incident)
    case (.invalidValue, .sending), (.noLongerAvailable, .sending): return .final(incident)
    default: break
    }
    switch failure.kind {
    case .cancelled: return .cancelled
    case .invalid: return .faulty(incident)
    case .gone, .credentials: return .refused(incident)
    case .limited, .backend, .transport, .unreadable:
      return failure.mayHaveActed ? .unknown : .passing
    }
  }
}

extension ConsumptionCase {
  /// The order that Google asks about.
  fileprivate var orderID: String { TransactionIDs.text(ofGoogle: transactionID) }
}
