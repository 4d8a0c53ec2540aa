import StoreSimulators
import Storekeeper
import StorekeeperLocks

/// An answerer that answers as it is told, and keeps the questions.
final class TestAnswerer: ConsumptionAnswerer {
  private let questions = Locked<[ConsumptionQuestion]>([])
  private let answer: @Sendable (ConsumptionQuestion) throws -> ConsumptionAnswer?

  init(_ answer: @escaping @Sendable (ConsumptionQuestion) throws -> ConsumptionAnswer?) {
    self.answer = answer
  }

  var all: [ConsumptionQuestion] { questions.withLock { $0 } }

  func answer(to question: ConsumptionQuestion) async throws -> ConsumptionAnswer? {
    questions.withLock { $0.append(question) }
    return try answer(question)
  }
}

extension ConsumptionQuestion {
  /// Apple's purchase; nil for Google's.
  var transaction: ReviewedTransaction? {
    if case .apple(let reviewed) = purchase { reviewed } else { nil }
  }

  /// Google's purchase; nil for Apple's.
  var order: ReviewedOrder? {
    if case .google(let reviewed) = purchase { reviewed } else { nil }
  }
}

extension Incidents {
  /// The delivery's own reasons why messages were not delivered.
  var deliveryFailures: [ConsumptionDelivery.Failure] {
    all.compactMap { incident in
      guard case .deliveryFailed(let error, _, _) = incident else { return nil }
      return error as? ConsumptionDelivery.Failure
    }
  }

  /// The failures of Google that were reported about its questions.
  var refusedReviews: [GooglePlayFailure] {
    all.compactMap { incident in
      if case .refundReviewRefused(let failure) = incident { failure } else { nil }
    }
  }
}

/// A transport that carries requests out, and loses the answers to some.
struct LostAnswers: HTTPTransport {
  let base: any HTTPTransport
  let isLost: @Sendable (HTTPRequestMessage) -> Bool

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let response = try await base.send(request)
    if isLost(request) { throw HTTPTransportFailure(.interrupted) }
    return response
  }
}
