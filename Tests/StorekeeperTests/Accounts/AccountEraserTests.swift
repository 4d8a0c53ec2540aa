import Foundation
import InMemoryStorage
import LinkPolicy
import CreditPolicy
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Erasing an account", .onEveryStore)
struct AccountEraserTests {
  private func scene(
    telling: Bool = false, isTokenShared: Bool = false
  ) async throws -> ErasureScene {
    let store = try await StoreScope.current?.open() ?? InMemoryPurchaseStore()
    return try await ErasureScene(store, telling: telling, isTokenShared: isTokenShared)
  }

  @Test("what is kept of an account is kept under one pseudonym, and the ledger agrees")
  func pseudonym() async throws {
    let scene = try await scene()
    let report = try await scene.eraser().erase(ErasureScene.alice)
    let pseudonym = try #require(report.pseudonym)
    #expect(pseudonym.rawValue.wholeMatch(of: /erased-[0-9a-f]{32}/) != nil)
    _ = try await LedgerAuditor(store: scene.store).audit { Issue.record("\($0)") }
    let second = AccountID(stored: pseudonym.rawValue + "-2")
    try await scene.store.read { unit in
      for (user, balance) in [
        (pseudonym, 500), (second, 500), (ErasureScene.alice, 0), (ErasureScene.second, 0),
        (ErasureScene.bob, 500),
      ] {
        #expect(try await unit.creditLedger.balance(of: user) == balance)
      }
      let entries = try await unit.creditLedger.entries(of: pseudonym, skipping: 0, limit: 9)
      #expect(entries.count == 1)
      #expect(!"\(entries.map(\.booking.metadata))".contains(ErasureScene.names[4]))
      let disputes = try await unit.memberships.disputes(DisputeQuery(), limit: 9)
      #expect(disputes.map(\.accountID) == [pseudonym, ErasureScene.bob])
      let conflicts = try await unit.associations.conflicts(about: "12")
      #expect(conflicts.map(\.owner) == [pseudonym])
      #expect(
        try await unit.associations.conflicts(about: "22").map(\.claimant) == [pseudonym])
      let moves = try await unit.purchases.transfers(of: "11", environment: .production)
      #expect(moves.map(\.previousOwner) == [pseudonym])
    }
  }

  @Test("each kind of rows is counted, as a preview does that changes nothing")
  func counts() async throws {
    let scene = try await scene()
    let before = try await scene.exported()
    let preview = try await scene.eraser().preview(of: ErasureScene.alice)
    #expect(preview.pseudonym == nil)
    #expect(try await scene.exported() == before)
    #expect(try scene.cached("11") != nil)
    let report = try await scene.eraser().erase(ErasureScene.alice)
    #expect(report.rows == preview.rows)
    #expect(Set(report.rows.keys) == Set(ErasedKind.allCases))
    #expect(
      report.rows == [
        .creditAccounts: 2, .creditEntries: 2, .creditPurchases: 2, .starterClaims: 2,
        .disputes: 3, .transfers: 2, .supportActs: 1, .subscriptions: 1, .appAccountTokens: 4,
        .refundAnswers: 1,
        .storeMessages: 1, .mentions: 2, .memberships: 1, .snapshots: 1, .unlinks: 1,
        .associations: 1, .acquisitions: 1, .validations: 1, .orders: 1, .claims: 1, .receipts: 4,
        .sessions: 4, .messages: 3, .events: 2,
      ])
  }

  @Test("the account is known by either of its identifiers", arguments: [false, true])
  func secondIdentifier(_ isSecond: Bool) async throws {
    let scene = try await scene()
    let id = isSecond ? ErasureScene.second : ErasureScene.alice
    #expect(try await scene.eraser().erase(id).rows[.creditAccounts] == 2)
    let lines = try await scene.exported()
    for name in ErasureScene.names { #expect(!lines.contains { $0.contains(name) }) }
  }

  @Test("a second call, and one for somebody unknown, changes nothing and tells nothing")
  func again() async throws {
    let scene = try await scene(telling: true)
    try await scene.eraser().erase(ErasureScene.alice)
    let (lines, told) = (try await scene.exported(), try await events(in: scene.store).count)
    for id in [ErasureScene.alice, ErasureScene.second, "nobody"] {
      let report = try await scene.eraser().erase(id)
      #expect(report == AccountEraser.Report(pseudonym: nil, rows: [:]))
    }
    #expect(try await scene.exported() == lines)
    #expect(try await events(in: scene.store).count == told)
  }

  @Test("an event has the pseudonym and the reference; those about the account are gone")
  func event() async throws {
    let scene = try await scene(telling: true)
    let report = try await scene.eraser().erase(ErasureScene.alice, reference: "request 4711")
    let told = try await events(in: scene.store)
    let erased = try #require(told.last)
    #expect(erased.kind == .accountErased)
    #expect(erased.account == report.pseudonym)
    #expect(erased.details == .erasure(ErasureNotice(reference: "request 4711")))
    let pseudonym = try #require(report.pseudonym)
    #expect(
      told.dropLast().map(\.details) == [
        .dispute(ClaimDispute(originalTransactionID: "1", owner: pseudonym)),
        .move(
          PurchaseMove(
            environment: .production, originalTransactionID: "1", otherAccount: pseudonym)),
      ])
    for event in told {
      let body = String(decoding: event.body, as: UTF8.self)
      for name in ErasureScene.names { #expect(!body.contains(name)) }
    }
  }

  @Test("a reference that no row can have is refused, and nothing is erased")
  func reference() async throws {
    let scene = try await scene()
    let before = try await scene.exported()
    await #expect(throws: StorageFailure.invalidValue(field: "reference")) {
      try await scene.eraser().erase(
        ErasureScene.alice, reference: String(repeating: "x", count: 256))
    }
    #expect(try await scene.exported() == before)
  }

  @Test("receipts go from the database and the caches, those of others stay")
  func receipts() async throws {
    let scene = try await scene()
    try await scene.eraser().erase(ErasureScene.alice)
    for original in ["11", "12", "13", "14"] {
      #expect(try scene.cached(original) == nil)
    }
    #expect(try scene.cached("21") != nil)
  }

  @Test("what another account has keeps a token that both have, in all its records")
  func sharedToken() async throws {
    let scene = try await scene(isTokenShared: true)
    let report = try await scene.eraser().erase(ErasureScene.alice)
    #expect(report.rows[.appAccountTokens] == 4)
    #expect(report.rows[.creditPurchases] == 2)
    #expect(try await scene.tokens(["11", "12", "13", "14"]) == [])
    #expect(try await scene.tokens(["21", "22", "23", "24"]).count == 4)
    try await scene.store.read { unit in
      let pack = try await unit.creditTransactions.find(
        transactionID: "24", environment: .production)
      #expect(pack?.purchase.appAccountToken == ErasureScene.token)
      let entries = try await unit.creditLedger.entries(of: ErasureScene.bob, skipping: 0, limit: 9)
      #expect("\(entries.map(\.booking.metadata))".contains(ErasureScene.names[4]))
    }
  }

  @Test("a pack that is known to the credits alone has no token in the ledger afterwards either")
  func packAlone() async throws {
    let scene = try await scene()
    let token = UUID()
    try await scene.base.write { unit in
      try await scene.fillCredits(unit, ErasureScene.alice, token, "19")
    }
    try await scene.eraser().erase(ErasureScene.alice)
    let lines = try await scene.exported()
    #expect(!lines.contains { $0.contains(token.uuidString.lowercased()) })
  }

  @Test("a purchase that another account has too keeps its receipts, its session and its token")
  func sharedPurchase() async throws {
    let scene = try await scene()
    try await scene.base.write { unit in
      _ = try await unit.associations.add([
        PurchaseAssociation(
          environment: .production, originalTransactionID: "11", userID: ErasureScene.bob,
          bundleID: "com.example.draw", associatedDate: ErasureScene.start,
          evidence: .appAccountToken)
      ])
    }
    let report = try await scene.eraser().erase(ErasureScene.alice)
    #expect(report.rows[.receipts] == 3)
    #expect(report.rows[.sessions] == 3)
    #expect(try scene.cached("11") != nil)
    #expect(try await scene.tokens(["11"]) == [ErasureScene.token])
    #expect(try await scene.tokens(["12", "13", "14"]) == [])
    try await scene.store.read { unit in
      let subscriptions = try await unit.storedSubscriptions.find(["11"])
      #expect(subscriptions.map(\.subscription.owner) == [nil])
      #expect(
        try await unit.associations.find(["11"], environment: .production).map(\.userID)
          == [ErasureScene.bob])
    }
  }

  @Test("the token of a purchase that another account has too stays on what nobody has")
  func tokenOfSharedPurchase() async throws {
    let scene = try await scene()
    let token = UUID()
    try await scene.base.write { unit in
      for original in ["41", "42"] {
        var row = PurchaseRecord(
          transactionID: original + "0", originalTransactionID: original, productID: "reader")
        (row.environment, row.appAccountToken) = (.production, token)
        (row.signedDate, row.purchaseDate) = (ErasureScene.start, ErasureScene.start)
        try await unit.purchases.record(
          transactions: [row], environment: .production, now: ErasureScene.start)
      }
      _ = try await unit.associations.add([
        PurchaseAssociation(
          environment: .production, originalTransactionID: "41", userID: ErasureScene.alice,
          bundleID: "com.example.draw", associatedDate: ErasureScene.start,
          evidence: .appAccountToken)
      ])
      _ = try await unit.subscriptionClaims.claim(
        PurchaseKey(originalTransactionID: "41", environment: .production), for: ErasureScene.bob)
    }
    try await scene.eraser().erase(ErasureScene.alice)
    #expect(try await scene.tokens(["41", "42"]) == [token, token])
  }

  @Test("a subscription whose membership is another account's keeps its receipt")
  func otherMembership() async throws {
    let scene = try await scene()
    try await scene.base.write { unit in
      let now = ErasureScene.start
      try await unit.storedSubscriptions.save(
        Subscription(
          environment: .production, originalTransactionID: "43", lastTransactionID: "43",
          productID: "reader", purchaseDate: now, expiresDate: now + 86_400, tier: .standard,
          cycle: .month, autoRenewal: true), asOf: now, now: now)
      try await unit.storedSubscriptions.setOwner(ErasureScene.alice, of: "43", now: now)
      var membership = Membership(account: Account(id: "carol"))
      (membership.tier, membership.payMethod) = (.standard, .apple)
      (membership.cycle, membership.originalTransactionID) = (.month, "43")
      membership.expireDate = CalendarDay(now)
      _ = try await unit.memberships.insert(membership)
      try await unit.purchases.put(
        StoredReceipt(
          originalTransactionID: "43", environment: .production, receipt: "receipt", asOf: now),
        now: now)
    }
    try await scene.eraser().erase(ErasureScene.alice)
    try await scene.store.read { unit in
      #expect(try await unit.purchases.receipt(of: "43", environment: .production) != nil)
      let subscriptions = try await unit.storedSubscriptions.find(["43"])
      #expect(subscriptions.map(\.subscription.owner) == [nil])
    }
  }

  @Test("both identifiers may be named where nobody knows them together, but not another account's")
  func bothIdentifiers() async throws {
    let scene = try await scene()
    let (first, second): (AccountID, AccountID) = ("dora-1", "wx-dora-2")
    try await scene.store.write { unit in
      for (user, event) in [(first, "one"), (second, "two")] {
        _ = try await unit.creditLedger.book(
          LedgerBooking(
            userID: user, eventID: event, changeType: "bonus", subjectType: "host",
            subjectID: "1", amount: 5), now: ErasureScene.start)
      }
    }
    // By the directory, and by a membership.
    await #expect(throws: StorageFailure.invalidValue(field: "secondID")) {
      try await scene.eraser().erase(ErasureScene.alice, secondID: ErasureScene.bob)
    }
    let forgetful = AccountEraser(
      PurchaseContext(store: scene.store, accounts: NobodyKnown(), now: { ErasureScene.start }))
    await #expect(throws: StorageFailure.invalidValue(field: "secondID")) {
      try await forgetful.erase(ErasureScene.alice, secondID: "wx-x")
    }
    let report = try await forgetful.erase(first, secondID: second)
    #expect(report.rows[.creditAccounts] == 2)
    let left = try await scene.store.read { unit in
      try await unit.creditLedger.balance(of: second)
    }
    #expect(left == 0)
    // A directory that has them together says so.
    let accepting = AccountEraser(
      PurchaseContext(store: scene.store, accounts: EverybodyKnown(), now: { ErasureScene.start }))
    #expect(try await accepting.erase(first, secondID: second).rows == [:])
    // It has any two together, but a membership is another account's.
    await #expect(throws: StorageFailure.invalidValue(field: "secondID")) {
      try await accepting.erase("dora-3", secondID: ErasureScene.bob)
    }
  }

  @Test("events that are being handed over leave nothing in the outbox")
  func handOver() async throws {
    let scene = try await scene()
    let (start, user, eraser) = (ErasureScene.start, ErasureScene.alice, scene.eraser())
    _ = try await scene.base.write { try await $0.events.hold("handed") }
    let erasing = try await scene.base.write { unit in
      _ = try await unit.events.hold("handed")
      let message = OutboxMessage(
        kind: .webhook("handed"), account: Account(id: user), originalTransactionID: "1",
        reference: "7")
      try await unit.outbox.add(message, now: start)
      let erasing = Task { try await eraser.erase(user) }
      // It begins before the end of this.
      try await Task.sleep(for: .milliseconds(300))
      return erasing
    }
    _ = try await erasing.value
    let waiting = try await scene.base.read { unit in
      try await unit.outbox.waiting(inLine: .webhook("handed"), limit: 10)
    }
    #expect(waiting == 0)
  }

  @Test("a token that the directory knows under the first identifier goes with the second one")
  func tokenBySecondIdentifier() async throws {
    var scene = try await scene()
    scene.marked = ErasureScene.alice
    try await scene.eraser().erase(ErasureScene.second)
    #expect(try await scene.tokens(["11", "12", "13", "14"]) == [])
  }

  @Test(
    "a token goes from a purchase that nobody has, unless the directory knows another account by it"
  )
  func nobodysPurchase() async throws {
    for marked in [nil, ErasureScene.alice, ErasureScene.bob] {
      var scene = try await scene()
      scene.marked = marked
      try await scene.base.write { unit in
        var row = PurchaseRecord(
          transactionID: "310", originalTransactionID: "31", productID: "reader")
        (row.environment, row.appAccountToken) = (.production, ErasureScene.token)
        (row.signedDate, row.purchaseDate) = (ErasureScene.start, ErasureScene.start)
        try await unit.purchases.record(
          transactions: [row], environment: .production, now: ErasureScene.start)
      }
      try await scene.eraser().erase(ErasureScene.alice)
      let left = try await scene.tokens(["11", "12", "13", "14", "31"])
      #expect(left.count == (marked == ErasureScene.bob ? 5 : 0), "\(String(describing: marked))")
    }
  }

  @Test("what breaks leaves nothing half done, and the next call does it", arguments: 1...4)
  func faults(_ step: Int) async throws {
    let scene = try await scene(telling: true)
    let before = try await scene.exported()
    let broken = WrappedStore(scene.base) { unit in
      var unit = unit
      unit.common = FaultyRecords(base: unit.common, fuse: Fuse(step - 1))
      return unit
    }
    var context = scene.context
    context.store = EventStore(broken, now: context.now)
    let caches: [any ReceiptStore] = step == 1 ? [BrokenCache()] : [scene.cache]
    await #expect(throws: BrokenConnection.self) {
      try await AccountEraser(context, receiptCaches: caches).erase(ErasureScene.alice)
    }
    #expect(try await scene.exported() == before)
    #expect(try await events(in: scene.store).allSatisfy { $0.kind != .accountErased })
    let report = try await scene.eraser().erase(ErasureScene.alice)
    #expect(Set(report.rows.keys) == Set(ErasedKind.allCases))
    let lines = try await scene.exported()
    for name in ErasureScene.names { #expect(!lines.contains { $0.contains(name) }) }
  }

  @Test("an outcome of the commit that is unknown is thrown, and the next call finds what is left")
  func unknownCommit() async throws {
    let scene = try await scene()
    let lost = StorageFailure.unavailable(mayHaveCommitted: true, detail: "lost")
    let broken = WrappedStore(scene.store) { access, unit in
      try await unit()
      if access == .writing { throw lost }
    }
    var context = scene.context
    context.store = broken
    await #expect(throws: lost) { try await AccountEraser(context).erase(ErasureScene.alice) }
    #expect(try await scene.eraser().erase(ErasureScene.alice).rows == [:])
  }

  @Test("a cache that fails after the commit is reported, as the account is erased by then")
  func cacheAfterwards() async throws {
    let scene = try await scene()
    let cache = BrokenCache(after: 5)
    let report = try await scene.eraser([cache]).erase(ErasureScene.alice)
    #expect(report.pseudonym != nil)
    #expect(scene.incidents.all.map(\.name) == ["receiptCacheUnwritable"])
  }

  @Test("a store that can erase no account says so")
  func missing() async throws {
    let scene = try await scene()
    let poor = WrappedStore(withRequiredRecordsOf: scene.store)
    var context = scene.context
    context.store = poor
    await #expect(throws: StorageFailure.capabilityMissing("erasure")) {
      try await AccountEraser(context).erase(ErasureScene.alice)
    }
  }

  @Test("whoever spends credits while the account is erased has the ledger agree all the same")
  func race() async throws {
    let scene = try await scene()
    let store = scene.store
    async let spent: Void = {
      for number in 1...20 {
        let booking = LedgerBooking(
          userID: ErasureScene.alice, eventID: "spend-\(number)",
          changeType: .init(rawValue: "spending"), subjectType: "host", subjectID: "1", amount: -1)
        _ = try await store.write {
          try await $0.creditLedger.book(booking, now: ErasureScene.start)
        }
      }
    }()
    let report = try await scene.eraser().erase(ErasureScene.alice)
    try await spent
    try await scene.eraser().erase(ErasureScene.alice)
    #expect(report.pseudonym != nil)
    _ = try await LedgerAuditor(store: scene.store).audit { Issue.record("\($0)") }
  }
}

@Suite("Erasing an account in a file")
struct AccountEraserFileTests {
  @Test("no text of the database names an erased account")
  func texts() async throws {
    try await withSQLiteFile(SQLCapability.all) { store, path in
      let scene = try await ErasureScene(store, telling: true)
      // The other account's rows name this one, too.
      for name in ErasureScene.names.dropLast() {
        #expect(try !places(of: name, in: path).isEmpty, "\(name)")
      }
      try await scene.eraser().erase(ErasureScene.alice, reference: "request 4711")
      for name in ErasureScene.names {
        #expect(try places(of: name, in: path) == [], "\(name)")
      }
      #expect(try !places(of: ErasureScene.bob.rawValue, in: path).isEmpty)
    }
  }

  @Test("the guide says of each table what becomes of its rows")
  func guide() async throws {
    let guide = try String(
      contentsOfFile: #filePath.split(separator: "/Tests/", maxSplits: 1)[0]
        + "/Documentation/guides/erasing-an-account.md", encoding: .utf8)
    try await withSQLiteFile(SQLCapability.all) { _, path in
      let connection = try SQLiteConnection(path: path, configuration: SQLiteConfiguration())
      let tables = try connection.query(
        SQLStatement(
          "all_tables",
          """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
          """), [])
      #expect(tables.count > 30)
      for case .text(let table)? in tables.map(\.first) {
        #expect(guide.contains("`\(table)`"), "\(table)")
      }
    }
  }

  /// The columns that have a text in any row, of all tables.
  private func places(of name: String, in path: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, configuration: SQLiteConfiguration())
    let columns = try connection.query(
      SQLStatement(
        "all_columns",
        """
        SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table'
        """), [])
    var places: [String] = []
    for row in columns {
      guard case .text(let table)? = row.first, case .text(let column)? = row.last else { continue }
      let found = try connection.query(
        SQLStatement(
          "search_\(table)_\(column)",
          "SELECT 1 FROM \"\(table)\" WHERE instr(CAST(\"\(column)\" AS TEXT), $1) > 0 LIMIT 1"),
        [.text(name)])
      if !found.isEmpty { places.append("\(table).\(column)") }
    }
    return places
  }
}

/// A cache of receipts that can't be reached after so many removals.
private final class BrokenCache: ReceiptStore {
  private let left: Locked<Int>

  init(after count: Int = 0) { left = Locked(count) }

  func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) -> StoredReceipt? { nil }

  func put(_ receipt: StoredReceipt) {}

  func remove(_ originalTransactionID: String, environment: AppStoreEnvironment) throws {
    let isBroken = left.withLock { left in
      left -= 1
      return left < 0
    }
    if isBroken { throw BrokenConnection() }
  }
}

/// A directory that has forgotten everybody.
private struct NobodyKnown: AccountDirectory {
  func account(_ id: AccountID) -> Account? { nil }
}

private struct EverybodyKnown: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }

  func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    Account(primaryID: primaryID, secondID: secondID)
  }
}
