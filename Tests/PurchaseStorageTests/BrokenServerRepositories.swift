import Foundation
import PurchaseStorage
import ReceiptModels

/// Jobs of which single rules can be broken.
struct BrokenJobs: JobRepository {
  var base: any JobRepository
  var isLeaseOver = false
  var isStepTrusted = false
  var isPlaceForgotten = false
  var isEndForgotten = false

  func lease(job: String, now: Date, until: Date, token: String) async throws -> JobPlace? {
    var place = try await base.lease(
      job: job, now: now, until: isLeaseOver ? now : until, token: token)
    if isPlaceForgotten { place?.place = nil }
    return place
  }

  func advance(
    _ place: JobPlace, to newPlace: String, now: Date, until: Date
  ) async throws -> Bool {
    let isOurs = try await base.advance(place, to: newPlace, now: now, until: until)
    return isOurs || isStepTrusted
  }

  func giveBack(_ place: JobPlace) async throws { try await base.giveBack(place) }

  func place(of job: String) async throws -> String? { try await base.place(of: job) }

  func jobs(limit: Int) async throws -> [JobState] {
    var jobs = try await base.jobs(limit: limit)
    if isEndForgotten { for index in jobs.indices { jobs[index].leaseEnd = nil } }
    return jobs
  }
}

/// Requests for consumption information of which single rules can be broken.
struct BrokenConsumption: ConsumptionRepository {
  var base: any ConsumptionRepository
  var isAlwaysNew = false
  var isDateForgotten = false
  var isOrderReversed = false
  var isAlwaysWaiting = false
  var isAnyAnswerReplaced = false
  var areLateListed = false

  func add(_ case: ConsumptionCase) async throws -> Bool {
    let isNew = try await base.add(`case`)
    return isNew || isAlwaysNew
  }

  func find(key: String) async throws -> ConsumptionCase? { try await base.find(key: key) }

  func prepare(_ case: ConsumptionCase, replacing answer: String?) async throws -> Bool {
    let replaced = isAnyAnswerReplaced ? try await find(key: `case`.key)?.answer : answer
    let isKept = try await base.prepare(`case`, replacing: replaced)
    return isKept || isAlwaysWaiting
  }

  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) async throws {
    try await base.settle(key: key, state: state, answer: answer, now: now)
  }

  func note(
    outcome: String, ofTransaction id: String, environment: AppStoreEnvironment, date: Date
  ) async throws -> Bool {
    try await base.note(
      outcome: outcome, ofTransaction: id, environment: environment,
      date: isDateForgotten ? .distantFuture : date)
  }

  func cases(
    ofTransaction id: String, environment: AppStoreEnvironment
  ) async throws -> [ConsumptionCase] {
    let cases = try await base.cases(ofTransaction: id, environment: environment)
    return isOrderReversed ? cases.reversed() : cases
  }

  func waiting(at date: Date, limit: Int) async throws -> [ConsumptionCase] {
    let cases = try await base.waiting(at: areLateListed ? .distantPast : date, limit: limit)
    return isOrderReversed ? cases.reversed() : cases
  }
}
