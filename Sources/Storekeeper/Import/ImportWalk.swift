internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A walk of an import over the rows of a file.
///
/// Stores are asked about several rows at once, and the answers recorded one after the other in the order of the file,
/// so that a run that was killed comes to the same as one that was not.
struct ImportWalk {
  private let work: PurchaseImport
  private let note: @Sendable (PurchaseImport.Step) throws -> Void
  private let uptime: Stopwatch
  var report: ImportReport
  private var results: [ImportResult] = []
  /// The claims that were accepted, so that no store is asked about one twice; a table may have a row a renewal.
  private var settled: Set<ClaimMark> = []
  /// The place that was kept last, and the moment.
  private var kept: (done: Int, date: Date)

  init(
    _ work: PurchaseImport, _ file: ImportFile,
    _ note: @escaping @Sendable (PurchaseImport.Step) throws -> Void
  ) {
    self.work = work
    self.note = note
    uptime = Stopwatch(work.clock)
    report = ImportReport(rowCount: file.rowCount)
    kept = (0, work.context.now())
  }

  /// Visits the rows after a place; `keep` keeps another place, and returns false if the lease was lost.
  mutating func go<Rows: AsyncSequence>(
    over rows: Rows, from place: Int, _ keep: (Int) async throws -> Bool
  ) async throws where Rows.Element == Result<ImportRow, ImportFault> {
    report.earlier = place
    guard try await keep(place) else { return report.isLeasedElsewhere = true }
    kept = (place, work.context.now())
    do {
      try await visit(rows, keep)
    } catch let refusal as UntoldResults {
      throw refusal.reason
    } catch {
      // What is done counts, whatever ended the walk.
      if !report.isLeasedElsewhere { _ = try? await tell(keep) }
      throw error
    }
    guard !report.isLeasedElsewhere else { return }
    do {
      try await tell(keep)
    } catch let refusal as UntoldResults {
      throw refusal.reason
    }
  }

  private mutating func visit<Rows: AsyncSequence>(
    _ rows: Rows, _ keep: (Int) async throws -> Bool
  ) async throws where Rows.Element == Result<ImportRow, ImportFault> {
    let (work, uptime, limit) = (work, uptime, max(1, work.concurrency))
    let place = report.earlier
    try await withThrowingTaskGroup(of: Question.self) { group in
      defer { group.cancelAll() }
      var iterator = rows.makeAsyncIterator()
      var answered: [Int: Question] = [:]
      var (read, done, isAtEnd) = (0, place, false)
      while true {
        while !isAtEnd, read - done < limit {
          guard let row = try await iterator.next() else {
            isAtEnd = true
            break
          }
          read += 1
          guard read > place else { continue }
          let question = Question(number: read, row: row)
          if let mark = question.mark, settled.contains(mark) {
            answered[read] = question.answered(.repeated)
          } else {
            group.addTask { question.answered(await work.answer(to: row, uptime, after: nil)) }
          }
        }
        guard done < read else { break }
        while answered[done + 1] == nil {
          guard let next = try await group.next() else { break }
          guard case .unanswered(let patience)? = next.answer else {
            answered[next.number] = next
            continue
          }
          guard try await renew(keep) else { return }
          group.addTask {
            next.answered(await work.answer(to: next.row, uptime, after: patience))
          }
        }
        guard let question = answered.removeValue(forKey: done + 1) else { break }
        let outcome = try await settle(question)
        done += 1
        report.note(outcome)
        results.append(question.result(outcome))
        guard results.count >= max(1, work.batchSize) || isRenewalDue else { continue }
        guard try await tell(keep) else { return }
      }
      report.isComplete = true
    }
  }

  /// Tells the results, and keeps the place after them.
  @discardableResult
  private mutating func tell(_ keep: (Int) async throws -> Bool) async throws -> Bool {
    report.elapsed = uptime.elapsed
    do {
      try note(PurchaseImport.Step(results: results, report: report))
    } catch {
      throw UntoldResults(reason: error)
    }
    results = []
    return try await hold(at: report.done, keep)
  }

  /// Renews the lease at the place that was kept last, where it is due; returns false if it was lost.
  private mutating func renew(_ keep: (Int) async throws -> Bool) async throws -> Bool {
    guard isRenewalDue else { return true }
    return try await hold(at: kept.done, keep)
  }

  private var isRenewalDue: Bool {
    work.context.now() >= kept.date + work.renewalInterval.timeInterval
  }

  private mutating func hold(
    at done: Int, _ keep: (Int) async throws -> Bool
  ) async throws -> Bool {
    guard try await keep(done) else {
      report.isLeasedElsewhere = true
      report.isComplete = false
      return false
    }
    kept = (done, work.context.now())
    return true
  }

  private mutating func settle(_ question: Question) async throws -> ImportOutcome {
    try Task.checkCancellation()
    switch question.answer {
    case .failed(let error): throw error
    case .refused(let refusal): return .refused(refusal)
    case .postponed: return .postponed
    case .repeated: return .unchanged
    case .told(let facts, let account, let appID):
      let outcome = try await work.give(facts, to: account, inApp: appID)
      if case .refused = outcome { return outcome }
      if let mark = question.mark { settled.insert(mark) }
      return outcome
    case nil, .unanswered: return .postponed
    }
  }
}

/// The reason why results could not be told, so that their place is not kept.
private struct UntoldResults: Error {
  let reason: any Error
}

/// A row, and what the store answered about it.
private struct Question: Sendable {
  let number: Int
  let row: Result<ImportRow, ImportFault>
  private(set) var answer: ImportAnswer?

  init(number: Int, row: Result<ImportRow, ImportFault>) {
    self.number = number
    self.row = row
  }

  /// The claim of the row; nil for a row that cannot be read.
  var mark: ClaimMark? { (try? row.get()).map { ClaimMark($0) } }

  func answered(_ answer: ImportAnswer) -> Question {
    var question = self
    question.answer = answer
    return question
  }

  func result(_ outcome: ImportOutcome) -> ImportResult {
    switch row {
    case .success(let row):
      ImportResult(
        number: number, line: row.line, account: row.account.rawValue,
        evidence: row.evidence.kind, outcome: outcome)
    case .failure(let fault):
      ImportResult(
        number: number, line: fault.line, account: nil, evidence: nil, outcome: outcome)
    }
  }
}

/// A claim by 128 bits, which differ for any two claims but by a chance of one in 10 to the 26 with a million of them.
private struct ClaimMark: Hashable {
  private let first: Int
  private let second: Int

  init(_ row: ImportRow) {
    func hash(_ seed: Int) -> Int {
      var hasher = Hasher()
      hasher.combine(seed)
      hasher.combine(row.account)
      hasher.combine(row.aliases)
      hasher.combine(row.evidence)
      hasher.combine(row.appID)
      hasher.combine(row.environment)
      return hasher.finalize()
    }
    (first, second) = (hash(1), hash(2))
  }
}

extension ImportEvidence {
  /// The name in a report.
  var kind: String {
    switch self {
    case .receipt: "receipt"
    case .transactionID: "transaction"
    case .purchaseToken: "token"
    }
  }
}
