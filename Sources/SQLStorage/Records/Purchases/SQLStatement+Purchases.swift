internal import ReceiptModels

/// A statement in two forms: for a database with subscriptions, whose rows hold the stamps of whole
/// answers, and for one without.
struct StampForms<Form: Sendable>: Sendable {
  let stamped: Form
  let plain: Form

  /// A statement whose text is made with ``AnswerStamp``s, or without.
  init(_ name: String, _ form: (String, AnswerStamps) -> Form) {
    stamped = form(name, AnswerStamps(areThere: true))
    plain = form(name + "_plain", AnswerStamps(areThere: false))
  }
}

/// The stamps of whole answers, which stand in the rows of subscriptions.
struct AnswerStamps {
  let areThere: Bool

  /// The stamp for a row of a table; null in a database without subscriptions.
  func stamp(_ column: String, of table: String) -> String {
    guard areThere else { return "CAST(NULL AS BIGINT)" }
    return """
      (SELECT s.\(column) FROM apple_subscription s
        WHERE s.original_transaction_id = \(table).original_transaction_id
          AND s.environment || '' = \(table).environment)
      """
  }

  func transactions(of table: String) -> String { stamp("transactions_as_of_ms", of: table) }

  func receipt(of table: String) -> String { stamp("receipt_as_of_ms", of: table) }
}

extension ListStatement {
  // The environment is compared in a way that no index serves (|| ''), or PostgreSQL might look at all
  // transactions of one environment. Where it is a part of a unique key, MariaDB finds the row before it plans; it stands
  // after the operator there (`SQLStatement.text(_:)`).
  static let findTransactions = StampForms("transaction_find") { name, stamps in
    ListStatement(name, column: "original_transaction_id", parameter: "$2", lock: "") {
      """
      SELECT \(SQLColumns.transaction.list), as_of_ms,
        \(stamps.transactions(of: "apple_transaction"))
      FROM apple_transaction WHERE environment || '' = $1 AND \($0)
      """
    }
  }

  /// Finds a row for each transaction, as a table of different ids costs more than some ids twice.
  static let findOriginalIDs = ListStatement(
    "transaction_originals", column: "transaction_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT original_transaction_id FROM apple_transaction
    WHERE '' || environment = $1 AND \($0)
    """
  }

  static let findRenewals = ListStatement(
    "renewal_find", column: "original_transaction_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT \(SQLColumns.renewal.list), as_of_ms
    FROM apple_pending_renewal WHERE environment = $1 AND \($0)
    """
  }
}

extension SQLStatement {
  /// For a transaction that is not stored, of a subscription that is locked.
  static let insertTransaction = SQLStatement(
    "transaction_insert",
    SQLColumns.transaction.insertion(into: "apple_transaction", and: "as_of_ms", "created_utc"))

  // The monotonic guard: the same stamp or a later one, and without a stamp only where no row is.
  static let recordTransaction = StampForms("transaction_record") { name, stamps in
    SQLInsertion(insertTransaction.sql, key: "environment, transaction_id").changingStored(
      name,
      SQLColumns.transaction.overwriting(except: ["environment", "transaction_id"])
        + [.overwriting("as_of_ms")],
      where: """
        excluded.as_of_ms IS NOT NULL
          AND (apple_transaction.as_of_ms IS NULL
            OR excluded.as_of_ms >= apple_transaction.as_of_ms)
          AND excluded.as_of_ms >=
            COALESCE(\(stamps.transactions(of: "apple_transaction")), excluded.as_of_ms)
        """)
  }

  /// Only for a database with subscriptions.
  static let stampTransactions = SQLStatement(
    "transaction_stamp",
    """
    UPDATE apple_subscription SET transactions_as_of_ms = $3
    WHERE original_transaction_id = $2 AND environment || '' = $1
    """)

  // Writes the stamp of the whole answer into each row, before a row is added that it does not cover.
  static let settleTransactions = SQLStatement(
    "transaction_settle",
    """
    UPDATE apple_transaction SET as_of_ms = $3
    WHERE original_transaction_id = $2 AND environment || '' = $1
      AND (as_of_ms IS NULL OR as_of_ms < $3)
    """)

  // All except those of the products in the list, which keep their date of creation, and later ones.
  static func deleteRenewals(_ dialect: SQLDialect) -> SQLStatement {
    switch dialect {
    case .sqlite: deleteSQLiteRenewals
    case .postgres: deletePostgresRenewals
    case .mariadb: deleteMariaDBRenewals
    }
  }

  private static let deletePostgresRenewals = deleteRenewals(
    except: "<> ALL(CAST($3 AS TEXT[]))")
  private static let deleteSQLiteRenewals = deleteRenewals(
    except: "NOT IN (SELECT value FROM \(SQLTextList.table("$3", .sqlite)))")
  private static let deleteMariaDBRenewals = deleteRenewals(
    except: "NOT IN (SELECT value FROM \(SQLTextList.table("$3", .mariadb)))")

  private static func deleteRenewals(except others: String) -> SQLStatement {
    SQLStatement(
      "renewal_delete",
      """
      DELETE FROM apple_pending_renewal
      WHERE environment = $1 AND original_transaction_id = $2
        AND (product_id IS NULL OR product_id \(others)) AND as_of_ms <= $4
      """)
  }

  /// For an entry that is not stored, of a set that is locked.
  static let insertRenewal = SQLStatement(
    "renewal_insert",
    SQLColumns.renewal.insertion(
      into: "apple_pending_renewal", and: "as_of_ms", "created_utc", "updated_utc"))

  static let putRenewal = SQLInsertion(
    insertRenewal.sql, key: "original_transaction_id, environment, product_id"
  ).changingStored(
    "renewal_put",
    SQLColumns.renewal.overwriting(
      except: ["original_transaction_id", "environment", "product_id"])
      + [.overwriting("updated_utc"), .overwriting("as_of_ms")],
    where: "excluded.as_of_ms >= apple_pending_renewal.as_of_ms")

  /// Returns the stamp if it is the newest; in MariaDB the newest one in any case.
  static let noteNewestRenewalSet = noteRenewalSet(
    "renewal_set_note_newest", renewalSet.returning("renewals_as_of_ms"))

  static let noteRenewalSet = noteRenewalSet("renewal_set_note", renewalSet)

  private static let renewalSet = SQLInsertion(
    """
    INSERT INTO apple_renewal_set (environment, original_transaction_id, renewals_as_of_ms)
    VALUES ($1, $2, $3)
    """, key: "original_transaction_id, environment")

  // PostgreSQL and MariaDB lock the row also where the condition keeps it as it is.
  private static func noteRenewalSet(_ name: String, _ insertion: SQLInsertion) -> SQLStatement {
    insertion.changingStored(
      name, [.overwriting("renewals_as_of_ms")],
      where: """
        excluded.renewals_as_of_ms IS NOT NULL
          AND (apple_renewal_set.renewals_as_of_ms IS NULL
            OR apple_renewal_set.renewals_as_of_ms < excluded.renewals_as_of_ms)
        """)
  }

  // What is older than the newest set and was not in the table is not in the set.
  static let removeOldRenewals = SQLStatement(
    "renewal_remove_old",
    """
    DELETE FROM apple_pending_renewal
    WHERE environment = $1 AND original_transaction_id = $2
      AND as_of_ms < (SELECT s.renewals_as_of_ms FROM apple_renewal_set s
        WHERE s.environment = $1 AND s.original_transaction_id = $2)
    """)

  /// Notes what the entries say for the refresh job: a billing retry, and that somebody has told about the renewal,
  /// which ends the hold of a subscription of which nobody had.
  ///
  /// Only for a database with subscriptions.
  static let noteRenewals = SQLStatement(
    "renewal_note",
    """
    UPDATE apple_subscription SET in_billing_retry = \(isInBillingRetry),
      wake_utc = CASE WHEN renewal_told = 0 THEN NULL ELSE wake_utc END, renewal_told = 1
    WHERE original_transaction_id = $2 AND environment = $1
      AND (renewal_told = 0 OR in_billing_retry <> \(isInBillingRetry))
    """)

  private static let isInBillingRetry = """
    CASE WHEN EXISTS (SELECT 1 FROM apple_pending_renewal AS entry
      WHERE entry.original_transaction_id = $2 AND entry.environment = $1
        AND entry.is_in_billing_retry_period = 1) THEN 1 ELSE 0 END
    """

  static let recordSession = SQLInsertion(
    SQLColumns.session.insertion(into: "apple_verification_session", and: "created_utc"),
    key: "environment, original_transaction_id, transaction_id, request_date_ms"
  ).keepingStored("session_record")
}

// Receipts.
extension SQLStatement {
  // The same receipt again moves the stamp in the subscription, and leaves the receipt as it is. Only
  // for a database with subscriptions.
  static let stampReceipt = SQLStatement(
    "receipt_stamp",
    """
    UPDATE apple_subscription SET receipt_as_of_ms = $3
    WHERE original_transaction_id = $2 AND environment || '' = $1
      AND (receipt_as_of_ms IS NULL OR receipt_as_of_ms < $3)
      AND EXISTS (
        SELECT 1 FROM apple_receipt r
        WHERE r.original_transaction_id = $2 AND r.environment = $1 AND r.as_of_ms < $3
          AND r.receipt = $4)
    """)

  // The same receipt with an older stamp, or the same one, changes nothing. Of a row in its way, MariaDB is asked that in
  // the condition, so that the receipt, which is long, is sent once and no row is kept in a file meanwhile.
  static let putReceipt = StampForms("receipt_put") { name, stamps in
    let columns = "environment, original_transaction_id, receipt, created_utc, as_of_ms"
    let stamp = stamps.receipt(of: "apple_receipt")
    return SQLInsertion(
      """
      INSERT INTO apple_receipt (\(columns))
      SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT),
        CAST($5 AS BIGINT)
      WHERE NOT EXISTS (
        SELECT 1 FROM apple_receipt r
        WHERE r.original_transaction_id = $2 AND r.environment = $1
          AND (r.as_of_ms >= $5 OR \(stamps.receipt(of: "r")) >= $5) AND r.receipt = $3)
      """,
      mariadb: "INSERT INTO apple_receipt (\(columns)) VALUES ($1, $2, $3, $4, $5)",
      key: "original_transaction_id, environment"
    ).changingStored(
      name, [.overwriting("receipt"), .overwriting("as_of_ms")],
      where: """
        excluded.as_of_ms >= apple_receipt.as_of_ms
          AND excluded.as_of_ms >= COALESCE(\(stamp), excluded.as_of_ms)
          AND (excluded.as_of_ms > COALESCE(\(stamp), apple_receipt.as_of_ms)
            OR apple_receipt.receipt <> excluded.receipt)
        """)
  }

  static let findReceipt = StampForms("receipt_find") { name, stamps in
    SQLStatement(
      name,
      """
      SELECT r.receipt, r.as_of_ms, \(stamps.receipt(of: "r")) FROM apple_receipt r
      WHERE r.environment = $1 AND r.original_transaction_id = $2
      """)
  }

  static let findReceiptStamp = StampForms("receipt_find_stamp") { name, stamps in
    SQLStatement(
      name,
      """
      SELECT r.as_of_ms, \(stamps.receipt(of: "r")) FROM apple_receipt r
      WHERE r.environment = $1 AND r.original_transaction_id = $2
      """)
  }
}
