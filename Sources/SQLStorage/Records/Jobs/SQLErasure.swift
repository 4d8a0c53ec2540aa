internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLErasure: ErasureRepository {
  let session: SQLSession
  let capabilities: Set<SQLCapability>

  func traces(of account: Account) async throws -> AccountTraces {
    var traces = AccountTraces(account: account)
    let ids = Self.pair(traces.identifiers.map { .name($0) })
    var purchases: Set<ReceiptCursor> = []
    for (capability, statements) in [
      (SQLCapability.subscriptions, [SQLStatement.tracesOfSubscriptions, .tracesOfMemberships]),
      (.subscriptions, [.tracesOfUnlinks]), (.entitlements, [.tracesOfAssociations]),
      (.credits, [.tracesOfCredits]),
    ] where capabilities.contains(capability) {
      for statement in statements {
        purchases.formUnion(try await session.query(statement, ids).compactMap(ReceiptCursor.init))
      }
    }
    if capabilities.contains(.orders) {
      for statement in [SQLStatement.tracesOfOrders, .tracesOfClaims] {
        for row in try await session.query(statement, ids) {
          var reader = SQLRowReader(row)
          let (text, vendor) = (reader.text(), Vendor(rawValue: reader.text()))
          let key = PurchaseKey(text: text, vendor: vendor, environment: .production)
          purchases.formUnion(key.cursors)
        }
      }
    }
    traces.purchases = purchases.sorted {
      UniqueText($0.originalTransactionID) < UniqueText($1.originalTransactionID)
    }
    if capabilities.contains(.credits) {
      let rows = try await session.query(.tracesOfPackTokens, ids)
      traces.appAccountTokens.formUnion(
        rows.compactMap { $0.first?.name.flatMap(UUID.init(uuidString:)) })
    }
    return traces
  }

  func purchases(markedBy tokens: Set<UUID>) async throws -> [ReceiptCursor] {
    try await session.query(.tracesOfMarked, ids: tokens.map(\.uuidString))
      .compactMap(ReceiptCursor.init)
  }

  func erase(_ erasure: AccountErasure) async throws -> [ErasedKind: Int] {
    var eraser = SQLEraser(session, erasure)
    // In the order in which other units of work lock.
    if capabilities.contains(.orders) { try await eraser.run([.eraseOrders, .eraseClaims]) }
    if capabilities.contains(.entitlements) {
      try await eraser.run([
        .eraseAssociations, .eraseConflicts, .eraseValidations, .eraseAcquisitions,
      ])
    }
    try await eraser.erasePurchases()
    if capabilities.contains(.subscriptions) {
      try await eraser.eraseOwners()
      try await eraser.run([
        .eraseMemberships, .eraseSnapshots, .eraseDisputes, .eraseUnlinks,
      ])
    }
    if capabilities.contains(.credits) {
      // The account comes first: whoever grants or books holds it until the end, so that nothing comes after.
      try await eraser.run([.eraseCreditAccounts])
      try await eraser.eraseClaimsOfStarters()
      try await eraser.run([.eraseCreditPurchases])
      try await eraser.eraseTokensOfEntries()
      try await eraser.run([.eraseCreditEntries])
    }
    // Whoever hands events over to the outbox holds its reader until the end, so that nothing comes after.
    _ = try await session.query(session.choose(SQLStatement.eventReaders), [])
    try await eraser.run([
      .eraseTransfers, .eraseStoreMessages, .eraseMessages, .eraseEvents, .eraseActs,
    ])
    try await eraser.eraseForwards()
    try await eraser.eraseMentions()
    return eraser.counts
  }

  /// The two identifiers of an account, twice the same for one that has one.
  static func pair(_ values: [SQLValue]) -> [SQLValue] {
    values.count == 1 ? values + values : values
  }
}

extension ReceiptCursor {
  /// Reads an identifier and an environment; nil for one that no record of a purchase has.
  fileprivate init?(row: SQLRow) {
    var reader = SQLRowReader(row)
    // Credits have the environment as Apple writes it, the other tables in small letters.
    let (id, environment) = (reader.text(), AppStoreEnvironment(anyCase: reader.text()))
    guard let environment, TransactionIDs.areStorable(id) else { return nil }
    self.init(originalTransactionID: id, environment: environment)
  }

  fileprivate var values: [SQLValue] {
    [.text(originalTransactionID), .environment(environment)]
  }
}

/// A statement of an erasure, with the kind of rows that it changes.
struct ErasingStatement {
  let kind: ErasedKind
  let statement: SQLStatement
  /// Whether it has the pseudonyms as well as the identifiers.
  let renames: Bool

  static func renaming(_ kind: ErasedKind, _ statement: SQLStatement) -> Self {
    Self(kind: kind, statement: statement, renames: true)
  }

  static func removing(_ kind: ErasedKind, _ statement: SQLStatement) -> Self {
    Self(kind: kind, statement: statement, renames: false)
  }
}

/// The changes of one erasure, which are counted.
private struct SQLEraser {
  private let session: SQLSession
  private let erasure: AccountErasure
  private let ids: [SQLValue]
  private let names: [SQLValue]
  private(set) var counts: [ErasedKind: Int] = [:]

  init(_ session: SQLSession, _ erasure: AccountErasure) {
    self.session = session
    self.erasure = erasure
    ids = SQLErasure.pair(erasure.replacements.map { .name($0.id) })
    names = SQLErasure.pair(erasure.replacements.map { .name($0.pseudonym) })
  }

  private mutating func run(
    _ kind: ErasedKind, _ statement: SQLStatement, _ values: [SQLValue]
  ) async throws {
    let count = try await session.execute(statement, values)
    if count > 0 { counts[kind, default: 0] += count }
  }

  mutating func run(_ statements: [ErasingStatement]) async throws {
    for erasing in statements {
      try await run(erasing.kind, erasing.statement, erasing.renames ? ids + names : ids)
    }
  }

  mutating func eraseOwners() async throws {
    try await run(.subscriptions, .eraseOwner, ids + [.seconds(erasure.date)])
  }

  mutating func erasePurchases() async throws {
    for purchase in erasure.traces.receipts {
      try await run(.receipts, .eraseReceipt, purchase.values)
    }
    for purchase in erasure.traces.purchases {
      try await run(.sessions, .eraseSessions, purchase.values)
      try await run(
        .refundAnswers, .eraseAnswers, purchase.values + [.milliseconds(erasure.date)])
    }
    for purchase in erasure.traces.purchases + erasure.traces.markedPurchases {
      let rows = try await session.query(.tracesOfTokens, purchase.values)
      let carried = Set(rows.compactMap { $0.first?.name.flatMap(UUID.init(uuidString:)) })
      for token in carried.intersection(erasure.traces.appAccountTokens) {
        try await run(
          .appAccountTokens, .eraseToken, purchase.values + [.text(token.uuidString)])
      }
    }
  }

  /// Puts a pseudonym in the place of each identity, of which a user may have had several.
  mutating func eraseClaimsOfStarters() async throws {
    let tokens = erasure.traces.appAccountTokens.map { $0.uuidString.lowercased() }
    for row in try await session.query(.markedPacks, ids: tokens) {
      try await run(.creditPurchases, .eraseCreditToken, Array(row.prefix(1)))
    }
    let rows = try await session.query(.starterClaimsOfUser, ids)
    for (number, row) in zip(1..., rows) {
      try await run(
        .starterClaims, .eraseStarterClaim,
        row.prefix(1) + [.text(erasure.identity(number))] + ids + names)
    }
  }

  /// The entry of a purchase repeats its token.
  func eraseTokensOfEntries() async throws {
    for text in erasure.tokenTexts {
      try await session.run(.eraseEntryToken, [.text("\"\(text)\"")] + ids)
    }
  }

  mutating func eraseForwards() async throws {
    let ids = erasure.traces.forwardedPurchases.sorted()
    for row in try await session.query(.forwardsOfPurchases, ids: ids) {
      try await run(.messages, .eraseForward, row)
    }
  }

  mutating func eraseMentions() async throws {
    for mention in erasure.mentions {
      try await run(
        .mentions, .eraseMention, [.text(mention.text), .text(mention.replacement)])
    }
  }
}
