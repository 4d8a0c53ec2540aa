internal import CreditPolicy
internal import EntitlementPolicy
internal import JSONValues
internal import LinkPolicy
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: ErasureRepository {
  func traces(of account: Account) throws -> AccountTraces {
    let tables = try tables
    func isOwn(_ id: AccountID?) -> Bool { id.map(account.isKnown(as:)) ?? false }
    var purchases: Set<ReceiptCursor> = []
    func note(_ id: String, _ environment: AppStoreEnvironment) {
      guard TransactionIDs.areStorable(id) else { return }
      purchases.insert(ReceiptCursor(originalTransactionID: id, environment: environment))
    }
    for row in tables.subscriptions.page().map(\.subscription) {
      let id = row.originalTransactionID
      let member = tables.memberships.rows(
        by: [IndexKey(.unique(.originalTransactionID), RowKey(id))]
      ).first
      let isUnlinked =
        row.owner == nil && member == nil
        && tables.events.page(by: IndexKey(.purchase, RowKey(id))).contains {
          $0.kind == .unlink && isOwn($0.accountID)
        }
      if isOwn(row.owner) || isOwn(member?.primaryID) || isOwn(member?.secondID) || isUnlinked {
        note(id, row.environment)
      }
    }
    for row in tables.associations.page() where isOwn(row.userID) {
      note(row.originalTransactionID, row.environment)
    }
    for row in tables.creditTransactions.page() where isOwn(row.userID) {
      note(row.purchase.originalTransactionID, row.purchase.environment)
    }
    let ordered = tables.orderedSubscriptions.page().filter { isOwn($0.userID) }.map(\.purchaseKey)
    for key in tables.subscriptionClaims.filter({ isOwn($0.value) }).keys + ordered {
      purchases.formUnion(key.cursors)
    }
    let tokens = tables.creditTransactions.page().filter { isOwn($0.userID) }
      .compactMap(\.purchase.appAccountToken)
    return AccountTraces(
      account: account, purchases: Array(purchases), appAccountTokens: Set(tokens))
  }

  func purchases(markedBy tokens: Set<UUID>) throws -> [ReceiptCursor] {
    let rows = try tables.transactions.page().filter {
      $0.appAccountToken.map(tokens.contains) ?? false
    }
    return Array(Set(rows.compactMap(ReceiptCursor.init)))
  }

  func erase(_ erasure: AccountErasure) throws -> [ErasedKind: Int] {
    try writing { tables in
      let eraser = MemoryEraser(erasure)
      eraser.erasePurchases(in: &tables)
      eraser.eraseOwners(in: &tables)
      eraser.eraseCredits(in: &tables)
      eraser.eraseMessages(in: &tables)
      return eraser.counts
    }
  }
}

/// The changes of one erasure, which are counted.
private final class MemoryEraser {
  private let erasure: AccountErasure
  private let pseudonyms: [AccountID: AccountID]
  private(set) var counts: [ErasedKind: Int] = [:]

  init(_ erasure: AccountErasure) {
    self.erasure = erasure
    pseudonyms = Dictionary(
      erasure.replacements.map { ($0.id, $0.pseudonym) }, uniquingKeysWith: { first, _ in first })
  }

  private func isOwn(_ id: AccountID?) -> Bool { id.map { pseudonyms[$0] != nil } ?? false }

  private func isOwn(_ account: Account?) -> Bool {
    isOwn(account?.primaryID) || isOwn(account?.secondID)
  }

  private func name(_ id: AccountID) -> AccountID { pseudonyms[id] ?? id }

  private func count(_ kind: ErasedKind, _ number: Int = 1) {
    if number > 0 { counts[kind, default: 0] += number }
  }

  private func remove<Key, Row>(
    _ kind: ErasedKind, from table: inout Table<Key, Row>, where isWanted: (Row) -> Bool
  ) {
    for key in table.keys { count(kind, table.remove(key, where: isWanted) ? 1 : 0) }
  }

  private func change<Key, Row>(
    _ kind: ErasedKind, in table: inout Table<Key, Row>, where isWanted: (Row) -> Bool,
    _ change: (inout Row) -> Void
  ) {
    for key in table.keys { count(kind, table.change(key, where: isWanted, change) ? 1 : 0) }
  }

  func erasePurchases(in tables: inout MemoryTables) {
    let (traces, date) = (erasure.traces, erasure.date)
    for purchase in traces.receipts {
      let key = RowKey(purchase.originalTransactionID, purchase.environment.rawValue)
      count(.receipts, tables.receipts.remove(key) ? 1 : 0)
    }
    let purchases = Set(traces.purchases)
    remove(.sessions, from: &tables.sessions) {
      purchases.contains(
        ReceiptCursor(
          originalTransactionID: $0.value.originalTransactionID, environment: $0.value.environment))
    }
    change(.refundAnswers, in: &tables.consumption) { row in
      (row.answer != nil || row.state == .waiting)
        && purchases.contains(
          ReceiptCursor(
            originalTransactionID: row.originalTransactionID, environment: row.environment))
    } _: { row in
      (row.answer, row.proposedAnswer) = (nil, nil)
      guard row.state == .waiting else { return }
      (row.state, row.stateDate) = (.declined, date.inMilliseconds)
    }
    let (tokens, marked) = (traces.appAccountTokens, purchases.union(traces.markedPurchases))
    change(.appAccountTokens, in: &tables.transactions) { row in
      guard let token = row.appAccountToken, let purchase = ReceiptCursor(row) else { return false }
      return tokens.contains(token) && marked.contains(purchase)
    } _: {
      $0.appAccountToken = nil
    }
    change(.transfers, in: &tables.transfers) {
      isOwn($0.previousOwner) || isOwn($0.owner)
    } _: { row in
      (row.previousOwner, row.owner) = (name(row.previousOwner), name(row.owner))
    }
  }

  func eraseOwners(in tables: inout MemoryTables) {
    remove(.orders, from: &tables.orderedSubscriptions) { isOwn($0.userID) }
    for (purchase, owner) in tables.subscriptionClaims where isOwn(owner) {
      tables.subscriptionClaims[purchase] = nil
      count(.claims)
    }
    remove(.associations, from: &tables.associations) { isOwn($0.userID) }
    remove(.validations, from: &tables.validations) { isOwn($0.value.userID) }
    for key in tables.acquired.keys {
      let isOwn = pseudonyms.keys.contains { key.isOf($0) }
      guard isOwn, let products = tables.acquired[key] else { continue }
      count(.acquisitions, products.keys.count)
      tables.acquired[key] = nil
    }
    change(.disputes, in: &tables.conflicts) {
      isOwn($0.owner) || isOwn($0.claimant)
    } _: { row in
      (row.owner, row.claimant) = (name(row.owner), name(row.claimant))
    }
    change(.subscriptions, in: &tables.subscriptions) {
      isOwn($0.subscription.owner)
    } _: { row in
      row.subscription.owner = nil
      row.subscription.updatedDate = erasure.date.inSeconds
    }
    remove(.memberships, from: &tables.memberships) { isOwn($0.primaryID) || isOwn($0.secondID) }
    remove(.unlinks, from: &tables.events) { $0.kind == .unlink && isOwn($0.accountID) }
    remove(.snapshots, from: &tables.events) { row in
      guard case .snapshot(let copy, _) = row.kind else { return false }
      return isOwn(copy.primaryID) || isOwn(copy.secondID)
    }
    change(.disputes, in: &tables.events) {
      $0.kind == .dispute && isOwn($0.accountID)
    } _: {
      $0.accountID = $0.accountID.map(name)
    }
  }

  func eraseCredits(in tables: inout MemoryTables) {
    let tokens = erasure.traces.appAccountTokens
    change(.creditPurchases, in: &tables.creditTransactions) { row in
      isOwn(row.userID)
        || row.userID == nil && row.purchase.appAccountToken.map(tokens.contains) ?? false
    } _: { row in
      row.userID = row.userID.map(name)
      row.purchase.appAccountToken = nil
    }
    var number = 0
    for key in tables.starterClaims.keys {
      guard var claim = tables.starterClaims[key], let user = claim.userID, isOwn(user) else {
        continue
      }
      tables.starterClaims[key] = nil
      number += 1
      (claim.identity, claim.userID) = (erasure.identity(number), name(user))
      tables.starterClaims[RowKey(claim.identity)] = claim
      count(.starterClaims)
    }
    for (id, pseudonym) in erasure.replacements {
      guard var account = tables.balances[RowKey(id)] else { continue }
      tables.balances[RowKey(id)] = nil
      account.userID = pseudonym
      tables.balances[RowKey(pseudonym)] = account
      count(.creditAccounts)
    }
    let texts = Set(erasure.tokenTexts)
    change(.creditEntries, in: &tables.entries) {
      isOwn($0.booking.userID)
    } _: {
      $0.booking.userID = name($0.booking.userID)
      $0.booking.metadata = $0.booking.metadata.mapValues { $0.without(texts) }
    }
  }

  func eraseMessages(in tables: inout MemoryTables) {
    change(.storeMessages, in: &tables.mails) {
      isOwn($0.value.message.account)
        && OutboxMessage.Kind.owedToStores.contains($0.value.message.kind)
    } _: {
      $0.value.message.account = nil
    }
    remove(.messages, from: &tables.mails) { isOwn($0.value.message.account) }
    let forwarded = erasure.traces.forwardedPurchases
    remove(.messages, from: &tables.mails) {
      let message = $0.value.message
      return forwarded.contains(message.originalTransactionID) && message.kind.isForward
    }
    remove(.events, from: &tables.newEvents) { isOwn($0.account) }
    remove(.events, from: &tables.orderedEvents) { isOwn($0.event.account) }
    change(.supportActs, in: &tables.acts) {
      isOwn($0.account)
    } _: {
      // The reason may tell of the customer.
      ($0.account, $0.data) = ($0.account.flatMap { pseudonyms[$0] }, "{}")
    }
    for mention in erasure.mentions {
      change(.mentions, in: &tables.newEvents) {
        $0.data.contains(mention.text)
      } _: {
        $0.data = $0.data.replacing(mention.text, with: mention.replacement)
      }
      change(.mentions, in: &tables.orderedEvents) {
        $0.event.data.contains(mention.text)
      } _: {
        $0.event.data = $0.event.data.replacing(mention.text, with: mention.replacement)
      }
    }
  }
}

extension ReceiptCursor {
  fileprivate init?(_ row: PurchaseRecord) {
    guard let environment = row.environment else { return nil }
    self.init(originalTransactionID: row.originalTransactionID, environment: environment)
  }

  fileprivate var indexKey: IndexKey {
    IndexKey(.purchase, RowKey(environment, originalTransactionID))
  }
}

extension JSONValue {
  /// The value with null in the place of some texts.
  fileprivate func without(_ texts: Set<String>) -> JSONValue {
    switch self {
    case .string(let text) where texts.contains(text): .null
    case .array(let values): .array(values.map { $0.without(texts) })
    case .object(let members): .object(members.mapValues { $0.without(texts) })
    default: self
    }
  }
}
