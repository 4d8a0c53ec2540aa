internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLCreditTransactions: CreditTransactionRepository {
  let session: SQLSession

  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) async throws -> CreditTransaction? {
    try await session.query(
      session.choose(.findCreditTransaction), [.text(environment.rawValue), .text(transactionID)]
    ).first.map(CreditTransaction.init(row:))
  }

  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction? {
    let values = SQLColumns.creditTransaction.values(
      of: transaction, after: SQLColumns.creditTransactionKey.values(of: transaction))
    let rows: [SQLRow]
    if session.connection.dialect == .mariadb {
      let insertion = SQLCall(.insertCreditTransaction, values + [.milliseconds(now)])
      rows = try await session.ask([insertion, SQLCall(.insertedNumber, [])]).last ?? []
    } else {
      rows = try await session.query(.insertCreditTransaction, values + [.milliseconds(now)])
    }
    guard let id = rows.first?.first else { return nil }
    return try CreditTransaction(row: [id] + values)
  }

  func update(_ transaction: CreditTransaction, now: Date) async throws {
    guard let id = transaction.id else { throw StorageFailure.invalidValue(field: "id") }
    try await session.run(
      .updateCreditTransaction,
      SQLColumns.creditTransaction.values(
        of: transaction, after: [.number(id)], and: .milliseconds(now)))
  }

  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) async throws -> [CreditTransaction] {
    guard limit > 0 else { return [] }
    return try await session.query(
      .creditTransactionsOfUser, [.name(userID), .number(id ?? 0), .number(limit)]
    ).map(CreditTransaction.init(row:))
  }

  func transactions(after id: Int?, limit: Int) async throws -> [CreditTransaction] {
    guard limit > 0 else { return [] }
    return try await session.query(.creditTransactions, [.number(id ?? 0), .number(limit)])
      .map(CreditTransaction.init(row:))
  }
}

extension SQLStatement {
  static let creditTransactionColumns =
    "id, \(SQLColumns.creditTransactionKey.list), \(SQLColumns.creditTransaction.list)"

  static let selectCreditTransaction =
    "SELECT \(creditTransactionColumns) FROM apple_iap_transactions"

  static let insertCreditTransaction = {
    let names = SQLColumns.creditTransactionKey.names + SQLColumns.creditTransaction.names
    let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let now = "$\(names.count + 1)"
    return SQLInsertion(
      """
      INSERT INTO apple_iap_transactions
        (\(names.joined(separator: ", ")), created_at, updated_at)
      VALUES (\(parameters), \(now), \(now))
      """, key: "environment, transaction_id"
    ).returning("id").keepingStored("credit_transaction_insert")
  }()

  /// The number of the row that the statement before has inserted, if it did; for MariaDB.
  static let insertedNumber = SQLStatement(
    "credit_transaction_number",
    "SELECT CAST(LAST_INSERT_ID() AS BIGINT) FROM DUAL WHERE ROW_COUNT() > 0")

  static let updateCreditTransaction = {
    let values = SQLColumns.creditTransaction
    return SQLStatement(
      "credit_transaction_update",
      """
      UPDATE apple_iap_transactions SET \(values.assignments(from: 2)),
        updated_at = $\(values.count + 2)
      WHERE id = $1
      """)
  }()

  static let creditTransactionsOfUser = SQLStatement(
    "credit_transaction_of_user",
    "\(selectCreditTransaction) WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3")

  static let creditTransactions = SQLStatement(
    "credit_transaction_list", "\(selectCreditTransaction) WHERE id > $1 ORDER BY id LIMIT $2")
}

extension LockableStatement {
  static let findCreditTransaction = LockableStatement(
    "credit_transaction_find",
    "\(SQLStatement.selectCreditTransaction) WHERE environment = $1 AND transaction_id = $2",
    lock: "FOR UPDATE")
}
