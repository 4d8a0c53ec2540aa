internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The recorder of facts: the one way in which they enter a store.
///
/// In one unit of work it locks the associations of the purchases and then the rows of their subscriptions, writes
/// the evidence and keeps its receipt, and lets the capabilities of the host follow. All units of work lock in this
/// order; orders come before, and credits after the subscriptions. Source: linking rules, sections 4.6 to 4.8;
/// entitlement rules, section 4.
struct FactsRecorder {
  /// The follower whose memberships rest on the purchases; nil for a host without memberships.
  var memberships: MembershipFollower?
  /// The service that plans the validations of owners; nil for a host without entitlements.
  var entitlements: EntitlementService?
  let now: Date

  /// Whether something besides credits and orders follows the facts.
  var hasFollowers: Bool { memberships != nil || entitlements != nil }

  /// Facts, completed by what is stored, with the locked associations of their purchases.
  struct Prepared {
    /// The facts in ascending order of environment, the purchases that others continue first.
    var facts: [PurchaseFacts] = []
    /// The associations of the purchases, and of those that Apple moved to them.
    var associations: [PurchaseAssociation] = []
  }

  /// Records facts, and lets the capabilities follow.
  ///
  /// - Returns: The subscriptions of known products in the facts, as written. If there is none, only the facts were
  ///   stored.
  /// - Throws: ``SubscriptionFailure/environmentMismatch``, or an error of the store.
  @discardableResult
  func record(_ facts: [PurchaseFacts], in unit: UnitOfWork) async throws -> [Subscription] {
    let prepared = try await prepare(facts, in: unit, isAccepted: true)
    let written = try await write(prepared, in: unit)
    try await follow(prepared.facts, of: written.owners, in: unit)
    return written.subscriptions
  }

  /// Records facts for the capabilities that follow; where none does, only the purchases are kept.
  func recordForFollowers(_ facts: [PurchaseFacts], in unit: UnitOfWork) async throws {
    guard !hasFollowers else {
      try await record(facts, in: unit)
      return
    }
    for facts in facts { try await facts.keepPurchases(in: unit, now: now) }
  }

  /// Completes facts and locks the associations of their purchases, before anything else.
  ///
  /// Everything that is asked about the facts afterwards is asked here. `isAccepted` tells that they will be written,
  /// so that rows may be inserted for them; `others` are asked along.
  func prepare(
    _ facts: [PurchaseFacts], in unit: UnitOfWork, isAccepted: Bool = false,
    asking others: [UnitQuestion] = []
  ) async throws -> Prepared {
    var prepared = Prepared()
    // Those of one environment stay in their order, the purchases that others continue first.
    let all = facts.flatMap { told in
      told.ancestors.map { ancestor in
        var ancestor = ancestor
        ancestor.isAncestor = true
        return ancestor
      } + [told]
    }
    let order = all.enumerated().sorted { one, other in
      (one.element.environment.rawValue, one.offset)
        < (other.element.environment.rawValue, other.offset)
    }
    for var facts in order.map(\.element) {
      (facts.accountMark, facts.ancestors) = (facts.inheritedMark, [])
      prepared.facts.append(facts)
    }
    try await unit.prepare(
      for: others + questions(about: prepared.facts, isAccepted: isAccepted, in: unit))
    guard unit.entitlements != nil else { return prepared }
    for index in prepared.facts.indices { try await prepared.facts[index].complete(in: unit) }
    for (environment, ids) in Self.associatedIDs(of: prepared.facts) {
      prepared.associations += try await unit.associations.find(ids, environment: environment)
    }
    return prepared
  }

  /// The original transaction IDs of purchases and of those that they continue, by environment in ascending order.
  private static func associatedIDs(
    of facts: [PurchaseFacts]
  ) -> [(AppStoreEnvironment, [String])] {
    Dictionary(grouping: facts, by: \.environment).mapValues { group in
      Set(group.flatMap { $0.originalTransactionIDs + Array($0.previousIDs) }).sorted()
    }.sorted { $0.key.rawValue < $1.key.rawValue }
  }

  /// The questions about facts as far as these tell them, in the order in which rows are locked.
  func questions(
    about facts: [PurchaseFacts], isAccepted: Bool, in unit: UnitOfWork
  ) -> [UnitQuestion] {
    var questions: [UnitQuestion] = []
    if unit.entitlements != nil {
      questions = Self.associatedIDs(of: facts).map { .associations($1, $0) }
    }
    for facts in facts {
      let (environment, own) = (facts.environment, facts.originalTransactionIDs)
      if unit.entitlements != nil || memberships != nil {
        questions.append(
          .originalTransactionIDs(
            ofTransactions: facts.purchases.map(\.transactionID), environment))
      }
      guard facts.completeness != .device else {
        questions.append(.transactions(of: own, environment))
        continue
      }
      questions +=
        memberships?.questions(
          about: facts, continuing: facts.previousIDs.subtracting(own), inserting: isAccepted)
        ?? [.recording(facts.purchases, environment)]
      if unit.entitlements != nil, entitlements == nil {
        questions.append(.unanswered(own, environment))
      }
    }
    return questions
  }

  struct Written {
    /// The subscriptions of known products in what was told, as written.
    var subscriptions: [Subscription] = []
    var owners: [PurchaseAssociation] = []
  }

  /// Writes prepared facts, with the memberships that rest on them; owners of earlier purchases inherit.
  ///
  /// - Throws: ``SubscriptionFailure/environmentMismatch``, or an error of the store.
  func write(_ prepared: Prepared, in unit: UnitOfWork) async throws -> Written {
    var written = Written()
    written.owners = try await inherit(prepared, in: unit)
    for facts in prepared.facts {
      let subscriptions = try await write(facts, in: unit)
      if !facts.isAncestor { written.subscriptions += subscriptions }
    }
    return written
  }

  private func write(_ told: PurchaseFacts, in unit: UnitOfWork) async throws -> [Subscription] {
    var facts = told
    var subscriptions: [Subscription] = []
    if facts.completeness == .device {
      // A device knows nothing about a stored purchase that the store doesn't know, so those stay as they are, with
      // their own stamps.
      let stored = try await facts.stored(in: unit)
      if let news = facts.news(besides: stored) { _ = try await write(news, in: unit) }
      if let memberships {
        subscriptions = try await memberships.subscriptions(
          onDevice: facts, besides: stored, in: unit)
      }
    } else if let memberships {
      let locked = try await memberships.lock(facts, in: unit)
      try await facts.leaveOutErased(in: unit)
      try await facts.keep(in: unit, now: now)
      subscriptions = try await memberships.follow(facts, locked, in: unit)
    } else {
      try await facts.leaveOutErased(in: unit)
      try await facts.keep(in: unit, now: now)
    }
    try await keepReceipt(of: facts, for: subscriptions, in: unit)
    return subscriptions
  }

  /// Stores the receipt under the ID of each subscription, also under the one that Apple moved it to; of evidence without
  /// any, under that of its first purchase.
  private func keepReceipt(
    of facts: PurchaseFacts, for written: [Subscription], in unit: UnitOfWork
  ) async throws {
    guard let receipt = facts.receipt else { return }
    let subscriptions = facts.purchases.filter { $0.expiresDate != nil }
    let ids = Set(subscriptions.map(\.originalTransactionID))
      .union(written.map(\.originalTransactionID)).sorted()
    for id in ids.isEmpty ? Array(facts.originalTransactionIDs.prefix(1)) : ids {
      try await unit.purchases.put(
        StoredReceipt(
          originalTransactionID: id, environment: facts.environment, receipt: receipt,
          asOf: facts.asOf), now: now)
    }
  }
}

extension PurchaseFacts {
  /// Completes the facts by what is stored: moves of Apple's, and types and plans of products.
  mutating func complete(in unit: UnitOfWork) async throws {
    let ids = try await unit.purchases.originalTransactionIDs(
      ofTransactions: purchases.map(\.transactionID), environment: environment
    ).sorted()
    let lacksTypes = purchases.contains { $0.productType == nil }
    let own = originalTransactionIDs
    guard lacksTypes || own.count > 1 || !Set(ids).isSubset(of: own) else { return }
    let stored = try await unit.purchases.transactions(of: ids, environment: environment)
    noteMoves(of: stored)
    adoptKnown(of: stored)
  }
}

extension FactsRecorder {
  /// Does work in a unit of work that records facts, again after each conflict about a unique key, at most `retries`
  /// times.
  ///
  /// Unknown values of memberships are reported afterwards, because the work may run more than once.
  func recording<Result: Sendable>(
    in context: PurchaseContext, retries: Int = 5,
    _ work: UnitOfWorkBody<Result>
  ) async throws -> Result {
    defer { memberships?.unknown.tell(context.tell) }
    return try await UniqueConflicts.retrying(retries) { try await context.store.write(work) }
  }
}
