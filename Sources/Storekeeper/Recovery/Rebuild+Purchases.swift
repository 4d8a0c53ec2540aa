internal import AppStoreServerAPI
internal import GooglePlayVerifier
internal import JWSVerifier
internal import OrderPolicy
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
        if unanswered.count > 2 { try await judge(&unanswered, answered, since: start, &report) }
        begin()
      }
    }
    try await judge(&unanswered, answered, since: start, &report)
  }

  /// Asks once more about purchases about which a store gave no answer, and passes over those about which it still gives
  /// none, although it answers about another one before and after.
  ///
  /// - Throws: The failure of a purchase, if the store answers about none.
  private func judge(
    _ unanswered: inout [UnansweredPurchase], _ answered: [PurchaseServer: ReceiptCursor],
    since start: Date,
    _ report: inout Report
  ) async throws {
    for failed in unanswered {
      guard let other = answered[failed.key.server], try await isAnswered(other) else {
        throw failed.failure
      }
      switch try await answer(about: failed.key, since: start).result {
      case .success(let tally): report.note(tally)
      case .failure(let again):
        guard try await isAnswered(other) else { throw again.failure }
        report.note(PurchaseTally(.notAnswered))
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
      guard Self.mayPass(error) else { throw error }
      return PurchaseAnswer(
        key: key, result: .failure(UnansweredPurchase(key: key, failure: error)))
    }
  }

  /// Whether a failure may be an outage, or that of one purchase.
  private static func mayPass(_ failure: any Error) -> Bool {
    switch failure {
    case let failure as AppStoreServerFailure: failure.retry != .never
    case OrderFailure.vendorUnavailable(let reason): reason.reason != .refused
    default: false
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
        guard failure.concernsOneCustomer else { throw failure }
        return PurchaseTally(.refusedByApple)
      } catch is FactsFailure {
        return PurchaseTally(.notRecordable)
      } catch StorageFailure.invalidValue {
        return PurchaseTally(.notRecordable)
      } catch SubscriptionFailure.environmentMismatch {
        return PurchaseTally(.environmentMismatch)
      }
    }
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
      guard case .vendorUnavailable(let reason) = failure, reason.reason == .unreadable else {
        throw failure
      }
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

/// What was found about a stored purchase.
struct PurchaseTally: Sendable {
  var isKnown = false
  var askedOfApple = 0
  var askedOfGoogle = 0
  var changes: PurchaseChanges?
  var credits = CreditRestorations()
  var refused = 0
  var fault: Rebuild.Fault?

  init(isKnown: Bool) { self.isKnown = isKnown }

  init(_ fault: Rebuild.Fault) { self.fault = fault }

  init(ofApple changes: PurchaseChanges) {
    self.changes = changes
    askedOfApple = 1
  }

  init(ofGoogle changes: PurchaseChanges) {
    self.changes = changes
    askedOfGoogle = 1
  }
}

extension Rebuild.Report {
  fileprivate mutating func note(_ tally: PurchaseTally) {
    visitedPurchases += 1
    if tally.isKnown { knownPurchases += 1 }
    askedOfApple += tally.askedOfApple
    askedOfGoogle += tally.askedOfGoogle
    added += tally.changes?.added.count ?? 0
    revoked += tally.changes?.revoked.count ?? 0
    restored += tally.changes?.restored.count ?? 0
    note(tally.credits)
    note(.historyElementRefused, tally.refused)
    if let fault = tally.fault { note(fault) }
  }
}

extension NotificationService {
  /// Records all that Apple tells about a customer, for each service that follows notifications.
  ///
  /// Credits come first, and the facts with everything else that follows them in one unit of work: where a purchase
  /// has the stamp of this answer, all is done.
  ///
  /// - Throws: ``FactsFailure``, ``SubscriptionFailure``, ``CreditFailure`` that may pass, or an error of the store or
  ///   of the host's accounts.
  fileprivate func record(
    _ customer: CustomerAnswer, since start: Date
  ) async throws -> PurchaseTally {
    let facts = try customer.facts
    var restorations: [(id: String?, outcome: CreditService.Restoration)] = []
    if let credits {
      // In the order of the purchases, so that of two starter packs the first one counts.
      let charges = customer.history.transactions.sorted {
        ($0.payload.purchaseDate ?? .distantPast) < ($1.payload.purchaseDate ?? .distantPast)
      }
      for charge in charges {
        restorations.append((charge.payload.transactionID, try await credits.restore(charge)))
      }
    }
    let followers = try await orderFollowers(of: facts)
    let recorder = FactsRecorder(
      memberships: subscriptions?.memberships(because: .refresh), entitlements: entitlements,
      now: now())
    let before = try await recorder.recording(in: context) { unit in
      for follower in followers { try await follower.lock(in: unit) }
      let before = try await unit.purchases.transactions(
        of: facts.originalTransactionIDs, environment: facts.environment)
      try await recorder.recordForFollowers([facts], in: unit)
      for follower in followers { try await follower.follow(in: unit) }
      return before
    }
    var tally = PurchaseTally(ofApple: PurchaseChanges(from: before, to: facts.purchases))
    // Two purchases of a customer may be asked about at the same time.
    let told = Set(
      before.filter { ($0.signedDate ?? .distantPast) >= start }.map(\.transactionID))
    for (id, outcome) in restorations
    where !outcome.isFault || !(id.map(told.contains) ?? false) {
      tally.credits.note(outcome)
    }
    tally.refused = customer.history.refused.count
    if tally.refused > 0 { report(.historyElementsRefused(tally.refused)) }
    return tally
  }

  /// Returns the followers of orders, one for each purchase, as a notification about that alone has one.
  private func orderFollowers(of facts: PurchaseFacts) async throws -> [OrderFollower] {
    var followers: [OrderFollower] = []
    for id in facts.originalTransactionIDs {
      var own = facts
      own.purchases = facts.purchases.filter { $0.originalTransactionID == id }
      if let follower = try await orders(after: own), !follower.isEmpty {
        followers.append(follower)
      }
    }
    return followers
  }
}
