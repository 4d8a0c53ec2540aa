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
    var undecided = UndecidedPurchases()
    while true {
      let (after, limit) = (cursor, max(1, batchSize))
      let keys = try await context.store.read { records in
        try await records.purchases.purchases(after: after, limit: limit)
      }
      guard let last = keys.last else { return }
      try await ask(about: keys, since: start, &undecided, &report)
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
    _ undecided: inout UndecidedPurchases, _ report: inout Report
  ) async throws {
    var waiting = try await customers(of: keys)[...]
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
            for server in answer.servers { undecided.noteAnswer(about: answer.key, by: server) }
            report.note(tally)
          case .failure(let failure): undecided.add(failure)
          }
        }
        if undecided.isMany { try await judge(&undecided, since: start, &report) }
        begin()
      }
    }
    try await judge(&undecided, since: start, &report)
  }

  private func judge(
    _ undecided: inout UndecidedPurchases, since start: Date, _ report: inout Report
  ) async throws {
    try await undecided.judge(
      page: { cursor in
        try await context.store.read { records in
          try await records.purchases.purchases(after: cursor, limit: 1000)
        }
      },
      isAnswered: { key, server in
        guard server.vendor == .apple else {
          return try await answer(about: key, since: .distantFuture).servers.contains(server)
        }
        return try await apple[server.app].appStore.answers(about: key)
      },
      askAgain: { purchase in
        switch try await answer(about: purchase.key, since: start).result {
        case .success(let tally):
          report.note(tally)
          return nil
        case .failure(let again): return again
        }
      },
      passOver: { report.note(PurchaseTally($0.isOutage ? .notAnswered : .refusedByApple)) })
  }

  /// Asks all servers that may know a purchase.
  private func answer(
    about key: ReceiptCursor, since start: Date
  ) async throws -> PurchaseAnswer {
    var servers: [PurchaseServer] = []
    do {
      let tally = try await ask(about: key, since: start, &servers)
      return PurchaseAnswer(key: key, servers: servers, result: .success(tally))
    } catch let undecided as UndecidedPurchase {
      try Task.checkCancellation()
      return PurchaseAnswer(key: key, servers: servers, result: .failure(undecided))
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
  ///
  /// The servers that answer are noted, also if they do not know the purchase.
  ///
  /// - Throws: ``UndecidedPurchase``, or an error that ends the run.
  private func ask(
    about key: ReceiptCursor, since start: Date, _ answering: inout [PurchaseServer]
  ) async throws -> PurchaseTally {
    try Task.checkCancellation()
    let stored = try await transactions(of: key)
    switch TransactionIDs.vendor(of: key.originalTransactionID) {
    case .apple:
      guard !stored.allSatisfy({ ($0.signedDate ?? .distantPast) >= start }) else {
        return PurchaseTally(isKnown: true)
      }
      return try await askApple(
        about: key, since: start, by: appleServers(of: key.environment), &answering)
    // What a push told meanwhile gives no credits.
    case .google:
      let server = PurchaseServer(vendor: .google, environment: key.environment)
      let tally = try await askGoogle(about: key, stored, by: server)
      if tally.fault == nil { answering.append(server) }
      return tally
    default: return PurchaseTally(.vendorNotAsked)
    }
  }

  /// The servers that know purchases of Apple's, each for one app.
  private func appleServers(of environment: AppStoreEnvironment) -> [PurchaseServer] {
    apple.indices.filter { apple[$0].environments.contains(environment) }
      .map { PurchaseServer(vendor: .apple, environment: environment, app: $0) }
  }

  private func transactions(of key: ReceiptCursor) async throws -> [PurchaseRecord] {
    try await context.store.read { records in
      try await records.purchases.transactions(
        of: [key.originalTransactionID], environment: key.environment)
    }
  }

  // MARK: Apple

  private func askApple(
    about key: ReceiptCursor, since start: Date, by servers: [PurchaseServer],
    _ answering: inout [PurchaseServer]
  ) async throws -> PurchaseTally {
    var undecided: UndecidedPurchase?
    for server in servers {
      let recovery = apple[server.app]
      do {
        let customer = try await recovery.appStore.customer(
          of: key.originalTransactionID, in: key.environment)
        let tally = try await recovery.notifications.record(customer, since: start)
        if tally.fault == nil { answering.append(server) }
        return tally
      } catch let failure as AppStoreServerFailure where failure.isUnknownIdentifier {
        // Another app may know it.
        answering.append(server)
      } catch let failure as AppStoreServerFailure {
        context.tell(.sourceFailed(failure, of: recovery.appStore.scope))
        switch AskingFailure(failure) {
        case .refusal:
          // It may be a purchase of the app that gave no answer.
          if let undecided { throw undecided }
          return PurchaseTally(.refusedByApple)
        // It may be a purchase of another app.
        case .fatalIfCommon, .outage:
          try Task.checkCancellation()
          undecided = undecided ?? UndecidedPurchase(key: key, server: server, failure: failure)
        case .fatal: throw failure
        }
      } catch is FactsFailure {
        return PurchaseTally(.notRecordable)
      } catch StorageFailure.invalidValue {
        return PurchaseTally(.notRecordable)
      } catch SubscriptionFailure.environmentMismatch {
        return PurchaseTally(.environmentMismatch)
      }
    }
    if let undecided { throw undecided }
    return PurchaseTally(servers.isEmpty ? .vendorNotAsked : .unknownToApple)
  }

  // MARK: Google

  private func askGoogle(
    about key: ReceiptCursor, _ stored: [PurchaseRecord], by server: PurchaseServer
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
      let meaning = AskingFailure(failure)
      if case .refusal = meaning { return PurchaseTally(.unreadableAnswer) }
      guard meaning.isDoubtful else { throw failure }
      throw UndecidedPurchase(key: key, server: server, failure: failure)
    }
    return tally
  }
}

/// An answer about a stored purchase, or the failure that may be the server's or its own.
private struct PurchaseAnswer: Sendable {
  let key: ReceiptCursor
  /// The servers that answered, also that they do not know the purchase.
  let servers: [PurchaseServer]
  let result: Result<PurchaseTally, UndecidedPurchase>
}
