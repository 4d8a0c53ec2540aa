internal import LinkPolicy
public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The erasing of an account that its holder, or the law, wants gone.
///
/// ```swift
/// let eraser = AccountEraser(shop, receiptCaches: caches)
/// let report = try await eraser.erase("alice", reference: "request 4711")
/// ```
///
/// What must be kept, such as the ledger and disputes, is kept under a random pseudonym; the rest goes. All rows change in
/// one unit of work, so that a ledger and its balance agree at every moment and an erasure is done or not done; the rows
/// of one account are few enough for that. Receipts go from the caches before it, and once more after it. So a call that
/// was stopped is made again. Erase the account in the host's own directory first: otherwise a notification that comes
/// later finds it there again.
///
/// An account that comes back under the same identifier is a new one. The guide "Erasing an account" has the table of what
/// becomes of each row.
public struct AccountEraser: Sendable {
  public let context: PurchaseContext
  /// The caches of receipts before the database.
  public let receiptCaches: [any ReceiptStore]

  /// Creates an eraser for a store with the records of any capabilities.
  public init(_ context: PurchaseContext, receiptCaches: [any ReceiptStore] = []) {
    self.context = context
    self.receiptCaches = receiptCaches
  }

  /// The result of an erasure.
  public struct Report: Hashable, Sendable {
    /// The pseudonym that stands in the account's place; nil if nothing was stored about it.
    ///
    /// Who keeps it with the account's identifier keeps what was to be erased.
    public var pseudonym: AccountID?
    /// The number of rows that were changed or removed, by kind; a kind without any is left out.
    public var rows: [ErasedKind: Int]

    /// Creates a report.
    public init(pseudonym: AccountID?, rows: [ErasedKind: Int]) {
      self.pseudonym = pseudonym
      self.rows = rows
    }
  }

  /// Erases an account, known by either of its identifiers; one that is not stored changes nothing.
  ///
  /// If the host's directory still knows the account, its other identifier and its app account token are erased too. With
  /// events, ``PurchaseEvent/Kind/accountErased`` tells of it, with the pseudonym and the reference: a text by which the
  /// host finds the erasure again, at most 255 bytes. Texts that the host chose itself, such as those of its own bookings,
  /// stay as they are.
  ///
  /// - Parameters:
  ///   - id: One of the account's identifiers.
  ///   - secondID: The other one. Where the directory has forgotten the account, and no membership has both, only this
  ///     tells it.
  ///   - reference: The text by which the host finds the erasure again.
  /// - Returns: What was changed or removed.
  /// - Throws: ``/PurchaseStorage/StorageFailure/capabilityMissing(_:)`` for a store that can't erase,
  ///   ``/PurchaseStorage/StorageFailure/invalidValue(field:)`` for a longer reference, or a second identifier that another
  ///   account has, by the directory or by a membership, or an error of the directory, of a cache or of the store; nothing
  ///   is lost then, and the call is made again.
  @discardableResult
  public func erase(
    _ id: AccountID, secondID: AccountID? = nil, reference: String? = nil
  ) async throws -> Report {
    guard reference.map({ StoredText.fits($0, .place) }) ?? true else {
      throw StorageFailure.invalidValue(field: "reference")
    }
    var owner = try await owner(of: id, secondID)
    let before = try await asking(&owner) { owner in
      try await context.store.read { try await owner.traces(in: $0) }
    }
    try await removeReceipts(of: before)
    let pseudonym = AccountID(stored: "erased-" + LeaseToken.random())
    let now = context.now()
    let (rows, traces) = try await asking(&owner) { owner in
      try await erase(owner, as: pseudonym, reference: reference, at: now)
    }
    // Whoever was reading one may have put it back.
    do {
      try await removeReceipts(of: traces)
    } catch {
      context.tell(.receiptCacheUnwritable(error))
    }
    return Report(pseudonym: rows.isEmpty ? nil : pseudonym, rows: rows)
  }

  private func erase(
    _ owner: ErasedOwner, as pseudonym: AccountID, reference: String?, at now: Date
  ) async throws -> (rows: [ErasedKind: Int], traces: AccountTraces) {
    try await context.store.write { unit in
      let traces = try await owner.traces(in: unit)
      let erasure = AccountErasure(traces, as: pseudonym, reference: reference, at: now)
      let rows = try await unit.erasure.erase(erasure.withMentions)
      // What is counted of a ledger goes along, so that no entry is counted twice.
      if let money = unit.common.money {
        for (id, pseudonym) in erasure.replacements {
          try await money.rename(MoneySource(ledgerOf: id), to: MoneySource(ledgerOf: pseudonym))
        }
      }
      return (rows, traces)
    }
  }

  /// Returns the number of rows that ``erase(_:secondID:reference:)`` would change or remove, and leaves them as they are.
  ///
  /// - Throws: As ``erase(_:secondID:reference:)``.
  public func preview(of id: AccountID, secondID: AccountID? = nil) async throws -> Report {
    var owner = try await owner(of: id, secondID)
    let now = context.now()
    do {
      return try await asking(&owner) { owner in
        try await context.store.write { unit in
          let pseudonym = AccountID(stored: "erased-" + LeaseToken.random())
          let erasure = AccountErasure(try await owner.traces(in: unit), as: pseudonym, at: now)
          throw Preview(rows: try await unit.erasure.erase(erasure.withMentions))
        }
      }
    } catch let preview as Preview {
      return Report(pseudonym: nil, rows: preview.rows)
    }
  }

  /// The end of a unit of work of which nothing is kept.
  private struct Preview: Error {
    let rows: [ErasedKind: Int]
  }

  private func owner(of id: AccountID, _ secondID: AccountID?) async throws -> ErasedOwner {
    let known = try await context.accounts.account(knownAs: id)
    let account = try await account(of: id, known, secondID)
    let token = try await context.accounts.appAccountToken(of: account?.id ?? id)
    return ErasedOwner(
      id: id, account: account, isPairGiven: secondID != nil, token: token,
      knowsTokens: context.accounts.hasAppAccountTokens)
  }

  /// Returns the account that the directory knows, by both identifiers, or by one with another that it does not know.
  ///
  /// - Throws: ``/PurchaseStorage/StorageFailure/invalidValue(field:)`` if that one is another account's.
  private func account(
    of id: AccountID, _ known: Account?, _ secondID: AccountID?
  ) async throws -> Account? {
    guard let secondID, !(known?.isKnown(as: secondID) ?? false) else { return known }
    // A directory that accepts any account knows each alone, too.
    if let both = try await context.accounts.account(primaryID: id, secondID: secondID) {
      return both
    }
    let other = try await context.accounts.account(knownAs: secondID)
    guard other == nil, known?.primaryID == nil || known?.secondID == nil else {
      throw StorageFailure.invalidValue(field: "secondID")
    }
    return Account(id: id, secondID: secondID)
  }

  /// Runs units of work, and asks the directory about tokens that are new between them: it is never asked within one.
  private func asking<Result>(
    _ owner: inout ErasedOwner, _ body: (ErasedOwner) async throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await body(owner)
      } catch let unknown as ErasedOwner.UnknownTokens {
        for token in unknown.tokens {
          owner.holders[token] = .some(try await context.accounts.account(appAccountToken: token))
        }
      }
    }
  }

  private func removeReceipts(of traces: AccountTraces) async throws {
    for cache in receiptCaches {
      for purchase in traces.receipts {
        try await cache.remove(
          purchase.originalTransactionID, environment: purchase.environment)
      }
    }
  }
}

/// An account to erase, as far as the host's directory knows it.
private struct ErasedOwner: Sendable {
  let id: AccountID
  let account: Account?
  /// Whether the caller named both identifiers, which no membership may have with another one.
  let isPairGiven: Bool
  let token: UUID?
  /// Whether the directory can tell whose a token is.
  let knowsTokens: Bool
  /// The accounts by their tokens, as the directory has answered; nil within for a token that it does not know.
  var holders: [UUID: Account?] = [:]

  /// Tokens of which it is not known whose they are.
  struct UnknownTokens: Error {
    let tokens: Set<UUID>
  }

  /// Whether a membership has both identifiers of an account, or one of them in its place and no other.
  private static func isMembership(_ row: Membership, of account: Account) -> Bool {
    let ids = [row.primaryID, row.secondID].compactMap(\.self)
    if ids.count == 2, ids.allSatisfy(account.isKnown(as:)) { return true }
    return (row.primaryID == nil || row.primaryID == account.primaryID)
      && (row.secondID == nil || row.secondID == account.secondID)
  }

  /// Returns what is stored about the account; its second identifier may be known by its membership alone.
  ///
  /// What another account has too is left out, and so are the tokens of others: a purchase that somebody else has stays
  /// as it is.
  ///
  /// - Throws: ``UnknownTokens`` if the directory must be asked first.
  func traces(in unit: UnitOfWork) async throws -> AccountTraces {
    var found = account ?? Account(id: id)
    if isPairGiven, let memberships = unit.subscriptions?.memberships {
      for id in [found.primaryID, found.secondID].compactMap(\.self) {
        let either = Account(id: id, secondID: id)
        let rows = try await memberships.find(account: either, appleSubscriptionIDs: [])
        guard rows.allSatisfy({ Self.isMembership($0, of: found) }) else {
          throw StorageFailure.invalidValue(field: "secondID")
        }
      }
    }
    if found.primaryID == nil || found.secondID == nil,
      let memberships = unit.subscriptions?.memberships
    {
      let either = Account(id: id, secondID: id)
      let rows = try await memberships.find(account: either, appleSubscriptionIDs: [])
      if let row = rows.compactMap(\.account).first(where: { $0.isSame(as: found) }),
        let whole = Account(
          primaryID: row.primaryID ?? account?.primaryID, secondID: row.secondID ?? found.secondID)
      {
        found = whole
      }
    }
    var traces = try await unit.erasure.traces(of: found)
    var owners = PurchaseOwners(in: unit)
    func free(_ purchases: [ReceiptCursor]) async throws -> [ReceiptCursor] {
      for purchases in Dictionary(grouping: purchases, by: \.environment).values {
        try await owners.find(purchases.map(\.key))
      }
      return purchases.filter { owners.owners(of: $0.key).allSatisfy(found.isKnown(as:)) }
    }
    traces.purchases = try await free(traces.purchases)
    for (environment, purchases) in Dictionary(grouping: traces.purchases, by: \.environment) {
      let rows = try await unit.purchases.transactions(
        of: purchases.map(\.originalTransactionID), environment: environment)
      traces.appAccountTokens.formUnion(rows.compactMap(\.appAccountToken))
    }
    let unknown = traces.appAccountTokens.filter { $0 != token && holders[$0] == nil }
    guard unknown.isEmpty || !knowsTokens else { throw UnknownTokens(tokens: unknown) }
    traces.appAccountTokens = traces.appAccountTokens.filter { token in
      holders[token].flatMap(\.self)?.isSame(as: found) ?? true
    }
    if let token { traces.appAccountTokens.insert(token) }
    let own = Set(traces.purchases)
    traces.markedPurchases = try await free(
      unit.erasure.purchases(markedBy: traces.appAccountTokens).filter { !own.contains($0) })
    return traces
  }
}

extension ReceiptCursor {
  fileprivate var key: PurchaseKey {
    PurchaseKey(originalTransactionID: originalTransactionID, environment: environment)
  }
}

extension AccountErasure {
  /// The erasure with what names the account in the events of others.
  fileprivate var withMentions: AccountErasure {
    var erasure = self
    erasure.mentions = replacements.flatMap { replacement in
      EventFields.otherAccounts.map { name in
        Mention(
          EventFields.member(name, replacement.id),
          replacement: EventFields.member(name, replacement.pseudonym))
      }
    }
    return erasure
  }
}
