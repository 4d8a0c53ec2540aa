import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("The stores' questions about refunds, and outages of six hours")
struct RefundQuestionLaw {
  /// The number of questions, such as 10000; `Tests/run --long` sets it.
  static let count =
    ProcessInfo.processInfo.environment["STOREKEEPER_QUESTIONS"].flatMap { Int($0) } ?? 2000

  /// Each run has five worlds with a hundred questions.
  @Test(
    "none of the questions is answered late, none twice, and half of them within a minute",
    arguments: 0..<UInt64(max(1, Self.count / 500)))
  func answers(run: UInt64) async throws {
    var waits: [Double] = []
    var isRepeated = false
    for seed in run * 5..<run * 5 + 5 {
      let world = try OutageWorld(seed: seed)
      let questions = try await world.run(questions: 100, seed: seed)
      let answers = world.answers
      for question in questions {
        let limit: Double = question.vendor == .apple ? 12 * 3600 : 24 * 3600
        let taken = answers[question.id] ?? []
        guard let first = taken.first else {
          Issue.record("a question without an answer")
          continue
        }
        waits.append(first.time - question.asked)
        #expect(first.time - question.asked < limit)
        // Google takes one. Apple takes the same again, where we could not know that it had arrived.
        if question.vendor == .google { #expect(taken.count == 1) }
        #expect(Set(taken.map(\.body)).count == 1)
        if taken.count > 1 { isRepeated = true }
      }
      // No host is asked twice, and no question is left.
      #expect(world.answerer.all.count == 100)
      let unsettled = try await world.unsettled(questions)
      #expect(unsettled == 0)
    }
    waits.sort()
    #expect(waits.count == 500)
    #expect(waits[waits.count / 2] < 60)
    // The outages were felt.
    #expect((waits.last ?? 0) > 3600)
    #expect(isRepeated)
  }
}

extension OutageWorld {
  /// The number of questions that are not kept as answered.
  fileprivate func unsettled(_ questions: [Question]) async throws -> Int {
    let orders = Set(play.refundReviews.map { "google:" + $0.orderID })
    let ids = questions.filter { $0.vendor == .apple }.map(\.id) + orders
    let answered = try await store.read { records in
      var count = 0
      for id in ids {
        count += try await records.consumption.cases(ofTransaction: id, environment: .production)
          .count { $0.state == .answered && $0.answer != nil }
      }
      return count
    }
    return questions.count - answered
  }
}
