internal import AppStoreServerAPI
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The questions about each stored purchase.
extension Rebuild {
  /// Asks about all stored purchases after a place, batch by batch.
  func askAboutPurchases(
    _ lease: JobPlace, _ place: RebuildPlace, _ job: LeasedJob, _ report: inout Report,
    _ note: (Report) -> Void
  ) async throws {
    var cursor = ReceiptCursor(place: place.rest)
    let start = place.startDate ?? .distantFuture
    var answered: [PurchaseServer: ReceiptCursor] = [:]
    while true {
      let (after, limit) = (cursor, max(1, batchSize))
      let keys = try await context.store.read { records in
        try await records.purchases.purchases(after: after, limit: limit)
      }
      guard let last = keys.last else { return }
      try await ask(about: keys, since: start, &answered, &report)
      cursor = last
      guard try await job.advance(lease, to: last.place) else {
        report.isLeasedElsewhere = true
        return
      }
      note(report)
    }
  }

  private func ask(
    about keys: [ReceiptCursor], since start: Date,
    _ answered: inout [PurchaseServer: ReceiptCursor],
    _ report: inout Report
  ) async throws {
    var waiting = try await customers(of: keys)[...]
    var unanswered: [UnansweredPurchase] = []
    try await withThrowingTaskGroup(of: [PurchaseAnswer].self) { group in
      func begin() {
        guard let purchases = waiting.popFirst() else { return }
        group.addTask {
          var answers: [PurchaseAnswer] = []
          for key in purchases { answers.append(try await answer(about: key, since: start)) }
          return answers
        }
      }
      for _ in 0..<max(1, concurrency) { begin() }
      while let answers = try await group.next() {
        for answer in answers {
          switch answer.result {
          case .success(let tally):
            if tally.fault == nil { answered[answer.key.server] = answer.key }
            report.note(tally)
          case .failure(let failure): unanswered.append(failure)
          }
        }
        if unanswered.count(where: \.isOutage) > 2 {
          try await judge(&unanswered, answered, since: start, &report)
        }
        begin()
      }
    }
    try await judge(&unanswered, answered, since: start, &report)
  }

  /// Passes over purchases about which a store gave no answer, or refused one, although it answers about another one.
  ///
  /// Where there was no answer the store is asked once more, between two questions about the other one. A refusal counts
  /// as that of one purchase also where no other one was answered, unless three were refused.
  ///
  /// - Throws: The failure of a purchase, if the store answers about none.
  private func judge(
    _ unanswered: inout [UnansweredPurchase], _ answered: [PurchaseServer: ReceiptCursor],
    since start: Date,
    _ report: inout Report
  ) async throws {
    let refusals = unanswered.count { !$0.isOutage }
    for failed in unanswered {
      let other = answered[failed.key.server]
      guard failed.isOutage || other != nil || refusals > 2 else {
        report.note(PurchaseTally(.refusedByApple))
        continue
      }
      guard let other, try await isAnswered(other) else { throw failed.failure }
      guard failed.isOutage else {
        report.note(PurchaseTally(.refusedByApple))
        continue
      }
      switch try await answer(about: failed.key, since: start).result {
      case .success(let tally): report.note(tally)
      case .failure(let again):
        guard try await isAnswered(other) else { throw again.failure }
        report.note(PurchaseTally(again.isOutage ? .notAnswered : .refusedByApple))
      }
    }
    unanswered = []
  }

  /// Whether a store answers about a purchase now.
  private func isAnswered(_ key: ReceiptCursor) async throws -> Bool {
    guard case .success(let tally) = try await answer(about: key, since: .distantFuture).result
    else { return false }
    return tally.askedOfApple + tally.askedOfGoogle > 0
  }

  private func answer(
    about key: ReceiptCursor, since start: Date
  ) async throws -> PurchaseAnswer {
    do {
      return PurchaseAnswer(key: key, result: .success(try await ask(about: key, since: start)))
    } catch {
      try Task.checkCancellation()
      guard AskingFailure(error).isDoubtful else { throw error }
      return PurchaseAnswer(
        key: key, result: .failure(UnansweredPurchase(key: key, failure: error)))
    }
  }

  /// Returns purchases by the customers that the app named in them; what is known of one customer is asked for once,
  /// if it is not asked for twice at the same time.
  private func customers(of keys: [ReceiptCursor]) async throws -> [[ReceiptCursor]] {
    var tokens: [ReceiptCursor: String] = [:]
    for (environment, own) in Dictionary(grouping: keys, by: \.environment) {
      let stored = try await context.store.read { records in
        try await records.purchases.transactions(
          of: own.map(\.originalTransactionID), environment: environment)
      }
      for purchase in stored {
        guard let token = purchase.appAccountToken else { continue }
        let key = ReceiptCursor(
          originalTransactionID: purchase.originalTransactionID, environment: environment)
        tokens[key] = token.uuidString
      }
    }
    return Array(Dictionary(grouping: keys) { tokens[$0] ?? $0.place }.values)
  }

  /// Asks about a purchase, unless an answer of Apple's since the start has told of all of it: one about another
  /// purchase of the same customer.
  private func ask(about key: ReceiptCursor, since start: Date) async throws -> PurchaseTally {
    try Task.checkCancellation()
    let stored = try await transactions(of: key)
    switch TransactionIDs.vendor(of: key.originalTransactionID) {
    case .apple:
      guard !stored.allSatisfy({ ($0.signedDate ?? .distantPast) >= start }) else {
        return PurchaseTally(isKnown: true)
      }
      return try await askApple(about: key, since: start)
    // What a push told meanwhile gives no credits.
    case .google: return try await askGoogle(about: key, stored)
    default: return PurchaseTally(.vendorNotAsked)
    }
  }

  private func transactions(of key: ReceiptCursor) async throws -> [PurchaseRecord] {
    try await context.store.read { records in
      try await records.purchases.transactions(
        of: [key.originalTransactionID], environment: key.environment)
    }
  }

  // MARK: Apple

  private func askApple(
    about key: ReceiptCursor, since start: Date
  ) async throws -> PurchaseTally {
    let recoveries = apple.filter { $0.environments.contains(key.environment) }
    guard !recoveries.isEmpty else { return PurchaseTally(.vendorNotAsked) }
    var refusal: AppStoreServerFailure?
    for recovery in recoveries {
      do {
        let customer = try await recovery.appStore.customer(
          of: key.originalTransactionID, in: key.environment)
        return try await recovery.notifications.record(customer, since: start)
      } catch let failure as AppStoreServerFailure where failure.isUnknownIdentifier {
        // Another app may know it.
        continue
      } catch let failure as AppStoreServerFailure {
        context.tell(.sourceFailed(failure, of: recovery.appStore.scope))
        switch AskingFailure(failure) {
        case .refusal: return PurchaseTally(.refusedByApple)
        // The key may be that of another app.
        case .fatalIfCommon: refusal = failure
        case .outage, .fatal: throw failure
        }
      } catch is FactsFailure {
        return PurchaseTally(.notRecordable)
      } catch StorageFailure.invalidValue {
        return PurchaseTally(.notRecordable)
      } catch SubscriptionFailure.environmentMismatch {
        return PurchaseTally(.environmentMismatch)
      }
    }
    if let refusal { throw refusal }
    return PurchaseTally(.unknownToApple)
  }

  // MARK: Google

  private func askGoogle(
    about key: ReceiptCursor, _ stored: [PurchaseRecord]
  ) async throws -> PurchaseTally {
    guard let google else { return PurchaseTally(.vendorNotAsked) }
    let receipt = try await context.store.read { records in
      try await records.purchases.receipt(
        of: key.originalTransactionID, environment: key.environment)
    }
    guard let receipt else { return PurchaseTally(.tokenMissing) }
    try await pace.turn()
    var tally: PurchaseTally
    do {
      let credits = try await google.notifications.restore(receipt.receipt)
      tally = PurchaseTally(
        ofGoogle: PurchaseChanges(from: stored, to: try await transactions(of: key)))
      tally.credits = credits
    } catch let failure as OrderFailure {
      try Task.checkCancellation()
      guard case .refusal = AskingFailure(failure) else { throw failure }
      return PurchaseTally(.unreadableAnswer)
    }
    return tally
  }
}

/// An answer about a stored purchase, or the failure that may be the store's or its own.
private struct PurchaseAnswer: Sendable {
  let key: ReceiptCursor
  let result: Result<PurchaseTally, UnansweredPurchase>
}

private struct UnansweredPurchase: Error {
  let key: ReceiptCursor
  let failure: any Error

  /// Whether there was no answer, and not one that may be about the key or about the purchase.
  var isOutage: Bool { AskingFailure(failure).isOutage }
}

/// A store, as one of its servers answers for it.
private struct PurchaseServer: Hashable {
  let vendor: Vendor
  let environment: AppStoreEnvironment
}

extension ReceiptCursor {
  fileprivate var server: PurchaseServer {
    PurchaseServer(
      vendor: TransactionIDs.vendor(of: originalTransactionID), environment: environment)
  }
}
