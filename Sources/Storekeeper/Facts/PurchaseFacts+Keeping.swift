internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Writes the purchases, the renewals and the verification; of two copies the newer one stays.
  ///
  /// Source: linking rules, section 4.6.
  func keep(in records: UnitOfWork, now: Date) async throws {
    let kept = try await keepPurchases(in: records, now: now)
    switch completeness {
    case .all:
      let entries = Dictionary(
        grouping: try await kept.renewalsWithCommitments(in: records),
        by: \.originalTransactionID)
      for id in replacedIDs {
        try await records.purchases.replace(
          renewals: entries[id] ?? [], of: id, environment: environment, asOf: asOf, now: now)
      }
    case .single, .device:
      guard !renewals.isEmpty else { break }
      try await records.purchases.record(renewals: renewals, environment: environment, now: now)
    }
    if let session {
      try await records.purchases.record(session: session, now: now)
    }
  }

  /// Leaves out the receipt and the verification if they come from a receipt that the database has no more, because its
  /// account was erased meanwhile.
  mutating func leaveOutErased(in records: UnitOfWork) async throws {
    guard let storedID,
      try await records.purchases.receiptStamp(of: storedID, environment: environment) == nil
    else { return }
    (receipt, session) = (nil, nil)
  }

  /// The original transaction IDs whose renewals are replaced, in ascending order.
  var replacedIDs: [String] {
    guard completeness == .all else { return [] }
    let subscriptions = purchases.filter { $0.expiresDate != nil || $0.hasUnreadableExpiry }
    return Set(subscriptions.map(\.originalTransactionID))
      .union(renewals.map(\.originalTransactionID)).sorted()
  }

  /// Returns the renewals, with the stored customers' choices for the time after their commitments, of which
  /// verifyReceipt does not tell.
  private func renewalsWithCommitments(in records: UnitOfWork) async throws -> [RenewalRecord] {
    let committed = Set(
      purchases.filter { $0.commitment != nil }.map(\.originalTransactionID))
    let ids = Set(renewals.map(\.originalTransactionID)).intersection(committed).sorted()
    guard voucher == .verifyReceipt, !ids.isEmpty else { return renewals }
    let stored = try await records.purchases.renewals(of: ids, environment: environment)
    return renewals.map { renewal in
      var renewal = renewal
      renewal.commitment =
        stored.first {
          $0.originalTransactionID == renewal.originalTransactionID
            && $0.productID == renewal.productID
        }?.commitment
      return renewal
    }
  }

  /// Writes the purchases, and the end of those that they end without naming them.
  ///
  /// - Returns: The facts with what was known of these purchases, and with the ends that are stored.
  @discardableResult
  func keepPurchases(in records: UnitOfWork, now: Date) async throws -> PurchaseFacts {
    guard vendor == .google else {
      var facts = self
      // Each transaction of its answer replaces the stored one, and it names no types, plans and commitments.
      if voucher == .verifyReceipt {
        facts.adoptKnown(
          of: try await records.purchases.transactions(
            of: originalTransactionIDs, environment: environment))
      }
      try await records.purchases.record(
        transactions: facts.purchases, environment: environment, now: now)
      return facts
    }
    let stored = try await storedLineage(in: records)
    var facts = self
    facts.adoptEnds(of: stored)
    try await records.purchases.record(
      transactions: facts.purchases, environment: environment, now: now)
    let ended = facts.purchasesEnded(among: stored)
    guard !ended.isEmpty else { return facts }
    try await records.purchases.record(
      transactions: ended, environment: environment, now: now)
    return facts
  }

  /// Returns the stored charges of these purchases, and of those that they replaced.
  private func storedLineage(in records: UnitOfWork) async throws -> [PurchaseRecord] {
    let own = Set(originalTransactionIDs)
    let ids = replacementDate == nil ? own : own.union(previousIDs)
    return try await records.purchases.transactions(of: ids.sorted(), environment: environment)
  }

  /// Returns the stored purchases that these facts end without naming them: earlier charges under a token that
  /// gives nothing now, and the purchases that another one continues.
  private func purchasesEnded(among stored: [PurchaseRecord]) -> [PurchaseRecord] {
    guard vendor == .google, purchases.contains(where: { $0.expiresDate != nil }) else { return [] }
    let told = Set(purchases.map(\.transactionID))
    let own = Set(originalTransactionIDs)
    return stored.compactMap { charge in
      guard !told.contains(charge.transactionID) else { return nil }
      guard own.contains(charge.originalTransactionID) else {
        return replacementDate.flatMap { charge.ended(by: $0, asOf: asOf) }
      }
      // An answer that is older than the charge knows nothing of it.
      guard !charge.isCancelled, charge.signedDate ?? asOf <= asOf,
        let end = endDate ?? removalDate(of: charge) ?? replacedPeriodEnd(of: charge)
      else { return nil }
      return charge.ended(by: end, asOf: asOf)
    }
  }

  /// Takes over the ends that are stored of these charges: what Google has taken back or replaced once never runs
  /// again, although it may look active for a moment.
  ///
  /// A later end than the stored one is that of a new period.
  mutating func adoptEnds(of stored: [PurchaseRecord]) {
    guard vendor == .google else { return }
    let known = Dictionary(stored.map { ($0.transactionID, $0) }) { $1 }
    for index in purchases.indices {
      guard let charge = known[purchases[index].transactionID],
        let end = charge.cancellationDate,
        let told = purchases[index].expiresDate, told <= charge.expiresDate ?? .distantPast
      else { continue }
      purchases[index].cancellationDate = min(end, purchases[index].cancellationDate ?? end)
    }
  }

  /// Returns whether the charge of a running product is known to have ended, because another purchase replaced it or
  /// because it was taken back.
  func hasEnded(_ productID: String, besides stored: [PurchaseRecord]) -> Bool {
    guard vendor == .google else { return false }
    var facts = self
    facts.adoptEnds(of: stored)
    let charges = facts.purchases.filter { $0.productID.isSameText(as: productID) }
    return !charges.isEmpty && charges.allSatisfy(\.isCancelled)
  }

  /// Returns the moment of these facts if an earlier charge was to last longer than Google tells now of its product;
  /// nil otherwise.
  ///
  /// A payment that failed after all takes its period back, and what is paid instead has one of its own.
  private func replacedPeriodEnd(of charge: PurchaseRecord) -> Date? {
    let told = purchases.filter {
      $0.originalTransactionID == charge.originalTransactionID
        && $0.productID.isSameText(as: charge.productID)
    }.compactMap(\.expiresDate).max()
    guard let told, let end = charge.expiresDate, told < end else { return nil }
    return asOf
  }

  /// Returns the end of an item of a running subscription that is among its items no more: nobody waits for its
  /// renewal.
  private func removalDate(of stored: PurchaseRecord) -> Date? {
    purchases.contains { $0.productID.isSameText(as: stored.productID) } ? nil : asOf
  }

  /// Returns facts that end the stored purchases of an ID which are not over, in both environments.
  static func ends(
    of id: String, asOf: Date, in records: UnitOfWork
  ) async throws -> [PurchaseFacts] {
    let asOf = asOf.stamp
    var all: [PurchaseFacts] = []
    for environment in [AppStoreEnvironment.production, .sandbox] {
      let ended = try await records.purchases.transactions(of: [id], environment: environment)
        .filter { !$0.isCancelled && asOf < $0.expiresDate ?? .distantFuture }
        .map { $0.cancelled(on: asOf, asOf: asOf) }
      guard !ended.isEmpty else { continue }
      all.append(
        PurchaseFacts(
          .googlePlay, .single, environment: environment, asOf: asOf, purchases: ended,
          renewals: []))
    }
    return all
  }

  /// Returns whether the records know, from a later moment, that a purchase of Google ends earlier than these
  /// facts say.
  ///
  /// Orders hear of changes at Google alone from others than the user.
  func areOvertaken(in records: UnitOfWork) async throws -> Bool {
    guard vendor == .google else { return false }
    try await records.prepare(
      for: [.transactions(of: originalTransactionIDs, environment, again: true)])
    let stored = try await records.purchases.transactions(
      of: originalTransactionIDs, environment: environment)
    let known = Dictionary(stored.map { ($0.transactionID, $0) }) { $1 }
    return purchases.contains { purchase in
      guard !purchase.isCancelled, let later = known[purchase.transactionID],
        let moment = later.signedDate, asOf < moment
      else { return false }
      guard !later.isCancelled else { return true }
      guard let end = later.expiresDate, let told = purchase.expiresDate else { return false }
      return end < told
    }
  }

  /// Returns whether the records lack something that these facts say.
  ///
  /// The moment of the facts alone is no news, because nothing that did not change is written.
  func areNews(to records: UnitOfWork) async throws -> Bool {
    if try await havePurchaseNews(to: records) { return true }
    guard !renewals.isEmpty else { return false }
    let entries = Set(
      try await records.purchases.renewals(of: originalTransactionIDs, environment: environment)
        .map(told))
    return !renewals.allSatisfy { entries.contains(told($0)) }
  }

  /// Returns what evidence of this kind tells of a renewal, without its moment.
  private func told(_ renewal: RenewalRecord) -> RenewalRecord {
    var renewal = renewal.unstamped
    if voucher == .verifyReceipt { renewal.commitment = nil }
    return renewal
  }

  /// Returns whether the records lack a purchase that these facts tell of, or an end that they tell.
  func havePurchaseNews(to records: UnitOfWork) async throws -> Bool {
    if try await havePurchases(newTo: records) { return true }
    // The purchase that this one continues may have been told of later.
    guard replacementDate != nil else { return false }
    return try await !purchasesEnded(among: storedLineage(in: records)).isEmpty
  }

  /// Returns whether a purchase is not stored, or is stored with other values.
  private func havePurchases(newTo records: UnitOfWork) async throws -> Bool {
    let stored = try await records.purchases.transactions(
      of: originalTransactionIDs, environment: environment)
    let known = Dictionary(stored.map { ($0.transactionID, $0.unstamped) }) { $1 }
    var facts = self
    if voucher == .verifyReceipt { facts.adoptKnown(of: stored) }
    facts.adoptEnds(of: stored)
    return !facts.purchases.allSatisfy { known[$0.transactionID] == $0.unstamped }
  }

  /// Returns the stored purchases of every subscription that has one of these transactions.
  func stored(in records: UnitOfWork) async throws -> [PurchaseRecord] {
    let originals = try await records.purchases.originalTransactionIDs(
      ofTransactions: purchases.map(\.transactionID), environment: environment
    ).sorted()
    return try await records.purchases.transactions(of: originals, environment: environment)
  }

  /// Returns what the facts of a device add to stored purchases, or nil if that is nothing: purchases that
  /// are not stored, and later refunds of those that are.
  ///
  /// About a stored purchase a device knows less than the store, so the other values stay.
  func news(besides stored: [PurchaseRecord]) -> PurchaseFacts? {
    let known = Dictionary(stored.map { ($0.transactionID, $0) }) { $1 }
    let news = purchases.compactMap { purchase -> PurchaseRecord? in
      guard var record = known[purchase.transactionID] else { return purchase }
      guard purchase.isCancelled, !record.isCancelled, record.signedDate ?? asOf <= asOf else {
        return nil
      }
      record.cancellationDate = purchase.cancellationDate
      record.hasUnreadableCancellation = purchase.hasUnreadableCancellation
      record.signedDate = asOf
      return record
    }
    guard !news.isEmpty else { return nil }
    return PurchaseFacts(
      voucher, .single, environment: environment, asOf: asOf, purchases: news, renewals: [])
  }
}

extension PurchaseRecord {
  /// Returns the record as ended by a date, or at its expiry if that is earlier, so that no days of grace count; nil
  /// if it was ended by then.
  fileprivate func ended(by date: Date, asOf: Date) -> PurchaseRecord? {
    let end = min(expiresDate ?? date, date)
    guard !hasUnreadableCancellation, cancellationDate.map({ end < $0 }) ?? true else {
      return nil
    }
    return cancelled(on: end, asOf: max(asOf, signedDate ?? asOf))
  }

  /// Returns the record with the end that a store has told, and the moment of that.
  fileprivate func cancelled(on date: Date, asOf: Date) -> PurchaseRecord {
    var record = self
    record.cancellationDate = date
    record.signedDate = asOf
    return record
  }

  fileprivate var unstamped: PurchaseRecord {
    var record = self
    record.signedDate = nil
    return record
  }
}

extension RenewalRecord {
  fileprivate var unstamped: RenewalRecord {
    var record = self
    record.signedDate = nil
    return record
  }
}
