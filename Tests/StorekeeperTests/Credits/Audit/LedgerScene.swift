import Foundation
import InMemoryStorage
import MariaDBStorage
import PostgresStorage
import SQLStorage
import SQLiteStorage
import Storekeeper
import StorekeeperLocks

/// A database with a small ledger without faults, and a way to break it.
///
/// | entries | user | event |
/// | --- | --- | --- |
/// | 1–3 | u1 | bonus 100, purchase of 1001 (60), spending 30 |
/// | 4–5 | u2 | purchase of 1002 (500), refunded |
/// | 6–10 | u3 | purchase of 1003 (60), spending 35, refunded, reversed, refunded again |
/// | 11 | u2 | purchase of 1001 in the Sandbox (60) |
///
/// Transactions: 1 = 1001, 2 = 1002, 3 = 1003, 4 = 1004 (pending), 5 = 1005 (open), 6 = 1001 (Sandbox).
struct LedgerScene: Sendable {
  /// The databases that there are.
  static let databases: [StoreKind] = StoreKind.available.filter { $0 != .memory }

  /// Those whose balances no constraint keeps from being negative once they were used.
  private static let schemas = TestSchemas([.credits])
  private static let mariaDBs = TestMariaDBs()

  let store: any PurchaseStore
  /// Runs statements in one transaction.
  let run: @Sendable ([String]) async throws -> Void

  /// Runs a test on a new database with the ledger.
  static func with(
    _ kind: StoreKind, _ body: nonisolated(nonsending) (LedgerScene) async throws -> Void
  ) async throws {
    switch kind {
    case .memory:
      try await made(InMemoryPurchaseStore(), body) { _ in }
    case .sqlite:
      let name = "test_" + UUID().uuidString.filter(\.isHexDigit).lowercased()
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try await SQLiteStore(
        path: folder.appendingPathComponent("store.sqlite").path,
        capabilities: [.credits])
      try await made(store, body) { statements in
        try await store.writeRecords {
          try await $0.connection.run(["PRAGMA ignore_check_constraints = ON"])
        }
        try await store.writeRecords { try await $0.connection.run(statements) }
      }
      try await store.close()
    case .postgres:
      var configuration = PostgresStore.Configuration()
      configuration.reconnectLimit = .seconds(300)
      configuration.startLimit = .seconds(300)
      let (store, leave) = try await schemas.store(configuration)
      try await made(store, body) { statements in
        let free = "ALTER TABLE credit_account DROP CONSTRAINT IF EXISTS credit_account_balance"
        try await store.perform(.writing) { try await $0.run([free] + statements) }
      }
      await leave()
    case .mariadb:
      let (store, leave) = try await mariaDBs.store()
      try await made(store, body) { statements in
        let free = "SET SESSION check_constraint_checks = 0"
        try await store.perform(.writing) { try await $0.run([free] + statements) }
      }
      await leave()
    }
  }

  private static func made(
    _ store: any PurchaseStore,
    _ body: nonisolated(nonsending) (LedgerScene) async throws -> Void,
    run: @escaping @Sendable ([String]) async throws -> Void
  ) async throws {
    try await store.write { try await fill($0) }
    try await body(LedgerScene(store: store, run: run))
  }

  /// The violations, as JSON texts in ascending order.
  func violations(
    of userID: AccountID? = nil, pageSize: Int = 4096
  ) async throws -> [String] {
    let found = Locked<[String]>([])
    let auditor = LedgerAuditor(store: store, pageSize: pageSize)
    let result = try await auditor.audit(userID) { violation in
      let text = String(decoding: violation.json.serialized, as: UTF8.self)
      found.withLock { $0.append(text) }
    }
    let texts = found.withLock { $0.sorted() }
    return texts.count == result.violations ? texts : ["counted \(result.violations)"]
  }

  // MARK: The ledger

  private static let date = Date(timeIntervalSince1970: 1_700_000_000)

  private static func fill(_ records: UnitOfWork) async throws {
    let ledger = try records.creditLedger
    func own(_ user: AccountID, _ eventID: String, _ amount: Int) async throws {
      _ = try await ledger.book(
        LedgerBooking(
          userID: user, eventID: eventID, changeType: "spending", subjectType: "render",
          subjectID: "1",
          amount: amount), now: date)
    }
    func booked(
      _ row: CreditTransaction, _ type: LedgerBooking.ChangeType, _ eventID: String, _ amount: Int
    ) async throws {
      guard let user = row.userID, let id = row.id else { return }
      _ = try await ledger.book(
        LedgerBooking(
          userID: user, environment: row.purchase.environment, eventID: eventID,
          changeType: type, subjectType: "payment", subjectID: String(id), amount: amount),
        now: date)
    }
    func transaction(
      _ id: String, _ status: CreditTransaction.Status, _ user: AccountID? = nil,
      _ credits: Int? = nil, round: Int = 0, environment: AppStoreEnvironment = .production
    ) async throws -> CreditTransaction {
      var row = CreditTransaction(
        CreditPurchase(
          environment: environment, transactionID: id, bundleID: "com.example.gems",
          productID: "com.example.gems.pack", purchaseDate: date), status: status)
      row.userID = user
      row.credits = credits
      row.creditsPerUnit = credits
      row.refundRound = round
      if credits != nil {
        row.productCode = "pack"
        row.ledgerEventID = "payment.apple_iap:\(id)"
      }
      guard let stored = try await records.creditTransactions.insert(row, now: date) else {
        throw StorageFailure.duplicate(.creditTransaction)
      }
      return stored
    }

    let first = try await transaction("1001", .granted, "u1", 60)
    let second = try await transaction("1002", .refunded, "u2", 500)
    let third = try await transaction("1003", .refunded, "u3", 60, round: 1)
    _ = try await transaction("1004", .revokedPending)
    _ = try await transaction("1005", .open)
    let sandbox = try await transaction("1001", .granted, "u2", 60, environment: .sandbox)
    try await own("u1", "bonus:1", 100)
    try await booked(first, .purchase, "payment.apple_iap:1001", 60)
    try await own("u1", "render:1", -30)
    try await booked(second, .purchase, "payment.apple_iap:1002", 500)
    try await booked(second, .refund, "payment.apple_iap.refund:1002", -500)
    try await booked(third, .purchase, "payment.apple_iap:1003", 60)
    try await own("u3", "render:2", -35)
    try await booked(third, .refund, "payment.apple_iap.refund:1003", -25)
    try await booked(third, .refundReversal, "payment.apple_iap.refund_reversed:1003", 25)
    try await booked(third, .refund, "payment.apple_iap.refund:1003:2", -25)
    try await booked(sandbox, .purchase, "payment.apple_iap:1001", 60)
  }
}

extension SQLConnection {
  /// Runs statements of a test's own.
  fileprivate func run(_ statements: [String]) async throws {
    for sql in statements { _ = try await query(SQLStatement("test_\(UUID())", sql), []) }
  }
}
